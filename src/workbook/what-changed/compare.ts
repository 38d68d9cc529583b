/**
 * What became of one place: pure, over what it showed before and shows after. An error by which the service
 * or the sheet tells something (`#N/A`, a division by the 0 in stock) is a value; what waits, is not known or was
 * never there is none, and what was not answered is no change. A place that stays blank, for a row without an item or
 * an event without a meaning, has nothing to tell.
 */
import { isError } from "../cell-content";
import type { CellContent } from "../port";

export type Verdict = "same" | "changed" | "to-zero" | "from-zero" | "not-answered" | "no-value" | "blank";

export interface Comparison {
  readonly verdict: Verdict;
  /** After less before; null where it tells nothing: texts, times, errors. */
  readonly difference: number | null;
}

/** Errors that tell something of the value; the others tell that there is none. */
const telling: ReadonlySet<string> = new Set(["#N/A", "#DIV/0!", "#NUM!"]);

const unchanged: Comparison = { verdict: "same", difference: null };
const notAnswered: Comparison = { verdict: "not-answered", difference: null };
const blank: Comparison = { verdict: "blank", difference: null };
const noValue: Comparison = { verdict: "no-value", difference: null };
const changed: Comparison = { verdict: "changed", difference: null };

export interface PlaceFacts {
  /** Nobody answered what it asks for, whatever it shows. */
  readonly isOwed: boolean;
  /** By how much its number differs tells something. */
  readonly isQuantity: boolean;
}

/** Each content as the cell showed it. */
export function compare(before: CellContent, after: CellContent, facts: PlaceFacts): Comparison {
  if (isBlank(before) && isBlank(after)) return blank;
  if (!isValue(before)) return noValue;
  if (facts.isOwed || isRefusal(after)) return notAnswered;
  if (!isValue(after)) return noValue;
  if (isSame(before, after)) return unchanged;
  if (typeof before !== "number" || typeof after !== "number" || !facts.isQuantity) return changed;
  const difference = exact(after - before);
  if (after === 0) return { verdict: "to-zero", difference };
  return { verdict: before === 0 ? "from-zero" : "changed", difference };
}

function isValue(content: CellContent): boolean {
  if (isError(content)) return telling.has(content.error);
  return !isBlank(content);
}

function isBlank(content: CellContent): boolean {
  return content === null || content === "";
}

/** The error of what nobody answered. */
function isRefusal(content: CellContent): boolean {
  return isError(content) && content.error === "#VALUE!";
}

function isSame(before: CellContent, after: CellContent): boolean {
  if (isError(before) && isError(after)) return before.error === after.error;
  return before === after;
}

/** Without what binary fractions add: 0.3 - 0.1 is 0.2. */
function exact(difference: number): number {
  return Number(difference.toPrecision(12));
}
