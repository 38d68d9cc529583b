/**
 * Compares what one cell showed before a refresh with what it shows after. An error that says something about the value
 * (`#N/A`, a division by a stock of 0) counts as a value; other errors don't. A cell without an answer hasn't changed. A cell
 * that stays blank, in a row without an item, isn't counted.
 */
import { isBlank, isError } from "../cell-content";
import type { CellContent } from "../port";

type Verdict = "same" | "changed" | "to-zero" | "from-zero" | "not-answered" | "no-value" | "blank";

export interface Comparison {
  readonly verdict: Verdict;
  /** After minus before; null for texts, times and errors. */
  readonly difference: number | null;
}

/** Errors that count as values. */
const meaningfulErrors: ReadonlySet<string> = new Set(["#N/A", "#DIV/0!", "#NUM!"]);

const unchanged: Comparison = { verdict: "same", difference: null };
const notAnswered: Comparison = { verdict: "not-answered", difference: null };
const blank: Comparison = { verdict: "blank", difference: null };
const noValue: Comparison = { verdict: "no-value", difference: null };
const changed: Comparison = { verdict: "changed", difference: null };

export interface PlaceFacts {
  /** Whether the service hasn't answered the cell, whatever it shows. */
  readonly isUnanswered: boolean;
  /** Whether the difference between its numbers has a meaning. */
  readonly isQuantity: boolean;
}

export function compare(before: CellContent, after: CellContent, facts: PlaceFacts): Comparison {
  if (isBlank(before) && isBlank(after)) return blank;
  if (!isValue(before)) return noValue;
  if (facts.isUnanswered || isRefusal(after)) return notAnswered;
  if (!isValue(after)) return noValue;
  if (isSame(before, after)) return unchanged;
  if (typeof before !== "number" || typeof after !== "number" || !facts.isQuantity) return changed;
  const difference = exact(after - before);
  if (after === 0) return { verdict: "to-zero", difference };
  return { verdict: before === 0 ? "from-zero" : "changed", difference };
}

function isValue(content: CellContent): boolean {
  if (isError(content)) return meaningfulErrors.has(content.error);
  return !isBlank(content);
}

function isRefusal(content: CellContent): boolean {
  return isError(content) && content.error === "#VALUE!";
}

function isSame(before: CellContent, after: CellContent): boolean {
  if (isError(before) && isError(after)) return before.error === after.error;
  return before === after;
}

/** Removes the rounding errors of binary fractions: 0.3 - 0.1 is 0.2. */
function exact(difference: number): number {
  return Number(difference.toPrecision(12));
}
