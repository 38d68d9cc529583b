/**
 * The batcher of one operation: turns many cell requests into few calls, and each call's result back into outcomes of cells. It
 * is the same for items and for histories; a planner and a codec (`planner-and-codec.ts`) contain what differs.
 * `scheduler/decision.ts` decides when a call leaves, `scheduler/consequences.ts` what happens after a failure.
 * Invariants: while a cell waits, its entry is queued or in a call. That call will bring an answer of the epoch that the entry wants. So
 * each cell is settled, once. An older answer never replaces a newer one, in whatever order they arrive. A failure removes no cached
 * answer.
 */
import { createWaitLists, type Arrivals, requestsOfAnEdit } from "./waiters";
import type { InvError } from "../domain/errors";
import type { Outcome, Waiter } from "./types";
import {
  type Call,
  newCall,
  expectedEpoch,
  needsCall,
  type Entry,
  attach,
  isContinuation,
  isOutdated,
  type CachedAnswer,
  detach,
  type CallKind,
  sheetOf,
} from "./entry";
import type { Batch, CallResult, Codec, Planner } from "./planner-and-codec";
import type { ConnectionContext } from "./connection-context";
import type { RefreshRun } from "./refresh-run";

export type Batcher<Query, T> = ReturnType<typeof createBatcher<Query, T>>;

