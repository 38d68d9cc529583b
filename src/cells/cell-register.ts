/**
 * What the INV formulas calculated in this session asked for and how it ended, by cell address: the one
 * place that records it, the activity list included. The functions write it; the refresh reads from it what
 * a scope will cost, the pane which cells are stale, failed, or still show another environment. It holds what was seen only: a formula Excel has not
 * calculated in this session is not in it.
 *
 * A cell's calls form rounds: a call that begins while another of the cell is open belongs to its round
 * (a formula may hold several INV calls); one that begins after all have settled starts a new round, and
 * what the earlier round asked for is forgotten.
 * Invariant: a cell without a problem in its latest round, or forgotten, counts for no reason in the list.
 */
import { errorTable, type InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { createChangeNotices } from "../engine/change-notices";
import type { Clock } from "../engine/clock";
import { type Activity, createActivity } from "./activity";
import { spilledAddress } from "./spilled-address";
import { createTimeCounts } from "./time-counts";

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
  /** Fetch times of the values it shows; null while there is none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
}

export interface CellSummary {
  readonly cells: number;
  readonly waiting: number;
  readonly stale: number;
  /** `#N/A`: the service answered that there is no such value. */
  readonly none: number;
  /** `#VALUE!`: a wrong entry, or nobody answered. */
  readonly unanswered: number;
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
  item(query: ItemQuery): void;
  history(query: HistoryQuery): void;
  /** A value came; `staleBecause` when it is the last known one. */
  answered(fetchedAtMs: number, staleBecause?: InvError): void;
  /** The place is the formula's own, and no item, unless given. */
  failed(error: InvError, place?: Place): void;
  /** The call is over; nothing more is reported. */
  settled(): void;
}

