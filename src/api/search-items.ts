/**
 * The inventory lookup, `POST /search-items`: builds a request for up to 100 items of one store, and reads what the response means
 * for each. Responses may be short, long, reordered or repeated, and may spell identifiers differently.
 * Invariants: reading never throws. Each requested value gets exactly one outcome, and never another item's. A response for
 * another store isn't an answer.
 */
import { readReply, unreadable } from "./body";
import { isFields } from "../domain/json";
import { InvError, type ErrorCode, type ErrorFacts } from "../domain/errors";
import type { Environment } from "../domain/environment";
import type { ItemType } from "../domain/records";
import { readAgesMs, type CallOptions, type ReadOptions, buildRequest, callHeaders } from "./headers";
import { factsOf, readFailure, type ErrorResponse } from "./failures";
import {
  identifierSchema,
  sameIdentifier,
  plainText,
  sameText,
  createIdentifierIndex,
  itemTypeName,
  type IdentifierIndex,
} from "./values";
import { readWireItem } from "./item-record";
import type { SearchOutcome, ItemOutcome } from "./outcomes";
import { readBadSearchRequest } from "./bad-search-request";
import * as z from "../domain/zod";

export const searchBodySchema = z.object({
  item_type: z.enum(["gtin", "wm_item_number"]),
  store_nbr: z.int().check(z.minimum(10), z.maximum(999_999)),
  item_type_values: z.array(z.string()).check(z.minLength(1), z.maxLength(100)),
});

/** The items are read one by one, so that a broken one doesn't affect the others. */
const answerSchema = z.object({ store_nbr: z.nullish(identifierSchema), items: z.array(z.unknown()) });

export interface SearchQuery {
  /** 2 to 6 digits. */
  readonly storeNumber: number;
  readonly itemType: ItemType;
  /** 1 to 100, each once. */
  readonly values: readonly string[];
}

