/**
 * The table between the grid, which calculates synchronously, and functions that answer later. The first evaluation
 * starts a call and returns "pending". So the grid continues with the next cell, and all calls of a sheet are in flight
 * together. When a call settles, its cell is reported and recalculated, and then finds the result here. Other modules
 * make the calls and recalculate the cells. Invariant: each cell makes a call with the same function and arguments only
 * once, until the cell is renewed or edited. Calls that a formula no longer makes are dropped.
 */
import { createNotices } from "../../domain/notices";
import { unawaited } from "../../domain/unawaited";
import { type CallResult, type CellPlace, placeKey } from "./cell-values";

interface TableCall {
  readonly place: CellPlace;
  /** Function and arguments as one text. The same text is the same call. */
  readonly key: string;
  /** Makes the call. Must not reject. */
  start(): Promise<CallResult>;
}

export interface SettledCalls {
  /** Returns the result, or null while the call is in progress. */
  evaluate(call: TableCall): CallResult | null;
  /** Call when a calculation starts. Later evaluations belong to it. */
  beginPass(): void;
  /** Call when the calculation is complete. Drops calls that the evaluated cells no longer make. */
  endPass(): void;
  /**
   * Repeats the cell's calls; until they settle, the cell keeps its results. The settled calls lead to an evaluation,
   * so a formula that now makes another call is noticed. Returns false if the cell has made no calls.
   */
  renew(place: CellPlace): boolean;
  /** Call when the cell was edited. Drops all its results. */
  forget(place: CellPlace): void;
  forgetSheet(sheetId: string): void;
  results(place: CellPlace): readonly CallResult[];
  has(place: CellPlace): boolean;
  /** The number of cells that make calls. */
  readonly cells: number;
  readonly pendingCalls: number;
  onSettled(listener: (place: CellPlace) => void): void;
}

interface Entry {
  readonly start: TableCall["start"];
  result: CallResult | null;
  /** Counts the attempts, so that the answer to an earlier attempt is ignored. */
  attempts: number;
  isInProgress: boolean;
  pass: number;
}

interface CellEntry {
  readonly place: CellPlace;
  readonly calls: Map<string, Entry>;
  pass: number;
}

export function createSettledCalls(): SettledCalls {
  const cells = new Map<string, CellEntry>();
  const settled = createNotices<CellPlace>();
  let evaluated = new Set<CellEntry>();
  let pass = 0;
  let pendingCalls = 0;

  function evaluate(call: TableCall): CallResult | null {
    const cell = cellOf(call.place);
    cell.pass = pass;
    evaluated.add(cell);
    let entry = cell.calls.get(call.key);
    if (entry === undefined) {
      entry = { start: call.start, result: null, attempts: 0, isInProgress: false, pass };
      cell.calls.set(call.key, entry);
      startCall(cell, entry);
    }
    entry.pass = pass;
    return entry.result;
  }

  function startCall(cell: CellEntry, entry: Entry): void {
    entry.attempts += 1;
    count(entry, true);
    const { attempts } = entry;
    unawaited(
      entry.start().then((result) => {
        if (entry.attempts !== attempts || !entry.isInProgress) return;
        count(entry, false);
        entry.result = result;
        settled.tell(cell.place);
      }),
    );
  }

  function count(entry: Entry, isInProgress: boolean): void {
    if (entry.isInProgress === isInProgress) return;
    entry.isInProgress = isInProgress;
    pendingCalls += isInProgress ? 1 : -1;
  }

  function drop(cell: CellEntry, key: string, entry: Entry): void {
    count(entry, false);
    cell.calls.delete(key);
    if (cell.calls.size === 0) cells.delete(placeKey(cell.place));
  }

  function forgetCell(cell: CellEntry): void {
    for (const [key, entry] of [...cell.calls]) drop(cell, key, entry);
  }

  function cellOf(place: CellPlace): CellEntry {
    const key = placeKey(place);
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = { place, calls: new Map(), pass };
      cells.set(key, cell);
    }
    return cell;
  }

  return {
    evaluate,
    beginPass() {
      pass += 1;
      evaluated = new Set();
    },
    endPass() {
      for (const cell of evaluated) {
        for (const [key, entry] of [...cell.calls]) if (entry.pass < cell.pass) drop(cell, key, entry);
      }
      evaluated = new Set();
    },
    renew(place) {
      const cell = cells.get(placeKey(place));
      if (cell === undefined) return false;
      for (const entry of cell.calls.values()) startCall(cell, entry);
      return true;
    },
    forget(place) {
      const cell = cells.get(placeKey(place));
      if (cell !== undefined) forgetCell(cell);
    },
    forgetSheet(sheetId) {
      for (const cell of [...cells.values()]) if (cell.place.sheetId === sheetId) forgetCell(cell);
    },
    results(place) {
      const calls = cells.get(placeKey(place))?.calls.values() ?? [];
      return [...calls].flatMap((entry) => (entry.result === null ? [] : [entry.result]));
    },
    has: (place) => cells.has(placeKey(place)),
    get cells() {
      return cells.size;
    },
    get pendingCalls() {
      return pendingCalls;
    },
    onSettled: (listener) => settled.subscribe(listener),
  };
}
