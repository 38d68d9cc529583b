/**
 * The cells that wait: the list of those that wait for an entry, and how they are settled. A big answer, a cancel or a recalculation
 * from the cache may settle a hundred thousand cells, which would freeze the pane. So at most 2,000 settle in one turn of the event
 * loop. The others follow in the next turns, in the same order.
 * Invariants: a cell is in exactly one list, then moves to the settle queue once. The settle queue settles every cell.
 */
import { type Answer, isAnswered, type Outcome, type Waiter } from "./types";
import type { Clock } from "./clock";
import type { Entry } from "./entry";
import type { ProgressTracker } from "./progress";

type WaitedFor<T> = Pick<
  Entry<unknown, T>,
  "wantedEpoch" | "firstWaiter" | "lastWaiter" | "waiterCount" | "isQueued"
>;

/** Updates the progress counts and hands cells with their outcome to the settle queue. */
export function createWaitLists<T>(tracker: ProgressTracker, settleQueue: SettleQueue) {
  function add(entry: WaitedFor<T>, waiter: Waiter<T>): void {
    tracker.enter(stageOf(entry));
    waiter.epoch = entry.wantedEpoch;
    if (entry.lastWaiter === null) entry.firstWaiter = waiter;
    else entry.lastWaiter.next = waiter;
    entry.lastWaiter = waiter;
    entry.waiterCount += 1;
  }

  function setQueued(entry: WaitedFor<T>, isQueued: boolean): void {
    const from = stageOf(entry);
    entry.isQueued = isQueued;
    tracker.move(from, stageOf(entry), entry.waiterCount);
  }

  /** Settles the cells that wait for one of these epochs. The list is in the order of epochs. */
  function settle(
    entry: WaitedFor<T>,
    { from, to }: { from: number; to: number },
    outcome: Outcome<T>,
  ): void {
    let before: Waiter<T> | null = null;
    let first = entry.firstWaiter;
    while (first !== null && first.epoch < from) {
      before = first;
      first = first.next;
    }
    if (first === null || first.epoch > to) return;
    let last = first;
    let count = 1;
    while (last.next !== null && last.next.epoch <= to) {
      last = last.next;
      count += 1;
    }
    if (before === null) entry.firstWaiter = last.next;
    else before.next = last.next;
    if (last.next === null) entry.lastWaiter = before;
    last.next = null;
    entry.waiterCount -= count;
    tracker.move(stageOf(entry), isAnswered(outcome) ? "done" : "failed", count);
    settleQueue.settle(first, outcome);
  }

  return { add, setQueued, settle };
}

function stageOf({ isQueued }: { readonly isQueued: boolean }): "waiting" | "inFlight" {
  return isQueued ? "waiting" : "inFlight";
}

/** Cells settled in one turn: about a millisecond. */
const settledPerTurn = 2_000;

export type SettleQueue = ReturnType<typeof createSettleQueue>;

/** Tells the progress once a turn whether cells wait for a later one. */
export function createSettleQueue(clock: Clock, tracker: Pick<ProgressTracker, "noteSettling" | "changed">) {
  let queue: { waiter: Waiter<unknown>; readonly outcome: Outcome<unknown> }[] = [];
  let settledNow = 0;
  let isTurnPlanned = false;

  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    clock.nextTurn(runTurn);
  }

  function runTurn(): void {
    isTurnPlanned = false;
    settledNow = 0;
    if (queue.length > 0) settleQueued();
    tracker.noteSettling(queue.length > 0);
    tracker.changed();
  }

  function settleQueued(): void {
    planTurn();
    let done = 0;
    for (const each of queue) {
      const rest = settleSome(each.waiter, each.outcome);
      if (rest !== null) {
        each.waiter = rest;
        break;
      }
      done += 1;
    }
    queue = queue.slice(done);
  }

  /** Settles as many cells of a list as this turn has room for. Returns the first cell that is left, or null. */
  function settleSome<T>(first: Waiter<T>, outcome: Outcome<T>): Waiter<T> | null {
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
    planTurn();
    const waiter = queue.length === 0 ? settleSome(first, outcome) : first;
    if (waiter === null) return;
    queue.push({ waiter, outcome });
    tracker.noteSettling(true);
  }

  return {
    /** Returns the outcome for a cell's new request. If this turn is full, returns null, and a later turn settles the cell. */
    settleAtOnce<T>(waiter: Waiter<T>, outcome: Outcome<T>): Outcome<T> | null {
      planTurn();
      if (queue.length > 0 || settledNow >= settledPerTurn) {
        settle(waiter, outcome);
        return null;
      }
      settledNow += 1;
      return outcome;
    },
    settle,
  };
}

/** Returns the outcome if it is known now. Otherwise returns null and settles the waiter later. */
export type RequestQuery<Query, T> = (
  query: Query,
  waiter: Waiter<T>,
  cell: string | undefined,
) => Outcome<T> | null;

interface PromiseWaiter<T> extends Waiter<T> {
  readonly resolve: (answer: Answer<T> | Promise<never>) => void;
}

/** Returns the query's answer as a promise, which rejects with the InvError if there is none. */
export function requestAsPromise<Query, T>(
  request: RequestQuery<Query, T>,
  query: Query,
  cell: string | undefined,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    const waiter: PromiseWaiter<T> = { next: null, epoch: 0, resolve, settle: settlePromise };
    const outcome = request(query, waiter, cell);
    if (outcome !== null) waiter.settle(outcome);
  });
}

/** Shared by all promise waiters, so that none needs a closure of its own. */
function settlePromise<T>(this: PromiseWaiter<T>, outcome: Outcome<T>): void {
  this.resolve(isAnswered(outcome) ? outcome : Promise.reject(outcome));
}
