/**
 * Cells that wait stand in lines: they join one, a refresh sets a line apart as older, an outcome ends lines. Who has ended
 * is told by the settleQueue, a few at a time: a big answer, a cancel or a recalculation from the cache could settle a hundred
 * thousand cells at once and freeze the pane for the time that takes. At most 2,000 settle in one turn of the event loop
 * and the rest follow, in order, in the turns after it.
 * Invariants: a cell stands in exactly one line until it is handed over, once. What is handed over is settled, whatever
 * happens next.
 */
import { isAnswered, type Outcome, type Waiter } from "./answer";
import type { Clock } from "./clock";
import { type Entry, hasWaiting, type WaitList } from "./entry";
import type { ProgressTracker } from "./progress";

/** Keeps the counts on the tracker, and hands who has ended to the settleQueue. */
export function createWaitLists<T>(tracker: ProgressTracker, settleQueue: SettleQueue) {
  /** One more cell, at the end of the entry's own line. */
  function add(entry: Entry<T>, waiter: Waiter<T>): void {
    tracker.enter(placeOf(entry));
    entry.cells += 1;
    if (entry.last === null) entry.first = waiter;
    else entry.last.next = waiter;
    entry.last = waiter;
  }

  function setQueued(entry: Entry<T>, isQueued: boolean): void {
    const from = placeOf(entry);
    entry.isQueued = isQueued;
    if (hasWaiting(entry)) tracker.move(from, placeOf(entry), cellsOf(entry));
  }

  /** From now on an answer of an epoch before this one is not fresh. */
  function requireEpoch(entry: Entry<T>, epoch: number): void {
    if (epoch <= entry.wantedEpoch) return;
    if (entry.calls !== null && entry.cells > 0) {
      const { wantedEpoch, first, last, cells } = entry;
      entry.olderWaiters = [...(entry.olderWaiters ?? []), { wantedEpoch, first, last, cells }];
      clear(entry);
    }
    entry.wantedEpoch = epoch;
  }

  /** Ends the lines that wait for one of these epochs. */
  function end(entry: Entry<T>, { from, to }: { from: number; to: number }, outcome: Outcome<T>): void {
    const ends = ({ wantedEpoch }: WaitList<T>): boolean => wantedEpoch >= from && wantedEpoch <= to;
    const { olderWaiters } = entry;
    if (olderWaiters !== null) {
      const left = olderWaiters.filter((line) => !ends(line));
      entry.olderWaiters = left.length > 0 ? left : null;
      for (const line of olderWaiters) if (ends(line)) settleList(entry, line, outcome);
    }
    if (ends(entry)) settleList(entry, entry, outcome);
  }

  function settleList(entry: Entry<T>, line: WaitList<T>, outcome: Outcome<T>): void {
    const { first, cells } = line;
    if (first === null) return;
    tracker.move(placeOf(entry), isAnswered(outcome) ? "done" : "failed", cells);
    clear(line);
    settleQueue.settle(first, outcome);
  }

  return { add, setQueued, requireEpoch, end };
}

function placeOf({ isQueued }: Entry<unknown>): "waiting" | "inFlight" {
  return isQueued ? "waiting" : "inFlight";
}

function cellsOf({ cells, olderWaiters }: Entry<unknown>): number {
  return (olderWaiters ?? []).reduce((sum, line) => sum + line.cells, cells);
}

function clear<T>(line: WaitList<T>): void {
  line.first = line.last = null;
  line.cells = 0;
}

/** Cells settled in one turn: about a millisecond. */
const settledPerTurn = 2_000;

export type SettleQueue = ReturnType<typeof createSettleQueue>;

/** `onDrained` is told when the last cell that had to wait for a later turn has settled. */
export function createSettleQueue(clock: Clock, onDrained: () => void) {
  const lines: Waiter<unknown>[] = [];
  const outcomes: Outcome<unknown>[] = [];
  let head = 0;
  let settledNow = 0;
  let turnBegun = false;

  function beginTurn(): void {
    if (turnBegun) return;
    turnBegun = true;
    clock.nextTurn(endTurn);
  }

  function endTurn(): void {
    turnBegun = false;
    settledNow = 0;
    if (head === lines.length) return;
    beginTurn();
    while (head < lines.length && settledNow < settledPerTurn) {
      const rest = tell(lines[head] as Waiter<unknown>, outcomes[head] as Outcome<unknown>);
      if (rest === null) head += 1;
      else lines[head] = rest;
    }
    if (head === lines.length) {
      lines.length = outcomes.length = head = 0;
      onDrained();
    }
  }

  /** As many of a line as this turn has room for; the first of the others, or null. */
  function tell<T>(first: Waiter<T>, outcome: Outcome<T>): Waiter<T> | null {
    let waiter: Waiter<T> | null = first;
    while (waiter !== null && settledNow < settledPerTurn) {
      const { next }: Waiter<T> = waiter;
      waiter.next = null;
      settledNow += 1;
      waiter.settle(outcome);
      waiter = next;
    }
    return waiter;
  }

  /** Tells the first of a line and all behind it: now, or in later turns as far as this one is full. */
  function settle<T>(first: Waiter<T>, outcome: Outcome<T>): void {
    beginTurn();
    const rest = head === lines.length ? tell(first, outcome) : first;
    if (rest === null) return;
    lines.push(rest);
    outcomes.push(outcome);
  }

  return {
    /** For one that has just asked: its outcome at once, or null when this turn is full and it is told in a later one. */
    give<T>(waiter: Waiter<T>, outcome: Outcome<T>): Outcome<T> | null {
      beginTurn();
      if (head !== lines.length || settledNow >= settledPerTurn) {
        settle(waiter, outcome);
        return null;
      }
      settledNow += 1;
      return outcome;
    },
    settle,
    /** Lines handed over that are not settled to their end. */
    pending: () => lines.length - head,
  };
}
