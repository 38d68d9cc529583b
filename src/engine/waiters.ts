/**
 * The cells that wait: those that wait for an entry, and how they are settled. A big answer or a cancel may settle a hundred thousand
 * cells, which would freeze the pane. So at most 2,000 settle in one turn of the event loop. The others follow in the next turns, in
 * the same order. A request whose answer is known is not among them: it has its outcome at once.
 * Invariants: a cell waits for exactly one entry, then moves to the settle queue once. The settle queue settles every cell.
 */
import { type Answer, isAnswered, type Outcome, type Waiter } from "./types";
import type { Clock } from "./clock";
import type { Entry } from "./entry";
import type { ProgressTracker } from "./progress";

type WaitedFor<T> = Pick<Entry<unknown, T>, "minimumEpoch" | "waiters" | "isQueued">;

/** Updates the progress counts and hands cells with their outcome to the settle queue. */
export function createWaitLists<T>(tracker: ProgressTracker, settleQueue: SettleQueue) {
  function add(entry: WaitedFor<T>, waiter: Waiter<T>): void {
    tracker.enter(stageOf(entry));
    waiter.epoch = entry.minimumEpoch;
    if (entry.waiters === null) entry.waiters = waiter;
    else if (Array.isArray(entry.waiters)) entry.waiters.push(waiter);
    else entry.waiters = [entry.waiters, waiter];
  }

  function setQueued(entry: WaitedFor<T>, isQueued: boolean): void {
    const from = stageOf(entry);
    entry.isQueued = isQueued;
    tracker.move(from, stageOf(entry), waitersOf(entry).length);
  }

  /** Settles the cells that wait for one of these epochs, in the order of their requests. */
  function settle(
    entry: WaitedFor<T>,
    { from, to }: { from: number; to: number },
    outcome: Outcome<T>,
  ): void {
    const waiters = waitersOf(entry);
    const rest = waiters.filter(({ epoch }) => epoch < from || epoch > to);
    entry.waiters = rest.length > 1 ? rest : (rest[0] ?? null);
    tracker.move(stageOf(entry), isAnswered(outcome) ? "done" : "failed", waiters.length - rest.length);
    for (const waiter of waiters) {
      if (waiter.epoch >= from && waiter.epoch <= to) settleQueue.settle(waiter, outcome);
    }
  }

  return { add, setQueued, settle };
}

function waitersOf<T>({ waiters }: WaitedFor<T>): readonly Waiter<T>[] {
  if (waiters === null) return [];
  return Array.isArray(waiters) ? waiters : [waiters];
}

function stageOf({ isQueued }: { readonly isQueued: boolean }): "waiting" | "inFlight" {
  return isQueued ? "waiting" : "inFlight";
}

/** Cells settled in one turn: about a millisecond. */
const settledPerTurn = 2_000;

export type SettleQueue = ReturnType<typeof createSettleQueue>;

/** Tells the progress once a turn whether cells wait for a later one. */
export function createSettleQueue(clock: Clock, tracker: Pick<ProgressTracker, "noteSettling" | "changed">) {
  let queue: { readonly waiter: Waiter<unknown>; readonly outcome: Outcome<unknown> }[] = [];
  /** Index of the next one in `queue`. */
  let next = 0;
  let settledNow = 0;
  let isTurnPlanned = false;

  /** Tells the progress in the next turn that cells have settled. */
  function tellProgress(): void {
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
    tellProgress();
    let each = queue[next];
    while (each !== undefined && settledNow < settledPerTurn) {
      next += 1;
      settledNow += 1;
      each.waiter.settle(each.outcome);
      each = queue[next];
    }
    if (each !== undefined) return;
    queue = [];
    next = 0;
  }

  return {
    tellProgress,
    /** Settles the cell: now, or in a later turn if this one is full. */
    settle<T>(waiter: Waiter<T>, outcome: Outcome<T>): void {
      tellProgress();
      if (queue.length === 0 && settledNow < settledPerTurn) {
        settledNow += 1;
        waiter.settle(outcome);
        return;
      }
      queue.push({ waiter, outcome });
      tracker.noteSettling(true);
    },
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
    const waiter: PromiseWaiter<T> = { epoch: 0, resolve, settle: settlePromise };
    const outcome = request(query, waiter, cell);
    if (outcome !== null) waiter.settle(outcome);
  });
}

/** Shared by all promise waiters, so that none needs a closure of its own. */
function settlePromise<T>(this: PromiseWaiter<T>, outcome: Outcome<T>): void {
  this.resolve(isAnswered(outcome) ? outcome : Promise.reject(outcome));
}
