/**
 * Lists of waiting cells, and how cells are settled. A cell joins the list of its entry, a refresh sets the cells before it
 * apart as older, and an outcome settles whole lists. A big answer, a cancel or a recalculation from the cache could settle a
 * hundred thousand cells at once and freeze the pane, so at most 2,000 settle in one turn of the event loop; the rest follow
 * in order in the next turns.
 * Invariants: a cell is in exactly one list until it is handed over, once. What is handed over is settled, whatever happens
 * next.
 */
import { isAnswered, type Outcome, type Waiter } from "./answer";
import type { Clock } from "./clock";
import { type Entry, hasWaiting, type WaitList } from "./entry";
import type { ProgressTracker } from "./progress";

/** Updates the progress counts and hands lists with an outcome to the settle queue. */
export function createWaitLists<T>(tracker: ProgressTracker, settleQueue: SettleQueue) {
  /** Appends a cell to the entry's list. */
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

  /** From now on answers of epochs before this one are stale. */
  function requireEpoch(entry: Entry<T>, epoch: number): void {
    if (epoch <= entry.wantedEpoch) return;
    if (entry.calls !== null && entry.cells > 0) {
      const { wantedEpoch, first, last, cells } = entry;
      entry.olderWaiters = [...(entry.olderWaiters ?? []), { wantedEpoch, first, last, cells }];
      clear(entry);
    }
    entry.wantedEpoch = epoch;
  }

  /** Settles the lists that wait for one of these epochs. */
  function end(entry: Entry<T>, { from, to }: { from: number; to: number }, outcome: Outcome<T>): void {
    const isEnded = ({ wantedEpoch }: WaitList<T>): boolean => wantedEpoch >= from && wantedEpoch <= to;
    const { olderWaiters } = entry;
    if (olderWaiters !== null) {
      const left = olderWaiters.filter((list) => !isEnded(list));
      entry.olderWaiters = left.length > 0 ? left : null;
      for (const list of olderWaiters) if (isEnded(list)) settleList(entry, list, outcome);
    }
    if (isEnded(entry)) settleList(entry, entry, outcome);
  }

  function settleList(entry: Entry<T>, list: WaitList<T>, outcome: Outcome<T>): void {
    const { first, cells } = list;
    if (first === null) return;
    tracker.move(placeOf(entry), isAnswered(outcome) ? "done" : "failed", cells);
    clear(list);
    settleQueue.settle(first, outcome);
  }

  return { add, setQueued, requireEpoch, end };
}

function placeOf({ isQueued }: Entry<unknown>): "waiting" | "inFlight" {
  return isQueued ? "waiting" : "inFlight";
}

function cellsOf({ cells, olderWaiters }: Entry<unknown>): number {
  return (olderWaiters ?? []).reduce((sum, list) => sum + list.cells, cells);
}

function clear<T>(list: WaitList<T>): void {
  list.first = list.last = null;
  list.cells = 0;
}

/** Cells settled in one turn: about a millisecond. */
const settledPerTurn = 2_000;

export type SettleQueue = ReturnType<typeof createSettleQueue>;

/** `onDrained` is called when the last cell that had to wait for a later turn has settled. */
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

  /** Settles as many cells of a list as this turn has room for; returns the first of the others, or null. */
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

  /** Settles a list from this cell on: now, or in later turns once this one is full. */
  function settle<T>(first: Waiter<T>, outcome: Outcome<T>): void {
    beginTurn();
    const rest = head === lines.length ? tell(first, outcome) : first;
    if (rest === null) return;
    lines.push(rest);
    outcomes.push(outcome);
  }

  return {
    /** For a cell that has just asked: returns its outcome, or null if this turn is full and a later one settles it. */
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
    /** Number of lists that are not completely settled. */
    pending: () => lines.length - head,
  };
}
