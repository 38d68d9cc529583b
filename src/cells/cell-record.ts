/**
 * One cell of the register: what its latest recalculation requested, and how that ended. The record is small, because a
 * workbook may have 200,000. Fields that only few cells need are in a separate record.
 */
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, Query } from "../domain/records";
import { isHistory } from "../domain/query-keys";
import { type ProblemDetails, ensureProblemDetails } from "./problem-details";

export type CellState = "waiting" | "value" | "stale" | "problem";

/**
 * One cell with an INV formula. The formula may contain several INV functions, and a function over a range requests
 * many items.
 */
export interface InvCell {
  /** Uses the host's spelling: `Sheet1!A1`, `'My sheet'!A1`. */
  readonly address: string;
  /**
   * No query, one, or several (see `queriesOf`). A list in every cell would make the record a third larger.
   */
  readonly queries: Query | readonly Query[] | null;
  readonly environmentId: string | null;
  readonly state: CellState;
  /**
   * Number of the cell's latest recalculation, counted over all cells, starting with 1. 0 means
   * that the cell was forgotten.
   */
  readonly recalculation: number;
  /** The cell's first problem, if its state is `problem`. */
  readonly error: InvError | null;
  /** Whether its latest recalculation got no answer for some query. The engine knows why. */
  readonly isUnanswered: boolean;
  /** Whether the cell only shows since when other cells are stale, with the last argument of `INV.STATUS`. */
  readonly isAgeCell: boolean;
  /** Fetch times of the oldest and the newest value that the cell shows. Null if it shows none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  /** What its calculation returned. Undefined while it waits, and for a formula with several INV calls. */
  readonly returned: Returned | undefined;
}

/** A value, an error, or the rows of a result that fills several cells. */
export type Returned = ReturnedValue | readonly (readonly ReturnedValue[])[];
export type ReturnedValue = string | number | boolean | null | { readonly error: string };

/** Store and item as INV asked for them, or as they were entered if it could not ask; and their place in the formula's result. */
export interface ResultPlace {
  readonly row: number;
  readonly col: number;
  readonly store: string;
  readonly item: string;
}

/** What a calculation reports about its cell. */
export interface CellReport {
  /** Null if the host doesn't provide it. */
  readonly address: string | null;
  requests(query: Query): void;
  /** Reports the query of an item of which the cell only shows since when it is stale. */
  showsAge(query: Query): void;
  /** Reports a value. `isStale` means the last known one, because there is no answer. */
  answered(fetchedAtMs: number, isStale?: boolean): void;
  /** Reports an error that the cell shows. Without a place, the error concerns the formula itself. */
  failed(error: InvError, place?: ResultPlace): void;
  settled(returned?: Returned): void;
}

export interface CellCallbacks {
  /** Called when `needsAnswers` becomes true. */
  needsAnswers(cell: CellRecord): void;
  failed(cell: CellRecord, error: InvError, place: ResultPlace | undefined): void;
  settled(cell: CellRecord): void;
}

/** The stored cell. Readers see it as an `InvCell`, and the cell's calculations see it as a `CellReport`. */
export class CellRecord implements InvCell, CellReport {
  address: string;
  queries: Query | Query[] | null = null;
  environmentId: string | null = null;
  state: CellState = "waiting";
  isAgeCell = false;
  recalculation = 0;
  oldestMs: number | null = null;
  newestMs: number | null = null;
  returned: Returned | undefined = undefined;
  /** Whether its latest recalculation has several INV calls. */
  hasSeveralCalls = false;
  openCalculations = 0;
  /** When the recalculation began, in whole seconds of the steady clock. A small integer needs no memory of its own. */
  beganAtSecond = 0;
  problem: ProblemDetails | null = null;
  private readonly callbacks: CellCallbacks;

  constructor(address: string, callbacks: CellCallbacks) {
    this.address = address;
    this.callbacks = callbacks;
  }

  get error(): InvError | null {
    return this.problem === null ? null : this.problem.error;
  }

  get isUnanswered(): boolean {
    return this.problem !== null && this.problem.isUnanswered;
  }

  requests(query: Query): void {
    const neededAnswers = needsAnswers(this);
    this.isAgeCell = false;
    this.add(query);
    if (!neededAnswers) this.callbacks.needsAnswers(this);
  }

  showsAge(query: Query): void {
    if (this.queries === null) this.isAgeCell = true;
    this.add(query);
  }

  private add(query: Query): void {
    const { queries } = this;
    if (queries === null) this.queries = query;
    else if (isList(queries)) queries.push(query);
    else this.queries = [queries, query];
  }

  answered(fetchedAtMs: number, isStale = false): void {
    if (this.oldestMs === null || fetchedAtMs < this.oldestMs) this.oldestMs = fetchedAtMs;
    if (this.newestMs === null || fetchedAtMs > this.newestMs) this.newestMs = fetchedAtMs;
    if (isStale) ensureProblemDetails(this).isUnanswered = true;
  }

  failed(error: InvError, place?: ResultPlace): void {
    this.callbacks.failed(this, error, place);
  }

  settled(returned?: Returned): void {
    if (!this.hasSeveralCalls) this.returned = returned;
    this.callbacks.settled(this);
  }
}

/**
 * Returns whether the cell shows answers of the service. Only such cells are part of a refresh, and only they count as INV cells: others
 * need nothing (a blank store, `INV.ENV`), or only show how old other values are.
 */
export function needsAnswers({ queries, isAgeCell }: Pick<InvCell, "queries" | "isAgeCell">): boolean {
  return queries !== null && !isAgeCell;
}

const nothing: readonly Query[] = [];

export function queriesOf({ queries }: Pick<InvCell, "queries">): readonly Query[] {
  if (queries === null) return nothing;
  return isList(queries) ? queries : [queries];
}

export function itemsOf(invCell: Pick<InvCell, "queries">): readonly ItemQuery[] {
  return queriesOf(invCell).filter((query): query is ItemQuery => !isHistory(query));
}

export function historiesOf(invCell: Pick<InvCell, "queries">): readonly HistoryQuery[] {
  return queriesOf(invCell).filter(isHistory);
}

function isList<T>(queries: Query | T): queries is T {
  return Array.isArray(queries);
}

/** Starts a recalculation, and discards the queries and results of the previous one. */
export function startRecalculation(cell: CellRecord): void {
  cell.queries = null;
  cell.isAgeCell = false;
  cell.oldestMs = null;
  cell.newestMs = null;
  cell.problem = null;
  cell.returned = undefined;
  cell.hasSeveralCalls = false;
}
