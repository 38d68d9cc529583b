/**
 * A function's rule: which query each place of its result has, how to ask it, and what the place shows of the answer. The same
 * rule serves a formula with one place and a range formula (`places.ts`).
 */
import { keptDays } from "../domain/dates";
import { InvError, toInvError } from "../domain/errors";
import { diagnoseGtin } from "../domain/gtin-hints";
import { isHistory } from "../domain/query-keys";
import type { Query } from "../domain/records";
import type { CellReport } from "../cells/cell-register";
import type { Answer, Outcome, Waiter } from "../engine/types";
import type { FunctionContext } from "./context";
import type { CellResult } from "./present";
import type { PlaceArguments } from "./queries";
import { refusalOf, type ReadResult, type Refusal } from "./argument-values";

/** One calculation of an INV formula, as its rule sees it. */
export interface Calculation {
  readonly context: FunctionContext;
  /** Reports to the cell register; in a preview it reports nothing. */
  readonly report: CellReport;
  /** Whether Excel calculates only a part of a formula. Then nothing is sent to the service. */
  readonly isPreview: boolean;
}

/** @template Asked the query, possibly with choices that only this function has, such as the area of a quantity */
export interface QueryRule<Name extends string, Asked extends Query, Value> {
  /** The argument that names the item. */
  readonly itemArgument: Name;
  /** Whether each argument must be one value, because the result is a table of one item. */
  readonly takesNoRanges?: boolean;
  /** Returns the query of this place, the refusal of a wrong argument, or null if store or item is blank. */
  queryAt(place: PlaceArguments<Name>): ReadResult<Asked>;
  ask(query: Asked, calculation: Calculation, waiter: Waiter<Value>): AskOutcome<Value>;
  /** Returns one value, or rows if the result is a table. */
  show(answer: Answer<Value>, query: Asked, calculation: Calculation): CellResult | CellResult[][];
}

/** The rule of a function that shows what INV itself knows. */
export interface FactRule<Name extends string> {
  readonly takesNoRanges: true;
  show(place: PlaceArguments<Name>): CellResult | CellResult[][];
}

/** Any rule. Only the rule itself knows the types of its queries and answers. */
export type Rule<Name extends string> = QueryRule<Name, Query, unknown> | FactRule<Name>;

/** The outcome if it is known now. `waits`: the waiter is settled later. `preview`: nothing is asked or settled. */
export type AskOutcome<T> = Outcome<T> | "waits" | "preview";

/** Settles the waiter when the promise ends. The promise is null in a preview. */
export function settleLater<T>(waiter: Waiter<T>, fetched: Promise<Answer<T>> | null): AskOutcome<T> {
  if (fetched === null) return "preview";
  fetched.then(
    (answer) => waiter.settle(answer),
    (error: unknown) => waiter.settle(toInvError(error)),
  );
  return "waits";
}

/** Returns the refusal for the service's "no such value", with a hint if INV knows a likely cause. */
export function noSuchValueRefusal(error: InvError, query: Query, { context }: Calculation): Refusal {
  const { code, message, details } = error;
  const hint =
    code === "not-mapped"
      ? checkDigitHint(query)
      : code === "refused-request"
        ? datesHint(query, context.now())
        : null;
  if (hint === null) return refusalOf(error);
  return refusalOf(new InvError(code, `${message.replace(/\.$/, "")}. ${hint}`, details));
}

/**
 * A GTIN that the supplier doesn't have and whose check digit is wrong is most likely a typing error. This is only a hint beside
 * the reason, because retailers use such GTINs too.
 */
function checkDigitHint(query: Query): string | null {
  const gtin = gtinOf(query);
  const findings = gtin === null ? [] : diagnoseGtin(gtin).findings;
  return findings.find(({ fault }) => fault === "wrong-check-digit")?.advice ?? null;
}

/** The planner's day may not be the service's: `TODAY()-6` is too old for it in the evening of New York. */
function datesHint(query: Query, nowMs: number): string | null {
  if (!isHistory(query)) return null;
  const [first, last] = keptDays(nowMs);
  const dates = [query.startDate, query.endDate];
  const isOutside = dates.some((date) => date !== undefined && (date < first || date > last));
  return isOutside ? `The service keeps events from ${first} to ${last} (UTC).` : null;
}

function gtinOf(query: Query): string | null {
  if (isHistory(query)) return query.gtin;
  return query.itemType === "gtin" ? query.value : null;
}
