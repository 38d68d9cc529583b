/**
 * The places of a formula's result: each requests its rule's query, waits for the answer, and shows the value that the rule reads
 * from it. Nearly every formula has one place and is its own waiter; only a formula with more places has an object for each.
 * Invariant: every place settles once, whatever is thrown. The formula ends when its last place has settled.
 */
import { InvError, toInvError } from "../domain/errors";
import { isAnswered, type Outcome, type Waiter } from "../engine/types";
import { cellAt, onePlace, shapeText, type CellGrid } from "./grid";
import type { CellResult } from "./present";
import type { PlaceArguments } from "./queries";
import type { Query } from "../domain/records";
import type { QueryRule, Calculation, Rule } from "./rule";
import { argumentText, isRefusal, refusalOf, type Refusal } from "./argument-values";

/** What a preview shows for a value that needs a request. */
export const previewPlaceholder = "…";

/** A formula with the state of its places. With one place it is its own waiter. */
export interface PlacedCalculation extends Calculation<string>, Waiter<unknown> {
  readonly rule: Rule<string>;
  /** The query of the only place. */
  query: Query | null;
  /** What a range formula shows, and how many of its places are open; null if there is one place. */
  range: { readonly shown: CellResult[][]; open: number } | null;
  /** Called once, when all places have settled. */
  end(shown: CellResult[][]): void;
  /** Ends the formula without a value for any place. The activity list then names no item. */
  refuse(refusal: Refusal): void;
  /** Ends the formula after an error that nobody expected. */
  breakOff(reason: unknown): void;
}

/** Asks for all places in one turn, row by row. */
export function askPlaces(calculation: PlacedCalculation): void {
  const { rule, shape } = calculation;
  if (shape === onePlace) {
    askPlace(calculation, 0);
    return;
  }
  if (rule.takesNoRanges === true) {
    calculation.refuse(refusalOf(tableOfSeveralItems(calculation)));
    return;
  }
  const { rows, cols } = shape;
  const shown = Array.from({ length: rows }, () => new Array<CellResult>(cols).fill(""));
  calculation.range = { shown, open: rows * cols };
  for (calculation.row = 0; calculation.row < rows; calculation.row++) {
    for (calculation.col = 0; calculation.col < cols; calculation.col++) {
      askPlace(calculation, calculation.row * cols + calculation.col);
    }
  }
}

/** Places are numbered row by row. */
function askPlace(calculation: PlacedCalculation, index: number): void {
  let shown: CellResult | CellResult[][] | null;
  try {
    shown = ask(calculation, index);
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  if (shown !== null) settlePlace(calculation, index, shown);
}

/** Returns what the place shows; null if it waits. */
function ask(calculation: PlacedCalculation, index: number): CellResult | CellResult[][] | null {
  const { rule } = calculation;
  if (!("ask" in rule)) return rule.show(calculation);
  const query = rule.queryAt(calculation);
  if (query === null) return "";
  if (isRefusal(query)) return query;
  let waiter: Waiter<unknown> = calculation;
  if (calculation.range === null) calculation.query = query;
  else waiter = new RangePlace(calculation, query, index);
  const asking = rule.ask(query, calculation, waiter);
  if (asking === "waits") return null;
  return asking === "preview" ? previewPlaceholder : shownFor(calculation, query, asking);
}

/** A place of a range formula that waits. */
class RangePlace implements Waiter<unknown> {
  // `declare` avoids initializing the fields twice.
  declare next: Waiter<unknown> | null;
  declare epoch: number;
  declare readonly calculation: PlacedCalculation;
  declare readonly query: Query;
  declare readonly index: number;

  constructor(calculation: PlacedCalculation, query: Query, index: number) {
    this.next = null;
    this.epoch = 0;
    this.calculation = calculation;
    this.query = query;
    this.index = index;
  }

  settle(outcome: Outcome<unknown>): void {
    try {
      settlePlace(this.calculation, this.index, shownFor(this.calculation, this.query, outcome));
    } catch (error) {
      this.calculation.breakOff(error);
    }
  }
}

/** Settles the only place of a formula. */
export function settleOnlyPlace(calculation: PlacedCalculation, outcome: Outcome<unknown>): void {
  settlePlace(calculation, 0, shownFor(calculation, calculation.query as Query, outcome));
}

function shownFor(
  calculation: PlacedCalculation,
  query: Query,
  outcome: Outcome<unknown>,
): CellResult | CellResult[][] {
  const { rule, report } = calculation;
  if (!isAnswered(outcome)) return refusalOf(outcome);
  try {
    report.answered(outcome.fetchedAtMs, outcome.staleBecause !== undefined);
    return (rule as QueryRule<string, Query, unknown>).show(outcome, query, calculation);
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

function settlePlace(
  calculation: PlacedCalculation,
  index: number,
  shown: CellResult | CellResult[][],
): void {
  const { range, shape } = calculation;
  const row = Math.floor(index / shape.cols);
  const col = index % shape.cols;
  try {
    if (Array.isArray(shown)) reportTable(calculation, shown);
    else if (isRefusal(shown)) reportFailure(calculation, shown, { row, col });
  } catch {
    // The report is only for the pane. Without it the formula must not stay #BUSY!.
  }
  if (range === null) calculation.end(Array.isArray(shown) ? shown : [[shown]]);
  else {
    (range.shown[row] as CellResult[])[col] = shown as CellResult;
    range.open--;
    if (range.open === 0) calculation.end(range.shown);
  }
}

/** All cells of a table are of the same item. */
function reportTable(calculation: PlacedCalculation, shown: CellResult[][]): void {
  shown.forEach((cells, row) => {
    cells.forEach((cell, col) => {
      if (isRefusal(cell)) reportFailure(calculation, cell, { row, col });
    });
  });
}

/** Reports store and item as they were entered. */
function reportFailure(
  { rule, shape, given, report }: PlacedCalculation,
  { error }: Refusal,
  { row, col }: { readonly row: number; readonly col: number },
): void {
  const entered = (name: string): string => {
    const argument = given[name];
    return argumentText(shape === onePlace ? argument : cellAt(argument as CellGrid<unknown>, row, col));
  };
  const item = "ask" in rule ? entered(rule.itemArgument) : "";
  report.failed(error, { row, col, store: "store" in given ? entered("store") : "", item });
}

/** The error of a table function that got a range. */
function tableOfSeveralItems({ shape, given }: PlaceArguments<string>): InvError {
  const wide =
    Object.keys(given).find((name) => (given[name] as CellGrid<unknown>).cells.length > 1) ?? "store";
  return new InvError(
    "bad-argument",
    `${wide} is a range of ${shapeText(shape)}, but this function needs one value. ` +
      "It makes a table of one item: write one formula for each item.",
  );
}
