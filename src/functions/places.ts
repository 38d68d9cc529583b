/**
 * The places of a formula's result: each asks its rule's question, waits, and shows what the rule makes of the
 * answer. A formula of scalars has one place, and nearly every formula of a sheet is one: so what waits is
 * one small record, of a class, and the matrix of one place is made with its value.
 * Invariant: every place settles once, whatever is thrown; with the last one the formula ends.
 */
import { InvError, toInvError } from "../domain/errors";
import { isAnswered, type Outcome, type Waiter } from "../engine/answer";
import { cellAt, onePlace, shapeText, type CellGrid } from "./grid";
import type { Shown } from "./present";
import type { Cells } from "./queries";
import type { AskingRule, Formula, Question, Rule } from "./rule";
import { givenText, isRefusal, refusalOf, type Refusal } from "./values";

/** What a preview shows of a value that would have to be asked for. */
export const previewPlaceholder = "…";

/** A formula, with what its places keep in it. */
export interface PlacedFormula extends Formula {
  readonly rule: Rule<string>;
  /** As given, to name what has no value; of a range formula the grids. */
  store: unknown;
  item: unknown;
  /** What a range formula shows, while some of its places wait. */
  range: { readonly shown: Shown[][]; readonly cols: number; open: number } | null;
  /** To be told once, when all has settled. */
  end(shown: Shown[][]): void;
  /** In place of all others: the formula as a whole has no value, and the activity list names no item. */
  refuse(error: InvError): void;
}

/** Asks for all places in one turn, row by row. Ends the formula, or leaves those who will. */
export function askPlaces(formula: PlacedFormula, cells: Cells<string>): void {
  const { rule } = formula;
  const { rows, cols } = cells.shape;
  if (rule.isTable === true && cells.shape !== onePlace) {
    formula.refuse(tableOfSeveralItems(cells));
    return;
  }
  formula.store = cells.given.store;
  if ("item" in rule) formula.item = cells.given[rule.item];
  if (cells.shape !== onePlace) {
    const shown = Array.from({ length: rows }, () => new Array<Shown>(cols).fill(""));
    formula.range = { shown, cols, open: rows * cols };
  }
  for (let row = 0; row < rows; row++) {
    cells.row = row;
    for (let col = 0; col < cols; col++) {
      cells.col = col;
      askPlace(formula, cells);
    }
  }
}

function askPlace(formula: PlacedFormula, cells: Cells<string>): void {
  const at = cells.row * cells.shape.cols + cells.col;
  let shown: Shown | Shown[][] | null;
  try {
    shown = shownAtOnce(formula, cells, at);
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  if (shown !== null) settle(formula, at, shown);
}

/** Null where the place waits. */
function shownAtOnce(formula: PlacedFormula, cells: Cells<string>, at: number): Shown | Shown[][] | null {
  const { rule } = formula;
  if ("tell" in rule) return rule.tell(cells, formula);
  const question = rule.question(cells, formula);
  if (question === null) return "";
  if (isRefusal(question)) return question;
  const place = new WaitingPlace(formula, question, at);
  const asking = rule.ask(question, formula, place);
  if (asking === "waits") return null;
  return asking === "preview" ? previewPlaceholder : place.shownOf(asking);
}

/** One that waits. */
class WaitingPlace implements Waiter<unknown> {
  declare next: Waiter<unknown> | null;
  declare readonly formula: PlacedFormula;
  declare readonly question: Question;
  /** Counted row by row. */
  declare readonly at: number;

  constructor(formula: PlacedFormula, question: Question, at: number) {
    this.next = null;
    this.formula = formula;
    this.question = question;
    this.at = at;
  }

  settle(outcome: Outcome<unknown>): void {
    settle(this.formula, this.at, this.shownOf(outcome));
  }

  shownOf(outcome: Outcome<unknown>): Shown | Shown[][] {
    const { formula, question } = this;
    const { rule, report } = formula;
    const because = isAnswered(outcome) ? outcome.staleBecause : outcome;
    if (because !== undefined) report.unanswered("query" in question ? question.query : question, because);
    if (!isAnswered(outcome)) return refusalOf(outcome);
    try {
      report.answered(outcome.fetchedAtMs, outcome.staleBecause);
      return (rule as AskingRule<string, Question, unknown>).show(outcome, question, formula);
    } catch (error) {
      return refusalOf(toInvError(error));
    }
  }
}

function settle(formula: PlacedFormula, at: number, shown: Shown | Shown[][]): void {
  const { range } = formula;
  const cols = range === null ? 1 : range.cols;
  const row = Math.floor(at / cols);
  const col = at % cols;
  // Whatever happens to one place, the formula must not stay #BUSY!.
  try {
    if (Array.isArray(shown)) noteTable(formula, shown);
    else if (isRefusal(shown)) noteFailure(formula, shown, { row, col });
  } finally {
    if (range === null) formula.end(Array.isArray(shown) ? shown : [[shown]]);
    else {
      (range.shown[row] as Shown[])[col] = shown as Shown;
      range.open--;
      if (range.open === 0) formula.end(range.shown);
    }
  }
}

/** A table names its item beside each of its cells. */
function noteTable(formula: PlacedFormula, shown: Shown[][]): void {
  shown.forEach((cells, row) => {
    cells.forEach((cell, col) => {
      if (isRefusal(cell)) noteFailure(formula, cell, { row, col });
    });
  });
}

/** Told with store and item as they were given; each cell of a table has the same. */
function noteFailure(
  { range, report, store, item }: PlacedFormula,
  { error }: Refusal,
  { row, col }: { readonly row: number; readonly col: number },
): void {
  const given = (of: unknown): unknown => (range === null ? of : cellAt(of as CellGrid<unknown>, row, col));
  report.failed(error, { row, col, store: givenText(given(store)), item: givenText(given(item)) });
}

/** The error of a table function that got a range. */
export function tableOfSeveralItems({ shape, given }: Cells<string>): InvError {
  const wide =
    Object.keys(given).find((name) => (given[name] as CellGrid<unknown>).cells.length > 1) ?? "store";
  return new InvError(
    "bad-argument",
    `${wide}: expected one value, received a range of ${shapeText(shape)}. ` +
      "This function makes a table of one item: write one formula for each.",
  );
}
