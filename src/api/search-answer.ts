/**
 * From the items of a search answer to one outcome per requested value. Answers are trusted in nothing but
 * their content: they may be short, long, reordered or repeated, and spell identifiers differently.
 * Invariant: exactly one outcome per requested value, and never another item's.
 */
import { InvError, type ErrorCode } from "../domain/errors";
import type { ItemType } from "../domain/records";
import { createIdentifierIndex, itemTypeName, type IdentifierIndex } from "./identifiers";
import { isFields, readWireItem } from "./item-record";
import { itemSchema } from "./item-schemas";
import type { ItemOutcome } from "./outcomes";
import { plainJson, plainText, sameText } from "./text";

interface Requested {
  readonly itemType: ItemType;
  readonly values: readonly string[];
}

/** Outcomes in the order of `requested.values`, whatever the items are. */
export function readItems(
  items: readonly unknown[],
  requested: Requested,
  httpStatus: number,
): ItemOutcome[] {
  const { itemType, values } = requested;
  const outcomeOf = createOutcomeReader(itemType, httpStatus);
  const found = new Array<ItemOutcome | undefined>(values.length).fill(undefined);
  let index: IdentifierIndex | undefined;
  for (let position = 0; position < items.length; position++) {
    const item = items[position];
    if (!isFields(item)) continue;
    const identifier = item[itemType];
    // Answers mostly keep the order of the request, so the look-up is made only when one does not.
    const isInOrder = typeof identifier === "string" && identifier === values[position];
    const at = isInOrder ? position : (index ??= createIdentifierIndex(values)).find(identifier);
    if (at < 0) continue;
    const known = found[at];
    const outcome = outcomeOf(item, values[at] ?? "");
    found[at] = known === undefined || sameOutcome(known, outcome) ? outcome : twice(httpStatus);
  }
  return isComplete(found) ? found : completed(found, requested, httpStatus);
}

function isComplete(found: (ItemOutcome | undefined)[]): found is ItemOutcome[] {
  return !found.includes(undefined);
}

/** Values the answer left out get the same error; a value that was asked for twice has its answer twice. */
function completed(
  found: readonly (ItemOutcome | undefined)[],
  { itemType, values }: Requested,
  httpStatus: number,
): ItemOutcome[] {
  return found.map((outcome, at) => {
    const value = values[at] ?? "";
    return outcome ?? found[values.indexOf(value)] ?? leftOut(itemType, value, httpStatus);
  });
}

/** One reader per answer, because items with the same reason share one error: an answer may hold a hundred. */
function createOutcomeReader(
  itemType: ItemType,
  httpStatus: number,
): (item: unknown, asked: string) => ItemOutcome {
  let refusals: Map<string, ItemOutcome> | undefined;
  const refusalOf = (wireReason: unknown): ItemOutcome => {
    refusals ??= new Map();
    const reason = plainText(wireReason);
    const known = refusals.get(reason);
    if (known !== undefined) return known;
    const refusal = refused(reason, itemType, httpStatus);
    refusals.set(reason, refusal);
    return refusal;
  };
  return (item, asked) => {
    const read = readWireItem(item, asked);
    if (read === null) return broken(item, httpStatus);
    return read.kind === "record" ? read : refusalOf(read.reason);
  };
}

/** The service's reason stands as it came: it is what users compare with, and `INV.STATUS` shows it. */
function refused(reason: string, itemType: ItemType, httpStatus: number): ItemOutcome {
  const code: ErrorCode = sameText(reason, "No data found")
    ? "no-data"
    : sameText(reason, "GTIN not mapped to the supplier") ||
        sameText(reason, "WM_ITEM_NUMBER not mapped to the supplier")
      ? "not-mapped"
      : "item-error";
  const message =
    reason === "" ? `The service refused this ${itemTypeName(itemType)} without a reason.` : reason;
  return { kind: "none", error: new InvError(code, message, { httpStatus }) };
}

/** The guard has refused; the schema says where. */
function broken(item: unknown, httpStatus: number): ItemOutcome {
  const path = itemSchema.safeParse(item).error?.issues[0]?.path ?? [];
  let received = item;
  for (const key of path) received = Reflect.get(Object(received) as object, key);
  const json = typeof received === "string" ? JSON.stringify(plainText(received)) : plainJson(received);
  const shown = received === undefined ? "nothing" : json.slice(0, 40);
  const message = `Expected a readable record of this item, received ${shown} at ${path.join(".")}. Refresh; if it stays, tell support.`;
  return { kind: "unreadable", error: new InvError("bad-answer", message, { httpStatus }) };
}

function twice(httpStatus: number): ItemOutcome {
  const message =
    "The service's answer holds this item twice, with differing records. Refresh; if it stays, tell support.";
  return { kind: "unreadable", error: new InvError("bad-answer", message, { httpStatus }) };
}

function leftOut(itemType: ItemType, value: string, httpStatus: number): ItemOutcome {
  const message = `The service's answer left the ${itemTypeName(itemType)} "${value}" out. Refresh; if it stays, tell support.`;
  return { kind: "unreadable", error: new InvError("missing-answer", message, { httpStatus }) };
}

function written(outcome: ItemOutcome): string {
  if (outcome.kind !== "record") return outcome.kind;
  return JSON.stringify({ ...outcome.record, cids: outcome.record.cids() });
}

function sameOutcome(left: ItemOutcome, right: ItemOutcome): boolean {
  if (left.kind === "record" || right.kind === "record") return written(left) === written(right);
  return (
    left.kind === right.kind &&
    left.error.code === right.error.code &&
    left.error.message === right.error.message
  );
}
