/**
 * The two kinds of calculation. Nearly every formula has one place: it asks its rule's query and is its own waiter. A range formula
 * has an object for each place that waits. Once a place waits, nothing keeps the arguments: the query says what was asked.
 * Invariant: every place settles once, whatever is thrown. A formula ends when its last place has settled.
 */
import type { CellReport } from "../cells/cell-register";
import { InvError, toInvError } from "../domain/errors";
import { isHistory } from "../domain/query-keys";
import type { Query } from "../domain/records";
import { isAnswered, type Outcome, type Waiter } from "../engine/types";
import type { FunctionContext } from "./context";
import { breakOff, end, refuse, type OpenCalculation, type Result } from "./ending";
import { shapeText } from "./grid";
import type { CellResult } from "./present";
import type { PlaceArguments, RangePlaces } from "./queries";
import type { QueryRule, Calculation, Rule } from "./rule";
import { argumentText, isRefusal, refusalOf, type Refusal } from "./argument-values";

/** What a preview shows for a value that needs a request. */
export const previewPlaceholder = "…";

const ignore = (): void => undefined;
/** The report of a preview, and of a calculation that hasn't begun. */
export const silentReport: CellReport = {
  address: null,
  requests: ignore,
  answered: ignore,
  showsAge: ignore,
  failed: ignore,
  settled: ignore,
};

type Shown = CellResult | CellResult[][];

/** One place of a result. */
interface Place extends Waiter<unknown> {
  /** Null before it is read, and if there is none. */
  query: Query | null;
}

interface PlacedCalculation extends OpenCalculation, Calculation {
  readonly rule: Rule<string>;
}

/** The calculation of a formula with one place. */
export class SingleCalculation implements PlacedCalculation, Place {
  // `declare` avoids initializing the fields twice.
  declare readonly rule: Rule<string>;
  declare readonly context: FunctionContext;
  declare readonly report: CellReport;
  declare resolve: PlacedCalculation["resolve"];
  declare query: Query | null;
  declare epoch: number;

  constructor(rule: Rule<string>, context: FunctionContext, report: CellReport) {
    this.rule = rule;
    this.context = context;
    this.report = report;
    this.resolve = null;
    this.query = null;
    this.epoch = 0;
  }

  get isPreview(): boolean {
    return this.report === silentReport;
  }

  /** Returns the result, or null if it comes later. */
  run(given: PlaceArguments<string>): Result | null {
    const shown = askPlace(this, this, given);
    return shown === null ? null : this.end(shown, given);
  }

  settle(outcome: Outcome<unknown>): void {
    let result: Result | null;
    try {
      result = this.end(shownFor(this, this.query as Query, outcome), null);
    } catch (error) {
      result = breakOff(this, error);
    }
    if (result !== null) this.resolve?.(result);
  }

  /** @param given null once it has waited */
  private end(shown: Shown, given: PlaceArguments<string> | null): Result | null {
    const { query } = this;
    if (Array.isArray(shown)) {
      for (const [row, cells] of shown.entries()) {
        for (const [col, cell] of cells.entries()) {
          if (isRefusal(cell)) reportRefusal(this, cell, { query, given, row, col });
        }
      }
      return end(this, shown);
    }
    if (isRefusal(shown)) reportRefusal(this, shown, { query, given, row: 0, col: 0 });
    return end(this, [[shown]]);
  }
}

/** The calculation of a range formula. */
export class RangeCalculation implements PlacedCalculation {
  resolve: PlacedCalculation["resolve"] = null;
  private shown: CellResult[][] = [];
  private open = 0;

  constructor(
    readonly rule: Rule<string>,
    readonly context: FunctionContext,
    readonly report: CellReport,
  ) {}

  get isPreview(): boolean {
    return this.report === silentReport;
  }

