/**
 * The cells that wait, the same for items and for histories: they join an entry's line, a refresh sets a line apart
 * as older, an outcome ends lines. Keeps the counts on the board, and hands who has ended to the settler.
 * Invariant: a cell stands in exactly one line until it is handed over, once.
 */
import { isAnswered, type Outcome, type Waiter } from "./answer";
import { type Entry, hasWaiting, type Line } from "./entry";
import type { ProgressBoard } from "./progress";
import type { Settler } from "./settler";

export interface Entries<T> {
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

export function createEntries<T>(board: ProgressBoard, settler: Settler): Entries<T> {
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