export function createBatcher<Query, T>(
  options: Pick<ConnectionContext, "clock" | "settings" | "settleQueue" | "tracker"> & {
    readonly arrivals: Arrivals;
    /** The latest refresh. */
    readonly run: () => RefreshRun | null;
    /** How old an answer may be that a refresh takes. */
    readonly ownAgeMs: () => number;
    readonly planner: Planner<Query, T>;
    readonly codec: Codec<Query, T>;
  },
) {
  type E = Entry<Query, T>;
  type C = Call<Query, T>;
  const { clock, settings, settleQueue, tracker, arrivals, planner, codec } = options;
  const { cache, queue } = planner;
  const waitLists = createWaitLists<T>(tracker, settleQueue);
  /** Assembled calls that wait to be sent (again), in this order. */
  const ready: C[] = [];
  /** Answers of calls that were sent before the latest clear aren't fresh. */
  let clearedEpoch = 0;
  /** Queued entries that cells requested in this turn. It stops growing once they are too many for an edit. */
  let requestedThisTurn: E[] = [];

  /** Returns a fresh cached answer if this turn has room for it. Otherwise returns null, and the waiter is settled later. */
  function request(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null {
    const nowMs = clock.steadyNow();
    const entry = cache.entryOf(query);
    const run = options.run();
    if (run?.marks(cell) === true) {
      const answer = planner.cachedAnswerOf(entry);
      if (answer !== null && run.accepts(answer)) return settleFromCache(entry, waiter, answer);
      const refusal = run.refusalOf(keyOf(entry));
      if (refusal !== null) return settleRefused(entry, waiter, refusal);
      entry.wantedEpoch = Math.max(entry.wantedEpoch, run.epoch);
    } else if (isEntryFresh(entry, nowMs)) {
      const answer = planner.cachedAnswerOf(entry);
      if (answer !== null) return settleFromCache(entry, waiter, answer);
    }
    join(entry, waiter);
    if (entry.isQueued) {
      arrivals.note(nowMs);
      if (requestedThisTurn.length <= requestsOfAnEdit) requestedThisTurn.push(entry);
      queue.noteSheet(entry.group, sheetOf(cell));
    }
    return null;
  }

  /** Lets the waiter wait for a call that brings the entry. */
  function join(entry: E, waiter: Waiter<T>): void {
    if (needsCall(entry)) ensureCall(entry);
    else if (entry.waiterCount > 0) tracker.saved();
    waitLists.add(entry, waiter);
  }

  function settleFromCache(entry: E, waiter: Waiter<T>, answer: CachedAnswer<T>): Outcome<T> | null {
    tracker.enter("done");
    tracker.saved();
    cache.markUsed(entry.group);
    return settleQueue.settleAtOnce(waiter, answer);
  }

  /** Settles a cell of a refresh whose query has failed: asking again would cost a call for each such cell. */
  function settleRefused(entry: E, waiter: Waiter<T>, refusal: InvError): Outcome<T> | null {
    const outcome = outcomeWithout(entry, refusal);
    tracker.enter("found" in outcome ? "done" : "failed");
    return settleQueue.settleAtOnce(waiter, outcome);
  }

  /** Returns what a cell shows without a new answer. */
  function outcomeWithout(entry: E, error: InvError): Outcome<T> {
    const lastKnown = settings().whenUnanswered === "last-known" ? planner.cachedAnswerOf(entry) : null;
    return lastKnown === null ? error : { ...lastKnown, staleBecause: error };
  }

  /** Checks both clocks: the steady one stops while the computer sleeps, the system clock may have been set back. */
  function isEntryFresh(entry: E, nowMs = clock.steadyNow(), maxAgeMs = settings().freshnessMs): boolean {
    const { answer } = planner.answerSourceOf(entry);
    if (answer === null || answer.sentAt.epoch < clearedEpoch) return false;
    return nowMs - answer.sentAt.atMs < maxAgeMs && clock.now() - answer.fetchedAtMs < maxAgeMs;
  }

  /** Requests each query that has no answer that is new enough for the refresh. Calls `settled` once for each. */
  function refresh(
    queries: readonly Query[],
    run: RefreshRun,
    settled: (query: Query, outcome: Outcome<T>) => void,
  ): void {
    for (const query of queries) {
      const entry = cache.entryOf(query);
      const answer = planner.cachedAnswerOf(entry);
      if (answer !== null && run.accepts(answer)) {
        settled(query, answer);
        continue;
      }
      entry.wantedEpoch = Math.max(entry.wantedEpoch, run.epoch);
      const settle = (outcome: Outcome<T>): void => {
        run.note(keyOf(entry), outcome);
        settled(query, outcome);
      };
      join(entry, { next: null, epoch: 0, settle });
    }
  }

  /** Attaches the entry to a call that will bring it anyway. If there is no such call, queues the entry. */
  function ensureCall(entry: E): void {
    const call = planner.callThatBrings(entry);
    if (call === undefined) {
      waitLists.setQueued(entry, true);
      queue.enqueue(entry);
    } else {
      call.entries.push(entry);
      attach(entry, call);
    }
  }

  /** Called at the end of each turn. If its requests were an edit, they go first. */
  function endTurn(isEdit: boolean): void {
    const requested = requestedThisTurn;
    requestedThisTurn = [];
    if (isEdit) for (const entry of requested) if (entry.isQueued) queue.prioritize(entry);
  }

  /** Returns the next call of this kind, or null. */
  function take(kind: CallKind): C | null {
    const nowMs = clock.steadyNow();
    const at = ready.findIndex((call) => call.notBeforeMs <= nowMs && isOfKind(call, kind));
    if (at >= 0) return ready.splice(at, 1)[0] ?? null;
    const next = planner.next(kind);
    return next === null ? null : assemble(next, kind === "edit");
  }

  function assemble(batch: Batch<Query, T>, isEdit: boolean): C {
    const call = newCall<Query, T>({ ...batch, isEdit });
    for (const entry of call.entries) {
      if (entry.isQueued) waitLists.setQueued(entry, false);
      attach(entry, call);
    }
    return call;
  }

  function endCall(call: C, result: CallResult<Query, T>): void {
    const { answered, requeued, unanswered, follow } = result;
    if (follow !== null) {
      for (const entry of follow.entriesToSettle) attach(entry, follow);
      ready.unshift(follow);
    }
    for (const entry of call.entriesToSettle) detach(entry, call);
    for (const { entry, answer } of answered) settleAnswered(entry, answer);
    planner.callEnded(call, result);
    for (const { entry, error } of unanswered) settleUnanswered(entry, error);
    requeueWanted(requeued, call.isEdit);
  }

  function settleAnswered(entry: E, answer: CachedAnswer<T>): void {
    planner.remember(entry, answer);
    // The cached answer may be newer than the one that has just arrived.
    const newest = planner.cachedAnswerOf(entry) ?? answer;
    const to = Math.max(newest.sentAt.epoch, answer.sentAt.epoch);
    if (entry.isQueued && entry.wantedEpoch <= to) dequeue([entry]);
    waitLists.settle(entry, { from: 0, to }, newest);
  }

  /** Settles the cells that no other call will answer, with the cached answer or the error. */
  function settleUnanswered(entry: E, error: InvError): void {
    if (entry.waiterCount > 0) {
      const outcome = outcomeWithout(entry, error);
      waitLists.settle(entry, { from: expectedEpoch(entry) + 1, to: Infinity }, outcome);
    }
    // Nobody waits for a newer answer any more. So a later request takes a fresh one of an older epoch, and costs nothing.
    if (expectedEpoch(entry) < 0) entry.wantedEpoch = Math.min(entry.wantedEpoch, epochOfAnswer(entry));
    cache.dropIfIdle(entry);
  }

  function epochOfAnswer(entry: E): number {
    return planner.cachedAnswerOf(entry)?.sentAt.epoch ?? 0;
  }

  function dequeue(entries: readonly E[]): void {
    queue.remove(entries);
    for (const entry of entries) waitLists.setQueued(entry, false);
  }

  /** Queues those of the entries again that a cell or a refresh still wants and that no other call brings. */
  function requeueWanted(released: readonly E[], isEdit: boolean): void {
    const wanted = released.filter(
      (entry) =>
        needsCall(entry) && (entry.waiterCount > 0 || isOutdated(entry, planner.cachedAnswerOf(entry))),
    );
    for (const entry of wanted) waitLists.setQueued(entry, true);
    queue.requeue(wanted, isEdit);
    for (const entry of released) cache.dropIfIdle(entry);
  }

  function failCall(call: C, error: InvError): void {
    endCall(call, codec.resultOfFailure(call, error));
  }

  /** Puts a call back among the assembled ones, `first` or `last`. With `requeue`, puts its entries back into the queue. */
  function putBack(call: C, place: "requeue" | "first" | "last"): void {
    const { sentAt } = call;
    // A newer refresh has queued these entries again, so this call would request them twice.
    const isOvertaken = sentAt !== null && call.entries.some(({ wantedEpoch }) => wantedEpoch > sentAt.epoch);
    // A continuation contains the work of earlier calls, so it is sent again as it is.
    if ((place === "requeue" || isOvertaken) && !isContinuation(call)) {
      for (const entry of call.entriesToSettle) detach(entry, call);
      requeueWanted(call.entries, call.isEdit);
      return;
    }
    call.sentAt = null;
    if (place === "last") ready.push(call);
    else ready.unshift(call);
  }

  /** Fails all calls and entries that aren't in flight. Their cells get their last known answers, or the error. */
  function failQueued(error: InvError): void {
    for (const call of ready.splice(0)) failCall(call, error);
    const queued = queue.queued();
    dequeue(queued);
    for (const entry of queued) settleUnanswered(entry, error);
  }

  function find<R>(query: Query, read: (entry: E) => R): R | undefined {
    const entry = planner.find(query);
    return entry === undefined ? undefined : read(entry);
  }

  return {
    request,
    refresh,
    cached: (query: Query) => find(query, planner.cachedAnswerOf) ?? null,
    isFresh: (query: Query) => find(query, (entry) => isEntryFresh(entry)) ?? false,
    /** Whether a call already brings an answer of the wanted epoch, so that requesting it costs no further call. */
    isComing: (query: Query) => find(query, (entry) => !needsCall(entry)) ?? false,
    /** Whether the latest refresh has brought or taken the cached answer. */
    hasNewAnswer: (query: Query) =>
      find(query, (entry) => {
        const answer = planner.cachedAnswerOf(entry);
        return answer !== null && (options.run()?.accepts(answer) ?? false);
      }) ?? false,
    /** Whether a refresh that starts now takes the cached answer. */
    isNewEnough: (query: Query) =>
      find(query, (entry) => isEntryFresh(entry, undefined, options.ownAgeMs())) ?? false,
    reorder: queue.reorder,
    clear(epoch: number): void {
      clearedEpoch = epoch;
      cache.clear(epoch);
    },
    take,
    build: codec.build,
    receive: codec.receive,
    endCall,
    failCall,
    putBack,
    failQueued,
    endTurn,
    /** When `take` returns a call of this kind; Infinity if none waits. */
    readyAtMs(kind: CallKind): number {
      if (queue.has(kind)) return 0;
      return Math.min(...ready.filter((call) => isOfKind(call, kind)).map((call) => call.notBeforeMs));
    },
    hasQueued: () => ready.length > 0 || queue.hasQueued(),
    queuedCalls: () => ready.length + queue.queuedCalls(),
  };
}

/** Stays the same when the cache has dropped the entry and another one is created. */
function keyOf({ group, value }: Entry<unknown, unknown>): string {
  return `${group.key}|${value}`;
}

/** An edit leaves only as one, so that the quota uses up the reservation that let it leave. */
function isOfKind({ isEdit }: { readonly isEdit: boolean }, kind: CallKind): boolean {
  return isEdit === (kind === "edit");
}