  /** Asks for all places in one turn, row by row. Returns the result, or null if it comes later. */
  run(given: RangePlaces): Result | null {
    if (this.rule.takesNoRanges === true) return refuse(this, refusalOf(tableOfSeveralItems(given)));
    const { rows, cols } = given.shape;
    this.shown = Array.from({ length: rows }, () => new Array<CellResult>(cols).fill(""));
    this.open = rows * cols;
    for (given.row = 0; given.row < rows; given.row++) {
      for (given.col = 0; given.col < cols; given.col++) {
        const place = new RangePlace(this, given.row, given.col);
        const shown = askPlace(this, place, given);
        if (shown !== null) this.show(shown as CellResult, place, given);
      }
    }
    return this.open === 0 ? end(this, this.shown) : null;
  }

  settlePlace(place: RangePlace, outcome: Outcome<unknown>): void {
    this.show(shownFor(this, place.query as Query, outcome) as CellResult, place, null);
    const result = this.open === 0 ? end(this, this.shown) : null;
    if (result !== null) this.resolve?.(result);
  }

  breakOff(error: unknown): void {
    this.resolve?.(breakOff(this, error));
  }

  private show(shown: CellResult, place: RangePlace, given: RangePlaces | null): void {
    const { query, row, col } = place;
    if (isRefusal(shown)) reportRefusal(this, shown, { query, given, row, col });
    (this.shown[row] as CellResult[])[col] = shown;
    this.open--;
  }
}

/** A place of a range formula. */
class RangePlace implements Place {
  // `declare` avoids initializing the fields twice.
  declare private readonly calculation: RangeCalculation;
  declare readonly row: number;
  declare readonly col: number;
  declare query: Query | null;
  declare epoch: number;

  constructor(calculation: RangeCalculation, row: number, col: number) {
    this.calculation = calculation;
    this.row = row;
    this.col = col;
    this.query = null;
    this.epoch = 0;
  }

  settle(outcome: Outcome<unknown>): void {
    try {
      this.calculation.settlePlace(this, outcome);
    } catch (error) {
      this.calculation.breakOff(error);
    }
  }
}

/** Returns what the place shows; null if it waits. */
function askPlace(calculation: PlacedCalculation, place: Place, given: PlaceArguments<string>): Shown | null {
  const { rule } = calculation;
  try {
    if (!("ask" in rule)) return rule.show(given);
    const query = rule.queryAt(given);
    if (query === null) return "";
    if (isRefusal(query)) return query;
    place.query = query;
    const asking = rule.ask(query, calculation, place);
    if (asking === "waits") return null;
    return asking === "preview" ? previewPlaceholder : shownFor(calculation, query, asking);
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

function shownFor(calculation: PlacedCalculation, query: Query, outcome: Outcome<unknown>): Shown {
  if (!isAnswered(outcome)) return refusalOf(outcome);
  try {
    calculation.report.answered(outcome.fetchedAtMs, outcome.staleBecause !== undefined);
    return (calculation.rule as QueryRule<string, Query, unknown>).show(outcome, query, calculation);
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

/** Reports store and item as INV asked for them, or as they were entered if it could not ask. */
function reportRefusal(
  { rule, report }: PlacedCalculation,
  { error }: Refusal,
  {
    query,
    given,
    row,
    col,
  }: {
    readonly query: Query | null;
    readonly given: PlaceArguments<string> | null;
    readonly row: number;
    readonly col: number;
  },
): void {
  try {
    if (query !== null) {
      const item = isHistory(query) ? query.gtin : query.value;
      report.failed(error, { row, col, store: String(query.storeNumber), item });
      return;
    }
    const entered = (name: string): string => argumentText(given?.raw(name));
    const item = "ask" in rule ? entered(rule.itemArgument) : "";
    report.failed(error, { row, col, store: entered("store"), item });
  } catch {
    // The report is only for the pane. Without it the formula must not stay #BUSY!.
  }
}

/** The error of a table function that got a range. */
function tableOfSeveralItems({ shape, grids }: RangePlaces): InvError {
  const wide = Object.entries(grids).find(([, { cells }]) => cells.length > 1)?.[0] ?? "store";
  return new InvError(
    "bad-argument",
    `${wide} is a range of ${shapeText(shape)}, but this function needs one value. ` +
      "It makes a table of one item: write one formula for each item.",
  );
}
