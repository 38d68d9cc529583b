/**
 * The table between a grid that calculates synchronously and functions that answer later. The first
 * evaluation of a call starts it and tells the grid "pending", so that the grid goes on to the next cell
 * and all calls of a sheet are in flight together; when a call settles, its cell is reported, calculated
 * again, and then finds the result here. Starting calls and recalculating cells are left to others.
 * Invariant: a call is made once per cell, function and arguments until that cell is renewed or edited,
 * and what a formula no longer asks for is dropped.
 */
import { createNotices } from "../../domain/notices";
import { type CallResult, type CellPlace, placeKey } from "./cell-values";

export interface TableCall {
  readonly place: CellPlace;
  /** Function and arguments as one text: the same text is the same call. */
  readonly key: string;
  /** Makes the call. Must not reject. */
  start(): Promise<CallResult>;
}

export interface SettledCalls {
  /** The result if it is there, else null, and then the call is under way. */
  evaluate(call: TableCall): CallResult | null;
  /** A calculation begins: calls evaluated from now on belong to it. */
  beginPass(): void;
  /** The calculation ran to its end: calls that its cells no longer make are dropped. */
  endPass(): void;
  /**
   * Makes the cell's calls anew, as it last made them; until they settle, it shows what it had. An evaluation follows
   * when they have, so that a formula that has come to ask for something else is heard. False when it made none.
   */
  renew(place: CellPlace): boolean;
  /** The cell was edited: nothing of it is used again. */
  forget(place: CellPlace): void;
  forgetSheet(sheetId: string): void;
  /** Results of a cell's calls, in the order of the formula. */
  results(place: CellPlace): readonly CallResult[];
  /** Cells with a settled call that no calculation has read. */
  unread(): readonly CellPlace[];
  /** Whether any call of the cell is under way. */
  isPending(place: CellPlace): boolean;
  /** Cells with a call under way. */
  readonly pendingCells: number;
  readonly pendingCalls: number;
  onSettled(listener: (place: CellPlace) => void): void;
}

interface Entry {
  readonly start: TableCall["start"];
  result: CallResult | null;
  /** Counts the times it was made, so that an answer to an earlier one is not taken. */
  made: number;
  underWay: boolean;
  unread: boolean;
  pass: number;
}

interface CellEntry {
  readonly place: CellPlace;
  readonly calls: Map<string, Entry>;
  pass: number;
  underWay: number;
}

export function createSettledCalls(): SettledCalls {
  const cells = new Map<string, CellEntry>();
  const settled = createNotices<CellPlace>();
  let evaluated = new Set<CellEntry>();
  let pass = 0;
  let pendingCells = 0;
  let pendingCalls = 0;

  function evaluate(call: TableCall): CallResult | null {
    const cell = cellOf(call.place);
    cell.pass = pass;
    evaluated.add(cell);
    let entry = cell.calls.get(call.key);
    if (entry === undefined) {
      entry = { start: call.start, result: null, made: 0, underWay: false, unread: false, pass };
      cell.calls.set(call.key, entry);
      make(cell, entry);
    }
    entry.pass = pass;
    entry.unread = false;
    return entry.result;
  }

  function make(cell: CellEntry, entry: Entry): void {
    entry.made += 1;
    count(cell, entry, true);
    const { made } = entry;
    void entry.start().then((result) => {
      if (entry.made !== made || !entry.underWay) return;
      count(cell, entry, false);
      entry.result = result;
      entry.unread = true;
      settled.tell(cell.place);
    });
  }

  function count(cell: CellEntry, entry: Entry, underWay: boolean): void {
    if (entry.underWay === underWay) return;
    entry.underWay = underWay;
    const step = underWay ? 1 : -1;
    pendingCalls += step;
    const before = cell.underWay;
    cell.underWay += step;
    if (before === 0 || cell.underWay === 0) pendingCells += step;
  }

  function drop(cell: CellEntry, key: string, entry: Entry): void {
    count(cell, entry, false);
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
      cell = { place, calls: new Map(), pass, underWay: 0 };
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
      for (const entry of cell.calls.values()) make(cell, entry);
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
    unread() {
      const places: CellPlace[] = [];
      for (const cell of cells.values()) {
        for (const entry of cell.calls.values()) {
          if (!entry.unread) continue;
          places.push(cell.place);
          break;
        }
      }
      return places;
    },
    isPending: (place) => (cells.get(placeKey(place))?.underWay ?? 0) > 0,
    get pendingCells() {
      return pendingCells;
    },
    get pendingCalls() {
      return pendingCalls;
    },
    onSettled: (listener) => void settled.subscribe(listener),
  };
}
