/**
 * The batcher of one operation: it turns many cells' requests into few calls, and each call's result into outcomes of cells. It is
 * the same for items and for histories; a planner and a codec (`planner-and-codec.ts`) contain what differs.
 * `scheduler/decision.ts` decides when a call leaves, `scheduler/consequences.ts` what happens after a failure.
 * Invariants: while a cell waits, its entry is queued, or in a call that will bring an answer of the epoch that the entry wants.
 * So each cell is settled, once. An older answer never replaces a newer one, in whatever order they arrive. A failure removes no
 * cached answer.
 */
import { type Arrivals, requestsOfAnEdit } from "./scheduler/arrivals";
import { createWaitLists } from "./waiters";
import type { InvError } from "../domain/errors";
import type { Query as AnyQuery } from "../domain/records";
import type { Outcome, Waiter } from "./types";
import {
  type Call,
  newCall,
  expectedEpoch,
  needsCall,
  type Entry,
  attach,
  isContinuation,
  type CachedAnswer,
  detach,
  carryingCallsOf,
  epochOf,
} from "./entry";
import { type CallKind, sheetOf } from "./queue";
import type { Batch, CallResult, Codec, Planner } from "./planner-and-codec";
import type { ConnectionContext } from "./connection-context";
import type { EngineRefresh } from "./engine-refresh";

export type Batcher<Query extends AnyQuery, T> = ReturnType<typeof createBatcher<Query, T>>;

