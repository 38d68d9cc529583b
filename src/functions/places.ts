/**
 * The places of a formula's result: each asks its rule's question, waits, and shows what the rule makes of the answer. Nearly
 * every formula has one place, and then the formula itself waits; only the places of a range formula are records of their own.
 * Invariant: every place settles once, whatever is thrown; with the last one the formula ends.
 */
import { InvError, toInvError } from "../domain/errors";
import { isAnswered, type Outcome, type Waiter } from "../engine/answer";
import { cellAt, onePlace, shapeText, type CellGrid } from "./grid";
import type { CellResult } from "./present";
import type { Cells } from "./queries";
import type { QueryRule, Formula, Question, Rule } from "./rule";
import { argumentText, isRefusal, refusalOf, type Refusal } from "./values";

/** What a preview shows of a value that would have to be asked for. */
export const previewPlaceholder = "…";

/** A formula with the state of its places. With one place it is its own waiter. */
export interface PlacedFormula extends Formula<string>, Waiter<unknown> {
  readonly rule: Rule<string>;
  /** The question of the only place. */
  question: Question | null;
  /** What a range formula shows, and how many of its places are open; null if there is one place. */
  range: { readonly shown: CellResult[][]; open: number } | null;
  /** Called once, when all places have settled. */
  end(shown: CellResult[][]): void;
  /** Ends the formula without a value for any place. The activity list then names no item. */
  refuse(error: InvError): void;
}

/** Asks for all places in one turn, row by row. */
export function askPlaces(formula: PlacedFormula): void {
  const { rule, shape } = formula;
  if (shape === onePlace) {
    askPlace(formula, 0);
    return;
  }
  if (rule.isTable === true) {
    formula.refuse(tableOfSeveralItems(formula));
    return;
  }
  const { rows, cols } = shape;
  const shown = Array.from({ length: rows }, () => new Array<CellResult>(cols).fill(""));
  formula.range = { shown, open: rows * cols };
  for (formula.row = 0; formula.row < rows; formula.row++) {
    for (formula.col = 0; formula.col < cols; formula.col++) {
      askPlace(formula, formula.row * cols + formula.col);
    }
  }
}

/** Places are numbered row by row. */
function askPlace(formula: PlacedFormula, place: number): void {
  let shown: CellResult | CellResult[][] | null;
  try {
    shown = ask(formula, place);
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  if (shown !== null) settlePlace(formula, place, shown);
}

/** Returns what the place shows; null if it waits. */
function ask(formula: PlacedFormula, place: number): CellResult | CellResult[][] | null {
  const { rule } = formula;
  if (!("ask" in rule)) return rule.show(formula);
  const question = rule.question(formula);
  if (question === null) return "";
  if (isRefusal(question)) return question;
  let waiter: Waiter<unknown> = formula;
  if (formula.range === null) formula.question = question;
  else waiter = new RangePlace(formula, question, place);
  const asking = rule.ask(question, formula, waiter);
  if (asking === "waits") return null;
  return asking === "preview" ? previewPlaceholder : shownFor(formula, question, asking);
}

/** A place of a range formula that waits. */
class RangePlace implements Waiter<unknown> {
  // `declare` avoids initializing the fields twice.
  declare next: Waiter<unknown> | null;
  declare epoch: number;
  declare readonly formula: PlacedFormula;
  declare readonly question: Question;
  declare readonly place: number;

  constructor(formula: PlacedFormula, question: Question, place: number) {
    this.next = null;
    this.epoch = 0;
    this.formula = formula;
    this.question = question;
    this.place = place;
  }

  settle(outcome: Outcome<unknown>): void {
    settlePlace(this.formula, this.place, shownFor(this.formula, this.question, outcome));
  }
}

/** Settles the only place of a formula. */
export function settleOnlyPlace(formula: PlacedFormula, outcome: Outcome<unknown>): void {
  settlePlace(formula, 0, shownFor(formula, formula.question as Question, outcome));
}

function shownFor(
  formula: PlacedFormula,
  question: Question,
  outcome: Outcome<unknown>,
): CellResult | CellResult[][] {
  const { rule, report } = formula;
  const query = "query" in question ? question.query : question;
  const because = isAnswered(outcome) ? outcome.staleBecause : outcome;
  if (because !== undefined) report.unanswered(query, because);
  if (!isAnswered(outcome)) return refusalOf(outcome);
  try {
    report.answered(outcome.fetchedAtMs, outcome.staleBecause);
    const shown = (rule as QueryRule<string, Question, unknown>).show(outcome, question, formula);
    // An answer without a readable value concerns only its own item.
    if (isRefusal(shown)) report.unanswered(query, shown.error);
    return shown;
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

function settlePlace(formula: PlacedFormula, place: number, shown: CellResult | CellResult[][]): void {
  const { range, shape } = formula;
  const row = Math.floor(place / shape.cols);
  const col = place % shape.cols;
  // Whatever happens to one place, the formula must not stay #BUSY!.
  try {
    if (Array.isArray(shown)) reportTable(formula, shown);
    else if (isRefusal(shown)) reportFailure(formula, shown, { row, col });
  } finally {
    if (range === null) formula.end(Array.isArray(shown) ? shown : [[shown]]);
    else {
      (range.shown[row] as CellResult[])[col] = shown as CellResult;
      range.open--;
      if (range.open === 0) formula.end(range.shown);
    }
  }
}

/** All cells of a table are of the same item. */
function reportTable(formula: PlacedFormula, shown: CellResult[][]): void {
  shown.forEach((cells, row) => {
    cells.forEach((cell, col) => {
      if (isRefusal(cell)) reportFailure(formula, cell, { row, col });
    });
  });
}

/** Reports store and item as they were entered. */
function reportFailure(
  { rule, shape, given, report }: PlacedFormula,
  { error }: Refusal,
  { row, col }: { readonly row: number; readonly col: number },
): void {
  const entered = (name: string): string => {
    const argument = given[name];
    return argumentText(shape === onePlace ? argument : cellAt(argument as CellGrid<unknown>, row, col));
  };
  const item = "ask" in rule ? entered(rule.item) : "";
  report.failed(error, { row, col, store: "store" in given ? entered("store") : "", item });
}

/** The error of a table function that got a range. */
export function tableOfSeveralItems({ shape, given }: Cells<string>): InvError {
  const wide =
    Object.keys(given).find((name) => (given[name] as CellGrid<unknown>).cells.length > 1) ?? "store";
  return new InvError(
    "bad-argument",
    `${wide} is a range of ${shapeText(shape)}, but this function needs one value. ` +
      "It makes a table of one item: write one formula for each item.",
  );
}