export interface CellRegister {
  /** Why cells have no value: of a formula that spills, each cell of its result by itself. */
  readonly activity: Activity;
  /** A function begins to calculate. Without an address (the host told none) only its problems are kept. */
  begin(address: string | null, environmentId: string | null): CellCall;
  get(address: string): CellUse | undefined;
  all(): Iterable<CellUse>;
  /** Cells last calculated in another environment than this. */
  ofOtherEnvironments(environmentId: string): readonly string[];
  summary(): CellSummary;
  /**
   * Forgets those of these cells that have settled: formulas that were deleted or have moved away since.
   * To be told after a look at the workbook, else such cells would be counted for ever.
   */
  forget(addresses: Iterable<string>): void;
  /** Told after changes, not more than about ten times a second. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/**
 * Built for 200,000 cells: one small record for a cell, which takes the reports of its calls itself, and
 * a sum that is kept as cells change, since it is read many times a second while they do.
 */
export function createCellRegister(options: { readonly clock: Clock }): CellRegister {
  const cells = new Map<string, CellRecord>();
  const notices = createChangeNotices(options.clock);
  const activity = createActivity(options);
  const counts: Record<CellState, number> = { waiting: 0, value: 0, stale: 0, problem: 0 };
  let unanswered = 0;
  const oldest = createTimeCounts();
  const newest = createTimeCounts();

  /** Takes a cell out of the sum; what it shows may change until it is counted again. */
  function uncount(cell: CellRecord): void {
    counts[cell.state]--;
    if (isUnanswered(cell)) unanswered--;
    if (cell.openCalls > 0) return;
    oldest.remove(cell.oldestMs);
    newest.remove(cell.newestMs);
  }

  function count(cell: CellRecord, state: CellState): void {
    cell.state = state;
    counts[state]++;
    if (isUnanswered(cell)) unanswered++;
    if (cell.openCalls === 0) {
      oldest.add(cell.oldestMs);
      newest.add(cell.newestMs);
    }
    notices.changed();
  }

  function endCall(this: CellRecord): void {
    uncount(this);
    this.openCalls--;
    if (this.openCalls > 0) {
      count(this, "waiting");
      return;
    }
    resolveAll(this.troubledBefore, this.troubled);
    this.troubledBefore = null;
    if (this.error === null) count(this, "value");
    else count(this, this.hasFailed ? "problem" : "stale");
  }

  /** Those of these cells that are not in trouble any more count for no reason. */
  function resolveAll(troubled: ReadonlySet<string> | null, still: ReadonlySet<string> | null): void {
    if (troubled === null) return;
    for (const cell of troubled) if (still?.has(cell) !== true) activity.resolved(cell);
  }

  function record(cell: string | null, error: InvError, { store, item }: Place): void {
    activity.record({ atMs: options.clock.now(), cell, store, item, error });
  }

  function noteFailure(this: CellRecord, error: InvError, place = formulaItself): void {
    // A value that is missing matters more than one that is old.
    if (!this.hasFailed) this.error = error;
    this.hasFailed = true;
    const cell = spilledAddress(this.address, place.row, place.col);
    this.troubled ??= new Set();
    this.troubled.add(cell);
    record(cell, error, place);
  }

  /** Takes the reports of calls whose cell the host did not tell. */
  const nowhere: CellCall = {
    item: ignore,
    history: ignore,
    answered: ignore,
    failed: (error, place = formulaItself) => record(null, error, place),
    settled: ignore,
  };

  return {
    activity,
    begin(address, environmentId) {
      if (address === null) return nowhere;
      let cell = cells.get(address);
      if (cell === undefined) {
        cell = createCell(address, { failed: noteFailure, settled: endCall });
        cells.set(address, cell);
      } else {
        uncount(cell);
        if (cell.openCalls === 0) startRound(cell);
      }
      cell.openCalls++;
      cell.environmentId = environmentId;
      count(cell, "waiting");
      return cell;
    },
    get: (address) => cells.get(address),
    all: () => cells.values(),
    ofOtherEnvironments(environmentId) {
      const addresses: string[] = [];
      for (const cell of cells.values()) {
        if (cell.environmentId !== environmentId) addresses.push(cell.address);
      }
      return addresses;
    },
    summary: () => ({
      cells: cells.size,
      waiting: counts.waiting,
      stale: counts.stale,
      none: counts.problem - unanswered,
      unanswered,
      oldestMs: oldest.oldest(),
      newestMs: newest.newest(),
    }),
    forget(addresses) {
      for (const address of addresses) {
        const cell = cells.get(address);
        if (cell === undefined || cell.openCalls > 0) continue;
        uncount(cell);
        resolveAll(cell.troubled, null);
        cells.delete(address);
        notices.changed();
      }
    },
    subscribe: (listener) => notices.subscribe(listener),
  };
}

/** A cell as it is kept: readers see a CellUse, the cell's calls a CellCall. */
interface CellRecord extends CellCall {
  readonly address: string;
  items: readonly ItemQuery[];
  histories: readonly HistoryQuery[];
  environmentId: string | null;
  state: CellState;
  error: InvError | null;
  /** Whether `error` left a call without a value, rather than with its last known one. */
  hasFailed: boolean;
  oldestMs: number | null;
  newestMs: number | null;
  openCalls: number;
  /** Cells of its result without a value: in this round, and, until it ends, in the one before. */
  troubled: Set<string> | null;
  troubledBefore: ReadonlySet<string> | null;
}

/** Of a settled cell without a value: whether its Excel error is the one for "not answered". */
function isUnanswered({ state, error }: CellRecord): boolean {
  return state === "problem" && error !== null && errorTable[error.code].cell === "#VALUE!";
}

const formulaItself: Place = { row: 0, col: 0, store: "", item: "" };
const noItems: readonly ItemQuery[] = [];
const noHistories: readonly HistoryQuery[] = [];

function createCell(address: string, ends: Pick<CellCall, "failed" | "settled">): CellRecord {
  return {
    address,
    items: noItems,
    histories: noHistories,
    environmentId: null,
    state: "waiting",
    error: null,
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

function startRound(cell: CellRecord): void {
  cell.items = noItems;
  cell.histories = noHistories;
  cell.error = null;
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
  if (staleBecause !== undefined) this.error ??= staleBecause;
}

function ignore(): void {
  // Nothing is kept without an address.
}