export function createBatcher<Query extends AnyQuery, T>(
  options: Pick<
    ConnectionContext,
    "clock" | "environment" | "settings" | "settleQueue" | "tracker" | "unanswered"
  > & {
    readonly arrivals: Arrivals;
    /** The latest refresh. */
    readonly latestRefresh: () => EngineRefresh | null;
    /** How old an answer may be that a refresh takes. */
    readonly ownAgeMs: () => number;
    readonly planner: Planner<Query, T>;
    readonly codec: Codec<Query, T>;
  },
) {
  type E = Entry<Query, T>;
  type C = Call<Query, T>;
  const { clock, settings, settleQueue, tracker, unanswered, arrivals, planner, codec } = options;
  const { cache, queue, wider, queryOf } = planner;
  const environmentId = options.environment.id;
  const waitLists = createWaitLists<T>(tracker, settleQueue);
  /** Calls that wait to be sent: continuations, and calls that failed. In this order. */
  const ready: C[] = [];
  /** Queued entries that cells requested in this turn. It stops growing once they are too many for an edit. */
  let requestedThisTurn: E[] = [];

  /** Returns a fresh cached answer, or the failure of a refresh. Otherwise returns null, and the waiter is settled later. */
  function request(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null {
    const nowMs = clock.steadyNow();
    const entry = cache.entryOf(query);
    const latest = options.latestRefresh();
    const answer = answerOf(entry);
    if (latest?.marks(cell) === true) {
      if (answer !== null && latest.isNew(answer)) return answerFromCache(entry, answer);
      const failure = latest.failureOf(entry, cell);
      if (failure !== null) return failAtOnce(entry, failure);
    }
    if (latest?.isLastStage() === true && latest.marks(cell)) {
      entry.minimumEpoch = Math.max(entry.minimumEpoch, latest.epoch);
    } else if (answer !== null && isYounger(answer, settings().freshnessMs, nowMs)) {
      return answerFromCache(entry, answer);
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
    else if (entry.waiters !== null) tracker.saved();
    waitLists.add(entry, waiter);
  }

  function answerFromCache(entry: E, answer: CachedAnswer<T>): Outcome<T> {
    tracker.enter("done");
    tracker.saved();
    cache.markUsed(entry.group);
    settleQueue.tellProgress();
    return answer;
  }

  /** Returns what a cell of a refresh shows whose query has failed: asking again would cost a call for each such cell. */
  function failAtOnce(entry: E, failure: InvError): Outcome<T> {
    const outcome = outcomeWithout(entry, failure);
    noteUnanswered(entry, failure);
    tracker.enter("found" in outcome ? "done" : "failed");
    settleQueue.tellProgress();
    return outcome;
  }

  /** Returns what a cell shows without a new answer. */
  function outcomeWithout(entry: E, error: InvError): Outcome<T> {
    const lastKnown = settings().whenUnanswered === "last-known" ? answerOf(entry) : null;
    if (lastKnown === null) return error;
    // No spread: a cancel makes a hundred thousand of these, and spreading takes ten times as long.
    return lastKnown.found
      ? { found: true, value: lastKnown.value, fetchedAtMs: lastKnown.fetchedAtMs, staleBecause: error }
      : { found: false, error: lastKnown.error, fetchedAtMs: lastKnown.fetchedAtMs, staleBecause: error };
  }

  /** Returns the cached answer for the entry, however old; if need be a part of the wider entry's. */
  function answerOf(entry: E): CachedAnswer<T> | null {
    if (entry.answer !== null || wider === null) return entry.answer;
    const wide = wider.of(entry)?.answer ?? null;
    return wide === null ? null : wider.partOf(wide, entry);
  }

  /** Checks both clocks: the steady one stops while the computer sleeps, the system clock may have been set back. */
  function isYounger(answer: CachedAnswer<T>, maxAgeMs: number, nowMs = clock.steadyNow()): boolean {
    if (answer.sentAt.epoch < cache.clearedEpoch()) return false;
    return nowMs - answer.sentAt.atMs < maxAgeMs && clock.now() - answer.fetchedAtMs < maxAgeMs;
  }

  /** Requests each query that has no answer that is new enough for the refresh. Calls `settled` once for each. */
  function refresh(
    queries: readonly Query[],
    engineRefresh: EngineRefresh,
    settled: (query: Query, outcome: Outcome<T>) => void,
  ): void {
    for (const query of queries) {
      const entry = cache.entryOf(query);
      const answer = answerOf(entry);
      if (answer !== null && engineRefresh.isNew(answer)) {
        settled(query, answer);
        continue;
      }
      entry.minimumEpoch = Math.max(entry.minimumEpoch, engineRefresh.epoch);
      const settle = (outcome: Outcome<T>): void => {
        engineRefresh.note(entry, outcome);
        settled(query, outcome);
      };
      join(entry, { epoch: 0, settle });
    }
  }

  /** Attaches the entry to a call that will bring it anyway. If there is no such call, queues the entry. */
  function ensureCall(entry: E): void {
    const call = callOfWider(entry);
    if (call === undefined) {
      waitLists.setQueued(entry, true);
      queue.enqueue(entry);
    } else {
      call.entries.push(entry);
      attach(entry, call);
    }
  }

  /** Returns the wider entry's call if the entry may join it and its answer will be new enough. */
  function callOfWider(entry: E): C | undefined {
    const wide = wider?.of(entry);
    if (wide === undefined || wider?.mayJoin(wide) !== true) return undefined;
    return carryingCallsOf(wide).find((call) => epochOf(call, wide) >= entry.minimumEpoch);
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
    const { answered, requeued, unanswered, continuation } = result;
    if (continuation !== null) {
      for (const entry of continuation.entriesToSettle) attach(entry, continuation);
      ready.unshift(continuation);
    }
    for (const entry of call.entriesToSettle) detach(entry, call);
    for (const { entry, answer } of answered) settleAnswered(entry, answer);
    planner.callEnded(call, result);
    for (const { entry, error } of unanswered) settleUnanswered(entry, error);
    requeueWanted(requeued, call.isEdit);
  }

  function noteUnanswered(entry: E, error: InvError): void {
    unanswered.note(queryOf(entry), error, environmentId);
  }

  function settleAnswered(entry: E, answer: CachedAnswer<T>): void {
    planner.remember(entry, answer);
    if (unanswered.queries.size > 0) unanswered.forget(queryOf(entry), environmentId);
    // The cached answer may be newer than the one that has just arrived.
    const newest = answerOf(entry) ?? answer;
    const to = Math.max(newest.sentAt.epoch, answer.sentAt.epoch);
    if (entry.isQueued && entry.minimumEpoch <= to) {
      queue.remove(entry);
      waitLists.setQueued(entry, false);
    }
    waitLists.settle(entry, { from: 0, to }, newest);
  }

  /** Settles the cells that no other call will answer, with the cached answer or the error. */
  function settleUnanswered(entry: E, error: InvError): void {
    if (expectedEpoch(entry) < 0) noteUnanswered(entry, error);
    if (entry.waiters !== null) {
      const outcome = outcomeWithout(entry, error);
      waitLists.settle(entry, { from: expectedEpoch(entry) + 1, to: Infinity }, outcome);
    }
    // Nobody waits for a newer answer any more. So a later request takes a fresh one of an older epoch, and costs nothing.
    if (expectedEpoch(entry) < 0) {
      const leastEpoch = Math.max(answerOf(entry)?.sentAt.epoch ?? 0, cache.clearedEpoch());
      entry.minimumEpoch = Math.min(entry.minimumEpoch, leastEpoch);
    }
    cache.dropIfIdle(entry);
  }

  /** Queues those of the entries again that a cell or a refresh still waits for and that no other call brings. */
  function requeueWanted(released: readonly E[], isEdit: boolean): void {
    const stillNeeded = released.filter((entry) => needsCall(entry) && entry.waiters !== null);
    for (const entry of stillNeeded) waitLists.setQueued(entry, true);
    queue.requeue(stillNeeded, isEdit);
    for (const entry of released) cache.dropIfIdle(entry);
  }

  function failCall(call: C, error: InvError): void {
    endCall(call, codec.resultOfFailure(call, error));
  }

  /** Puts a call back among the assembled ones, `first` or `last`. With `requeue`, puts its entries back into the queue. */
  function putBack(call: C, place: "requeue" | "first" | "last"): void {
    const { sentAt } = call;
    // A newer refresh has queued these entries again, so this call would request them twice.
    const isOvertaken =
      sentAt !== null && call.entries.some(({ minimumEpoch }) => minimumEpoch > sentAt.epoch);
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
    for (const entry of queue.takeAll()) {
      waitLists.setQueued(entry, false);
      settleUnanswered(entry, error);
    }
  }

  /** Reads the query's entry if there is one in its group: a part of a cached history was perhaps never requested. */
  function read<R>(query: Query, readEntry: (entry: E) => R): R | null {
    if (cache.groupOf(query) === undefined) return null;
    const entry = cache.entryOf(query);
    const result = readEntry(entry);
    cache.dropIfIdle(entry);
    return result;
  }

  function cached(query: Query): CachedAnswer<T> | null {
    return read(query, answerOf);
  }

  function isCached(query: Query, test: (answer: CachedAnswer<T>) => boolean): boolean {
    const answer = cached(query);
    return answer !== null && test(answer);
  }

  return {
    request,
    refresh,
    cached,
    isFresh: (query: Query) => isCached(query, (answer) => isYounger(answer, settings().freshnessMs)),
    /** Whether a call already brings an answer of the wanted epoch, so that requesting it costs no further call. */
    isComing: (query: Query) => read(query, (entry) => !needsCall(entry)) ?? false,
    /** Whether the latest refresh has brought or taken the cached answer. */
    hasNewAnswer: (query: Query) =>
      isCached(query, (answer) => options.latestRefresh()?.isNew(answer) ?? false),
    /** Returns how the latest refresh's request for this query has ended; null if it hasn't, or if the refresh hasn't asked. */
    refreshOutcome(query: Query): "new" | InvError | null {
      const latest = options.latestRefresh();
      if (latest === null) return null;
      const entry = cache.entryOf(query);
      const answer = answerOf(entry);
      const outcome = answer !== null && latest.isNew(answer) ? "new" : latest.failureOf(entry);
      cache.dropIfIdle(entry);
      return outcome;
    },
    /** Whether a refresh that starts now takes the cached answer. */
    isNewEnough: (query: Query) => isCached(query, (answer) => isYounger(answer, options.ownAgeMs())),
    reorder: queue.reorder,
    clear: cache.clear,
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

/** An edit leaves only as one, because a team's server gives edits a time of their own. */
function isOfKind({ isEdit }: { readonly isEdit: boolean }, kind: CallKind): boolean {
  return isEdit === (kind === "edit");
}
