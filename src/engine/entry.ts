/**
 * What the engine holds of one query, an item or a history: the last known answer, how new an answer has to be, who
 * holds it, and the lines of cells that wait. Hundred thousands of them are alive, so one is a few words of plain data:
 * no object or closure per cell.
 * Invariant: a cell stands in exactly one line until it is handed over, once.
 */
import { type Answer, isAnswered, type Outcome, type Waiter } from "./answer";
import { type Asked, type Call, epochOf } from "./call";
import type { ProgressBoard } from "./progress";
import type { Settler } from "./settler";

export type Known<T> = Answer<T> & { readonly asked: Asked };

/** Cells that wait, one behind the other, for an answer of one epoch or a later one. */
export interface Line<T> {
  wantedEpoch: number;
  first: Waiter<T> | null;
  last: Waiter<T> | null;
  cells: number;
}

/** Its own line is of those who want what the latest refresh wants. */
export interface Entry<T, Of = unknown> extends Line<T> {
  /** What tells it from the others of its group: an item's identifier; an event type, "" for a whole history. */
  readonly value: string;
  readonly group: Group<T, Of>;
  /** The last known answer, fresh or not. */
  answer: Known<T> | null;
  /** It waits in its group to be taken by a call. */
  isQueued: boolean;
  /** The calls that hold it, under way or waiting to be sent again; nearly always one. */
  calls: Call | Call[] | null;
  /** Those who asked before the latest refresh, and may be answered by what was sent before it. */
  older: Line<T>[] | null;
}

/** Entries that may travel together, or be answered by one another. */
export interface Group<T, Of = unknown> {
  readonly key: number | string;
  /** What they have in common: the store and item type of items, the history that event types are of. */
  readonly of: Of;
  readonly entries: Map<string, Entry<T, Of>>;
  /** Of its answers. */
  weight: number;
  /** First come first, after those that an edit waits for. */
  waiting: Entry<T, Of>[];
  /** How many at its head an edit waits for. */
  edits: number;
  /** Bits of the sheets that wait for it. */
  sheets: number;
  /** Which of the queues it stands in; -1 for none. */
  queue: number;
  /** Calls that it was last counted with. */
  calls: number;
}

export function newGroup<T, Of>(key: number | string, of: Of): Group<T, Of> {
  return { key, of, entries: new Map(), weight: 0, waiting: [], edits: 0, sheets: 0, queue: -1, calls: 0 };
}

/** One more in this group. */
export function newEntry<T, Of>(group: Group<T, Of>, value: string): Entry<T, Of> {
  const entry: Entry<T, Of> = {
    value,
    group,
    answer: null,
    wantedEpoch: 0,
    first: null,
    last: null,
    cells: 0,
    isQueued: false,
    calls: null,
    older: null,
  };
  group.entries.set(value, entry);
  return entry;
}

export function hasWaiting({ cells, older }: Entry<unknown>): boolean {
  return cells > 0 || older !== null;
}

/** Nobody waits for it and nothing brings it. */
export function isIdle(entry: Entry<unknown>): boolean {
  return !entry.isQueued && entry.calls === null && !hasWaiting(entry);
}

/** The newest epoch of what is still to come; Infinity for what will be sent in the newest, -1 for nothing. */
export function comingEpoch(entry: Entry<unknown>): number {
  const { calls } = entry;
  if (entry.isQueued) return Infinity;
  if (calls === null) return -1;
  if (!Array.isArray(calls)) return epochOf(calls, entry);
  return Math.max(...calls.map((call) => epochOf(call, entry)));
}

export function callsOf({ calls }: Entry<unknown>): readonly Call[] {
  if (calls === null) return [];
  return Array.isArray(calls) ? calls : [calls];
}

export function hold(entry: Entry<unknown>, call: Call): void {
  entry.calls = entry.calls === null ? call : [...callsOf(entry), call];
}

export function letGo(entry: Entry<unknown>, call: Call): void {
  if (entry.calls === call) {
    entry.calls = null;
    return;
  }
  const left = callsOf(entry).filter((other) => other !== call);
  entry.calls = left.length > 1 ? left : (left[0] ?? null);
}

/** Whether a refresh wants more than is known of it. */
export function isOwed({ wantedEpoch }: Entry<unknown>, known: Known<unknown> | null): boolean {
  return wantedEpoch > 0 && (known === null || known.asked.epoch < wantedEpoch);
}

/** The cells that wait: they join lines, a refresh sets a line apart as older, an outcome ends lines. */
export interface Lines<T> {
  /** One more cell, at the end of the entry's own line. */
  stand(entry: Entry<T>, waiter: Waiter<T>): void;
  setQueued(entry: Entry<T>, isQueued: boolean): void;
  /** From now on an answer of an epoch before this one is not fresh. */
  want(entry: Entry<T>, epoch: number): void;
  /** Ends the lines that wait for one of these epochs. */
  end(entry: Entry<T>, epochs: Epochs, outcome: Outcome<T>): void;
}

interface Epochs {
  readonly from: number;
  readonly to: number;
}

/** Keeps the counts on the board, and hands who has ended to the settler. */
export function createLines<T>(board: ProgressBoard, settler: Settler): Lines<T> {
  function want(entry: Entry<T>, epoch: number): void {
    if (epoch <= entry.wantedEpoch) return;
    if (entry.calls !== null && entry.cells > 0) {
      const { wantedEpoch, first, last, cells } = entry;
      entry.older = [...(entry.older ?? []), { wantedEpoch, first, last, cells }];
      clear(entry);
    }
    entry.wantedEpoch = epoch;
  }

  function end(entry: Entry<T>, { from, to }: Epochs, outcome: Outcome<T>): void {
    const ends = ({ wantedEpoch }: Line<T>): boolean => wantedEpoch >= from && wantedEpoch <= to;
    const { older } = entry;
    if (older !== null) {
      const left = older.filter((line) => !ends(line));
      entry.older = left.length > 0 ? left : null;
      for (const line of older) if (ends(line)) endLine(entry, line, outcome);
    }
    if (ends(entry)) endLine(entry, entry, outcome);
  }

  function endLine(entry: Entry<T>, line: Line<T>, outcome: Outcome<T>): void {
    const { first, cells } = line;
    if (first === null) return;
    board.move(placeOf(entry), isAnswered(outcome) ? "done" : "failed", cells);
    clear(line);
    settler.settle(first, outcome);
  }

  return {
    stand(entry, waiter) {
      board.enter(placeOf(entry));
      entry.cells += 1;
      if (entry.last === null) entry.first = waiter;
      else entry.last.next = waiter;
      entry.last = waiter;
    },
    setQueued(entry, isQueued) {
      const from = placeOf(entry);
      entry.isQueued = isQueued;
      if (hasWaiting(entry)) board.move(from, placeOf(entry), cellsOf(entry));
    },
    want,
    end,
  };
}

function placeOf({ isQueued }: Entry<unknown>): "waiting" | "inFlight" {
  return isQueued ? "waiting" : "inFlight";
}

function cellsOf({ cells, older }: Entry<unknown>): number {
  return (older ?? []).reduce((sum, line) => sum + line.cells, cells);
}

function clear<T>(line: Line<T>): void {
  line.first = line.last = null;
  line.cells = 0;
}
