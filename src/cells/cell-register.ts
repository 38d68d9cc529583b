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
import { createChangeNotices } from "../domain/notices";
import type { Query } from "../domain/records";
import type { Clock } from "../engine/clock";
import { type Activity, createActivity } from "./activity";
import {
  type CellCall,
  type CellEnds,
  type CellState,
  type CellUse,
  CellRecord,
  type ResultPlace,
  startRound,
} from "./cell-record";
import { createTimeCounts, oldestOf } from "./ages";
import { leavesOwed, spilledAddress, troubleOf } from "./trouble";
import { createUnansweredItems, type Unanswered } from "./unanswered-items";

export type { CellCall, CellUse } from "./cell-record";

export interface CellSummary {
  readonly cells: number;
  readonly waiting: number;
  readonly stale: number;
  /** `#N/A`: the service answered that there is no such value. */
  readonly none: number;
  /** `#VALUE!`: nobody answered. */
  readonly unanswered: number;
  /** `#VALUE!`: a wrong entry, of which nobody was asked. */
  readonly mistyped: number;
  /** Settled cells to which an answer is owed, whatever they show. */
  readonly owed: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
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
  /** The number of the calculation that began last, of any cell. */
  lastCalculation(): number;
  summary(): CellSummary;
  /** Settled cells that show a value fetched before this time, the oldest first: how many, and `most` of them. */
  olderThan(timeMs: number, most: number): { readonly count: number; readonly cells: readonly CellUse[] };
  /** Whether settled cells of this environment show this item, or history, without an answer to their latest request. */
  unanswered(environmentId: string | null, query: Query): Unanswered | null;
  /** A refresh wanted new values of these cells and got none, so that none of them was calculated. */
  notRefreshed(addresses: Iterable<string>, because: InvError): void;
  /**
   * Forgets those of these cells that have settled: formulas that were deleted or have moved away since.
   * To be told after a look at the workbook, else such cells would be counted for ever.
   */
  forget(addresses: Iterable<string>): void;
  /** A sheet has another name: cells stay what they are, under the address that this gives for the one before. */
  renamed(spell: (address: string) => string): void;
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
  let mistyped = 0;
  let owed = 0;
  let calculations = 0;
  const oldest = createTimeCounts();
  const newest = createTimeCounts();
  const unansweredItems = createUnansweredItems();

  /** Takes a cell out of the sum; what it shows may change until it is counted again. */
  function uncount(cell: CellRecord): void {
    counts[cell.state]--;
    if (isMistyped(cell)) mistyped--;
    else if (isUnanswered(cell)) unanswered--;
    if (cell.openCalls > 0) return;
    if (cell.owedBecause !== null) {
      owed--;
      unansweredItems.remove(cell);
    }
    oldest.remove(cell.oldestMs);
    newest.remove(cell.newestMs);
  }

  function count(cell: CellRecord, state: CellState): void {
    cell.state = state;
    counts[state]++;
    if (isMistyped(cell)) mistyped++;
    else if (isUnanswered(cell)) unanswered++;
    if (cell.openCalls === 0) {
      if (cell.owedBecause !== null) {
        owed++;
        unansweredItems.add(cell);
      }
      oldest.add(cell.oldestMs);
      newest.add(cell.newestMs);
    }
    notices.changed();
  }

  function endCall(cell: CellRecord): void {
    if (isGone(cell)) return;
    uncount(cell);
    cell.openCalls--;
    if (cell.openCalls > 0) {
      count(cell, "waiting");
      return;
    }
    const { trouble } = cell;
    if (trouble !== null) {
      resolveAll(trouble.cellsBefore, trouble.cells);
      trouble.cellsBefore = null;
    }
    if (trouble === null || trouble.error === null) count(cell, "value");
    else count(cell, trouble.hasFailed ? "problem" : "stale");
  }

  /** Those of these cells that are not in trouble any more count for no reason. */
  function resolveAll(troubled: ReadonlySet<string> | null, still: ReadonlySet<string> | null): void {
    if (troubled === null) return;
    for (const cell of troubled) if (still?.has(cell) !== true) activity.resolved(cell);
  }

  function record(cell: string | null, error: InvError, { store, item }: ResultPlace): void {
    activity.record({ atMs: options.clock.now(), cell, store, item, error });
  }