export function buildSearchRequest(
  environment: Environment,
  query: SearchQuery,
  options: CallOptions,
): Request {
  const body: z.infer<typeof searchBodySchema> = {
    item_type: query.itemType,
    store_nbr: query.storeNumber,
    item_type_values: [...query.values],
  };
  return buildRequest(environment.searchUrl, {
    method: "POST",
    headers: { ...callHeaders(options), "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: options.signal,
  });
}

/** Reads a response: one item outcome per requested value, in the order of the request. Never throws. */
export async function readSearchResponse(
  response: Response,
  query: SearchQuery,
  options: ReadOptions,
): Promise<SearchOutcome> {
  const reply = await readReply(response, "search", options);
  if (reply.kind === "json") return readList(reply.value, query, response);
  if (reply.kind !== "error-response") return reply;
  if (response.status === 400) return readBadSearchRequest(reply, query);
  if (response.status === 404 && isNoData(reply)) {
    return { kind: "no-data", error: new InvError("no-data", "No data found", factsOf(reply)) };
  }
  return readFailure(reply);
}

function readList(value: unknown, query: SearchQuery, response: Response): SearchOutcome {
  const facts = factsOf({ response });
  const answer = answerSchema.safeParse(value);
  if (!answer.success) return unreadable("The response doesn't contain a list of items.", facts);
  const store = answer.data.store_nbr ?? query.storeNumber;
  if (!sameIdentifier(store, query.storeNumber)) {
    const received = plainText(String(store)).slice(0, 20);
    return unreadable(
      `The response is for store ${received} instead of store ${String(query.storeNumber)}.`,
      facts,
    );
  }
  const items = readItems(answer.data.items, query, facts);
  return { kind: "items", items, agesMs: readAgesMs(response.headers, items.length) };
}

/** Whether a 404 means "no data". Any other 404 is a wrong address. */
function isNoData({ body }: ErrorResponse): boolean {
  return body.shape === "problem" && sameText(body.detail, "No data found");
}

interface Requested {
  readonly itemType: ItemType;
  readonly values: readonly string[];
}

/** Returns the outcomes in the order of `requested.values`. */
function readItems(items: readonly unknown[], requested: Requested, facts: ErrorFacts): ItemOutcome[] {
  const { itemType, values } = requested;
  const outcomeOf = createOutcomeReader(itemType, facts);
  const found = new Array<ItemOutcome | undefined>(values.length).fill(undefined);
  let index: IdentifierIndex | undefined;
  for (let position = 0; position < items.length; position++) {
    const item = items[position];
    if (!isFields(item)) continue;
    const identifier = item[itemType];
    // Most responses keep the order of the request, so the index is created only if one doesn't.
    const isInOrder = typeof identifier === "string" && identifier === values[position];
    const at = isInOrder ? position : (index ??= createIdentifierIndex(values)).find(identifier);
    if (at < 0) continue;
    const earlier = found[at];
    const outcome = outcomeOf(item, values[at] ?? "");
    found[at] = earlier === undefined || sameOutcome(earlier, outcome) ? outcome : contradiction(facts);
  }
  return found.map((outcome, at) => outcome ?? missingItem(itemType, values[at] ?? "", facts));
}

/** Creates a reader for one response. Its items with the same reason share one error, because there may be a hundred. */
function createOutcomeReader(
  itemType: ItemType,
  facts: ErrorFacts,
): (item: unknown, requestedValue: string) => ItemOutcome {
  const negativeOutcomes = new Map<string, ItemOutcome>();
  const negativeOutcomeOf = (wireReason: unknown): ItemOutcome => {
    const reason = plainText(wireReason);
    const outcome = negativeOutcomes.get(reason) ?? negativeOutcome(reason, itemType, facts);
    negativeOutcomes.set(reason, outcome);
    return outcome;
  };
  return (item, requestedValue) => {
    const read = readWireItem(item, requestedValue);
    if (read.kind === "record") return read;
    return read.kind === "negative" ? negativeOutcomeOf(read.reason) : unreadableItem(read.fault, facts);
  };
}

/** Keeps the service's reason unchanged, because users compare it and `INV.STATUS` shows it. */
function negativeOutcome(reason: string, itemType: ItemType, facts: ErrorFacts): ItemOutcome {
  const code: ErrorCode = sameText(reason, "No data found")
    ? "no-data"
    : sameText(reason, "GTIN not mapped to the supplier") ||
        sameText(reason, "WM_ITEM_NUMBER not mapped to the supplier")
      ? "not-mapped"
      : "item-error";
  const message =
    reason === "" ? `The service refused this ${itemTypeName(itemType)} without a reason.` : reason;
  return { kind: "none", error: new InvError(code, message, facts) };
}

function unreadableItem(fault: string, facts: ErrorFacts): ItemOutcome {
  const message = `INV can't read this item's record: ${fault}. Refresh. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return { kind: "unreadable", error: new InvError("bad-answer", message, facts) };
}

function contradiction(facts: ErrorFacts): ItemOutcome {
  const message =
    "The response contains this item twice, with different records. Refresh. If it happens again, send your administrator the diagnostics (Settings tab).";
  return { kind: "unreadable", error: new InvError("bad-answer", message, facts) };
}

function missingItem(itemType: ItemType, value: string, facts: ErrorFacts): ItemOutcome {
  const message = `The response leaves out the ${itemTypeName(itemType)} "${value}". Refresh. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return { kind: "unreadable", error: new InvError("missing-answer", message, facts) };
}

function outcomeText(outcome: ItemOutcome): string {
  if (outcome.kind !== "record") return outcome.kind;
  // `cids` is a getter, which JSON.stringify skips.
  return JSON.stringify([outcome.record, outcome.record.cids]);
}

function sameOutcome(left: ItemOutcome, right: ItemOutcome): boolean {
  if (left.kind === "record" || right.kind === "record") return outcomeText(left) === outcomeText(right);
  return (
    left.kind === right.kind &&
    left.error.code === right.error.code &&
    left.error.message === right.error.message
  );
}
