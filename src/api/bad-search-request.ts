/**
 * Finds which of the requested values a 400 of the search names. It must be exact: one bad value must not cost the 99 others,
 * and a wrong guess would refuse a good one.
 * Invariant: a value counts as refused only if the service named this value, or only its index.
 */
import { InvError, type ErrorFacts } from "../domain/errors";
import type { ItemType } from "../domain/records";
import type { ProblemError } from "./error-body";
import { factsOf, readPropertyError, type ErrorResponse } from "./failures";
import { createIdentifierIndex, itemTypeName, reasonText } from "./values";
import type { SearchOutcome } from "./outcomes";

interface Requested {
  readonly itemType: ItemType;
  readonly values: readonly string[];
}

type BadRequest = Extract<SearchOutcome, { kind: "offenders" | "request-refused" | "unexplained" }>;

export function readBadSearchRequest(errorResponse: ErrorResponse, requested: Requested): BadRequest {
  const facts = factsOf(errorResponse);
  const errors = errorResponse.body.shape === "problem" ? errorResponse.body.errors : [];
  const otherProperty = errors.find(
    (error) => error.property !== undefined && memberOf(error.property) === null,
  );
  if (otherProperty !== undefined) {
    return { kind: "request-refused", error: readPropertyError(otherProperty, facts) };
  }
  const offenders = findOffenders(errors, requested, facts);
  if (offenders.size > 0) return { kind: "offenders", offenders };
  const name = itemTypeName(requested.itemType);
  const message = `The service refused a request with this ${name} and didn't say why (400). Check the ${name}.`;
  return { kind: "unexplained", error: new InvError("refused-request", message, facts) };
}

function findOffenders(
  errors: readonly ProblemError[],
  { itemType, values }: Requested,
  facts: ErrorFacts,
): ReadonlyMap<number, InvError> {
  const offenders = new Map<number, InvError>();
  const index = createIdentifierIndex(values);
  for (const error of errors) {
    const member = memberOf(error.property ?? "");
    if (member === null) continue;
    const at = offenderAt(member, values, index.find(member.value));
    if (at === null || offenders.has(at)) continue;
    const reason = reasonText(error.reason);
    const message = `The service refused this ${itemTypeName(itemType)} (400): ${reason}. Check its digits.`;
    offenders.set(at, new InvError("refused-value", message, facts));
  }
  return offenders;
}

interface Member {
  readonly index: number;
  readonly value: string;
}

/** Documented as `/item_type_values[<index>]/<value>`. */
function memberOf(property: string): Member | null {
  const parts = /^\/item_type_values\[(\d+)\](?:\/(.*))?$/s.exec(property);
  return parts === null ? null : { index: Number(parts[1]), value: parts[2] ?? "" };
}

/** Value and index should agree. If they don't, the value counts, because an index may be counted from 0 or 1. */
function offenderAt(member: Member, values: readonly string[], atOfValue: number): number | null {
  if (member.value === "") return member.index < values.length ? member.index : null;
  return atOfValue < 0 ? null : atOfValue;
}
