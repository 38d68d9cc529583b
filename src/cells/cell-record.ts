/**
 * One cell of the register: what its calls asked for in their latest round, and what they ended with. It is
 * a plain record whose reports are functions shared by all cells, since a workbook may hold 200,000.
 */
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";

export type CellState = "waiting" | "value" | "stale" | "problem";

/** One INV formula cell. A range formula asks for many items; a formula may hold several INV calls. */
export interface CellUse {
  /** As the host spells it: `Sheet1!A1`, `'My sheet'!A1`. */
  readonly address: string;
  readonly items: readonly ItemQuery[];
  readonly histories: readonly HistoryQuery[];
  /** Id of the environment it was last calculated in. */
  readonly environmentId: string | null;
  readonly state: CellState;
  /** The first problem of the cell, for state `problem` and `stale`. */
  readonly error: InvError | null;
  /**
   * Why an answer is still owed to it: nobody answered, and it shows that reason or its last known answer,
   * which may be a "no". Null when all it asked for was answered.
   */
  readonly owedBecause: InvError | null;
  /** Fetch times of the values it shows; null while there is none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

/** Store and item as they were given, and where in the result they stand. */
export interface Place {
  readonly row: number;
  readonly col: number;
  readonly store: string;
  readonly item: string;
}

/** One calculation of one INV function in a cell, reported by the function itself. */
export interface CellCall {
  /** Null where the host did not tell it. */
  readonly address: string | null;
  item(query: ItemQuery): void;
  history(query: HistoryQuery): void;
  /** A value came; `staleBecause` when it is the last known one. */
  answered(fetchedAtMs: number, staleBecause?: InvError): void;
  /** The place is the formula's own, and no item, unless given. */
  failed(error: InvError, place?: Place): void;
  /** The call is over; nothing more is reported. */
  settled(): void;
}

/** A cell as it is kept: readers see a CellUse, the cell's calls a CellCall. */
export interface CellRecord extends CellCall {
  readonly address: string;
  items: readonly ItemQuery[];
  histories: readonly HistoryQuery[];
  environmentId: string | null;
  state: CellState;
  error: InvError | null;
  owedBecause: InvError | null;
  /** Whether `error` left a call without a value, rather than with its last known one. */
  hasFailed: boolean;
  oldestMs: number | null;
  newestMs: number | null;
  openCalls: number;
  /** Cells of its result without a value: in this round, and, until it ends, in the one before. */
  troubled: Set<string> | null;
  troubledBefore: ReadonlySet<string> | null;
}

const noItems: readonly ItemQuery[] = [];
const noHistories: readonly HistoryQuery[] = [];

export function createCell(address: string, ends: Pick<CellCall, "failed" | "settled">): CellRecord {
  return {
    address,
    items: noItems,
    histories: noHistories,
    environmentId: null,
    state: "waiting",
    error: null,
    owedBecause: null,
    hasFailed: false,
    oldestMs: null,
    newestMs: null,
    openCalls: 0,
    troubled: null,
    troubledBefore: null,
    item: addItem,
    history: addHistory,
    answered: noteAnswer,
    failed: ends.failed,
    settled: ends.settled,
  };
}

/** Forgets what the round before asked for and how it ended. */
export function startRound(cell: CellRecord): void {
  cell.items = noItems;
  cell.histories = noHistories;
  cell.error = null;
  cell.owedBecause = null;
  cell.hasFailed = false;
  cell.oldestMs = null;
  cell.newestMs = null;
  cell.troubledBefore = cell.troubled;
  cell.troubled = null;
}

// The reports are functions shared by all cells, so that a cell costs no closures of its own.

function addItem(this: CellRecord, query: ItemQuery): void {
  if (this.items === noItems) this.items = [query];
  else (this.items as ItemQuery[]).push(query);
}

function addHistory(this: CellRecord, query: HistoryQuery): void {
  if (this.histories === noHistories) this.histories = [query];
  else (this.histories as HistoryQuery[]).push(query);
}

function noteAnswer(this: CellRecord, fetchedAtMs: number, staleBecause?: InvError): void {
  if (this.oldestMs === null || fetchedAtMs < this.oldestMs) this.oldestMs = fetchedAtMs;
  if (this.newestMs === null || fetchedAtMs > this.newestMs) this.newestMs = fetchedAtMs;
  if (staleBecause === undefined) return;
  this.error ??= staleBecause;
  this.owedBecause ??= staleBecause;
}