  function noteFailure(cell: CellRecord, error: InvError, place = formulaItself): void {
    if (isGone(cell)) return;
    const trouble = troubleOf(cell);
    // A value that is missing matters more than one that is old.
    if (!trouble.hasFailed) trouble.error = error;
    trouble.hasFailed = true;
    if (leavesOwed(error.code)) trouble.owedBecause ??= error;
    const troubled = spilledAddress(cell.address, place.row, place.col);
    trouble.cells ??= new Set();
    trouble.cells.add(troubled);
    record(troubled, error, place);
  }

  /** It counts no more, nor what its calls may still say. */
  function drop(cell: CellRecord): void {
    uncount(cell);
    resolveAll(cell.trouble?.cells ?? null, null);
    resolveAll(cell.trouble?.cellsBefore ?? null, null);
    cells.delete(cell.address);
    cell.calculation = gone;
  }

  const ends: CellEnds = { failed: noteFailure, settled: endCall };

  /** Takes the reports of calls whose cell the host did not tell. */
  const nowhere: CellCall = {
    address: null,
    asks: ignore,
    answered: ignore,
    unanswered: ignore,
    marksStale: ignore,
    failed: (error, place = formulaItself) => record(null, error, place),
    settled: ignore,
  };

  return {
    activity,
    begin(address, environmentId) {
      if (address === null) return nowhere;
      let cell = cells.get(address);
      if (cell === undefined) {
        cell = new CellRecord(address, ends);
        cells.set(address, cell);
      } else {
        uncount(cell);
        if (cell.openCalls === 0) startRound(cell);
      }
      if (cell.openCalls === 0) cell.calculation = ++calculations;
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
    lastCalculation: () => calculations,
    summary: () => ({
      cells: cells.size,
      waiting: counts.waiting,
      stale: counts.stale,
      none: counts.problem - unanswered - mistyped,
      unanswered,
      mistyped,
      owed,
      oldestMs: oldest.oldest(),
      newestMs: newest.newest(),
    }),
    olderThan: (timeMs, most) => ({
      count: oldest.before(timeMs),
      cells: oldestOf(cells.values(), timeMs, most),
    }),
    unanswered: unansweredItems.find,
    notRefreshed(addresses, because) {
      for (const address of addresses) {
        const cell = cells.get(address);
        if (cell === undefined || cell.openCalls > 0 || cell.asked === null) continue;
        uncount(cell);
        const trouble = troubleOf(cell);
        trouble.error ??= because;
        trouble.owedBecause = because;
        trouble.unansweredItems = null;
        count(cell, trouble.hasFailed ? "problem" : "stale");
      }
    },
    forget(addresses) {
      for (const address of addresses) {
        const cell = cells.get(address);
        if (cell === undefined || cell.openCalls > 0) continue;
        drop(cell);
        notices.changed();
      }
    },
    renamed(spell) {
      const moved = [...cells.values()].filter((cell) => spell(cell.address) !== cell.address);
      for (const cell of moved) cells.delete(cell.address);
      for (const cell of moved) {
        cell.address = spell(cell.address);
        // What was known there is of a sheet that is gone.
        const before = cells.get(cell.address);
        if (before !== undefined) drop(before);
        const { trouble } = cell;
        if (trouble !== null) {
          trouble.cells = trouble.cells && new Set([...trouble.cells].map(spell));
          trouble.cellsBefore = trouble.cellsBefore && new Set([...trouble.cellsBefore].map(spell));
        }
        cells.set(cell.address, cell);
      }
      activity.renamed(spell);
      notices.changed();
    },
    subscribe: (listener) => notices.subscribe(listener),
  };
}

/** Of a settled cell without a value: whether its Excel error is the one for "not answered". */
function isUnanswered({ state, error }: CellRecord): boolean {
  return state === "problem" && error !== null && errorTable[error.code].cell === "#VALUE!";
}

/** The calculation of a cell that is not in the register any more. */
const gone = 0;

function isGone({ calculation }: CellRecord): boolean {
  return calculation === gone;
}

function isMistyped({ state, error }: CellRecord): boolean {
  return state === "problem" && error?.code === "bad-argument";
}

const formulaItself: ResultPlace = { row: 0, col: 0, store: "", item: "" };

function ignore(): void {
  // Nothing is kept without an address.
}
