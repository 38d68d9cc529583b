/**
 * The batcher of one operation: turns many cell requests into few calls, and each call's result back into outcomes of cells.
 * It is the same for items and for histories; what differs is in the planner (what is cached and queued) and the codec
 * (requests and responses). The scheduler decides when a call may leave, the sender what a failure leads to.
 * Invariants: a waiting cell gets its answer through its entry's place in the queue or through a call that is new enough and
 * carries the entry, and it is settled once. A newer answer is never replaced by an older one, whatever order they arrive
 * in. A failure removes no cached answer.
 */
import { createWaitLists, type SettleQueue } from "./waiters";
import type { InvError } from "../domain/errors";
import type { Outcome, Waiter } from "./answer";
import {
  type Call,
  newCall,
  expectedEpoch,
  type Entry,
  hasWaiting,
  attach,
  isUnanswered,
  type CachedAnswer,
  detach,
  type Probe,
} from "./entry";
import type { CallResult, ServiceAnswer, Codec } from "./codec";
import type { Clock } from "./clock";
import type { ProgressTracker } from "./progress";
import type { EngineSettings } from "./types";
import type { Planner } from "./planner";
import type { Batcher, CallKind } from "./batcher-types";
import { type Arrivals, requestsOfAnEdit, type Sheets } from "./arrivals";

export interface BatcherOptions<Query, T, Scope, P, A extends ServiceAnswer> {
  readonly clock: Clock;
  readonly settings: () => EngineSettings;
  readonly settleQueue: SettleQueue;
  readonly tracker: ProgressTracker;
  readonly sheets: Sheets;
  readonly arrivals: Arrivals;
  /** Tells the scheduler that something is queued. */
  readonly wake: () => void;
  readonly planner: Planner<Query, T, Scope>;
  readonly codec: Codec<T, Entry<T, Scope>, P, A>;
}

export function createBatcher<Query, T, Scope, P, A extends ServiceAnswer>(
  options: BatcherOptions<Query, T, Scope, P, A>,
): Batcher<Query, T> {
  type E = Entry<T, Scope>;
  const { clock, settings, settleQueue, tracker, sheets, arrivals, planner, codec, wake } = options;
  const { cache, queue } = planner;
  const waitLists = createWaitLists<T>(tracker, settleQueue);
  /** Assembled calls that wait to be sent (again), in this order. */
  const ready: Call<E, P>[] = [];
  /** Queued in this turn of the event loop; more than an edit can cause are not recorded. */
  let askedThisTurn: E[] = [];

  function ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null {
    const nowMs = clock.steadyNow();
    tracker.begin(nowMs);
    const entry = cache.entryOf(query);
    if (isEntryFresh(entry, nowMs)) {
      const answer = planner.cachedAnswerOf(entry);
      if (answer !== null) return giveCached(entry, waiter, answer);
    }
    if (expectedEpoch(entry) < entry.wantedEpoch) ensureCall(entry);
    else if (hasWaiting(entry)) tracker.saved();
    if (entry.isQueued) {
      arrivals.note(nowMs);
      if (askedThisTurn.length <= requestsOfAnEdit) askedThisTurn.push(entry);
      queue.noteSheets(entry, sheets.bitOf(cell));
      wake();
    }
    waitLists.add(entry, waiter);
    return null;
  }

  function giveCached(entry: E, waiter: Waiter<T>, answer: CachedAnswer<T>): Outcome<T> | null {
    tracker.enter("done");
    tracker.saved();
    planner.markShown(entry);
    wake();
    return settleQueue.give(waiter, answer);
  }

  /** Checks both clocks: the steady one stops while the computer sleeps, the system clock may have been set back. */
  function isEntryFresh(entry: E, nowMs = clock.steadyNow()): boolean {
    const source = planner.answerSourceOf(entry);
    const { answer } = source;
    const wantedEpoch = Math.max(entry.wantedEpoch, source.wantedEpoch);
    if (answer === null || answer.sentAt.epoch < wantedEpoch) return false;
    const { freshnessMs } = settings();
    return nowMs - answer.sentAt.atMs < freshnessMs && clock.now() - answer.fetchedAtMs < freshnessMs;
  }

  function giveFresh(): void {
    const fresh = queue.waiting().filter((entry) => isEntryFresh(entry));
    dequeue(fresh);
    for (const entry of fresh) {
      const answer = planner.cachedAnswerOf(entry);
      if (answer !== null) settleAnswered(entry, answer);
    }
  }

  function refresh(queries: readonly Query[], epoch: number): void {
    for (const query of queries) {
      const entry = cache.entryOf(query);
      waitLists.requireEpoch(entry, epoch);
      if (
        isUnanswered(entry, planner.answerSourceOf(entry).answer) &&
        expectedEpoch(entry) < entry.wantedEpoch
      ) {
        ensureCall(entry);
      }
    }
    wake();
  }

  /** Attaches the entry to a call that brings it anyway, or queues it. */
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

  function endTurn(isEdit: boolean): void {
    const asked = askedThisTurn;
    askedThisTurn = [];
    if (isEdit) for (const entry of asked) if (entry.isQueued) queue.prioritize(entry);
  }

  function take(kind: CallKind): Call<E, P> | null {
    const nowMs = clock.steadyNow();
    const at = ready.findIndex((call) => call.notBeforeMs <= nowMs && isOfKind(call, kind));
    if (at >= 0) return ready.splice(at, 1)[0] ?? null;
    if (kind === "probe") return null;
    const next = planner.next(kind);
    return next === null ? null : assemble(newCall<E, P>({ ...next, isEdit: kind === "edit" }));
  }

  function assemble(call: Call<E, P>): Call<E, P> {
    for (const entry of call.entries) {
      if (entry.isQueued) waitLists.setQueued(entry, false);
      attach(entry, call);
    }
    return call;
  }

  function sendProbe(queries: readonly Query[], probe: Probe): Call<E, P> {
    const first = planner.firstOf(queries);
    if (first === null) throw new Error("A probe without queries.");
    const call = assemble(newCall<E, P>({ ...first, isEdit: true, isPartFilled: false, probe }));
    ready.unshift(call);
    return call;
  }

  function fail(call: Call<E, P>, error: InvError): void {
    settleResult(call, codec.unanswered(call, error));
  }

  function settleResult(call: Call<E, P>, result: CallResult<T, E, P>): void {
    const { answered, again, failed, follows } = result;
    endProbe(call, result);
    for (const next of follows) {
      for (const entry of next.reserved) attach(entry, next);
      ready.unshift(next);
    }
    detachAll(call);
    for (const { entry, answer } of answered) settleAnswered(entry, answer);
    planner.callEnded(call, result);
    for (const { entry, error } of failed) settleUnanswered(entry, error);
    requeueWanted(again);
  }

  /** Runs first, so that a refresh continues before anything reacts to its first answers. */
  function endProbe({ probe }: Call<E, P>, { answered, failed, follows }: CallResult<T, E, P>): void {
    if (probe === null) return;
    const [next] = follows;
    if (answered.length === 0 && next !== undefined) next.probe = probe;
    else probe.end(answered.length === 0 ? (failed[0]?.error ?? null) : null);
  }

  function settleAnswered(entry: E, answer: CachedAnswer<T>): void {
    planner.remember(entry, answer);
    // The cached answer may be newer than the one that has just arrived.
    const newest = planner.cachedAnswerOf(entry) ?? answer;
    const to = Math.max(newest.sentAt.epoch, answer.sentAt.epoch);
    if (entry.isQueued && entry.wantedEpoch <= to) dequeue([entry]);
    waitLists.end(entry, { from: 0, to }, newest);
  }

  /** Settles cells that nothing else in flight can answer, with the cached answer or the error. */
  function settleUnanswered(entry: E, error: InvError): void {
    if (hasWaiting(entry)) {
      const last = settings().whenUnanswered === "last-known" ? planner.cachedAnswerOf(entry) : null;
      const outcome = last === null ? error : { ...last, staleBecause: error };
      waitLists.end(entry, { from: expectedEpoch(entry) + 1, to: Infinity }, outcome);
    }
    cache.dropIfIdle(entry);
  }

  function detachAll(call: Call<E, P>): void {
    for (const entry of call.reserved) detach(entry, call);
  }

  function dequeue(entries: readonly E[]): void {
    queue.remove(entries);
    for (const entry of entries) waitLists.setQueued(entry, false);
  }

  /** Queues the entries again that are still wanted and that nothing else brings. */
  function requeueWanted(released: readonly E[]): void {
    const back = released.filter(
      (entry) =>
        expectedEpoch(entry) < entry.wantedEpoch &&
        (hasWaiting(entry) || isUnanswered(entry, planner.cachedAnswerOf(entry))),
    );
    for (const entry of back) waitLists.setQueued(entry, true);
    queue.requeue(back);
    for (const entry of released) cache.dropIfIdle(entry);
  }

  function resend(call: Call<E, P>, place: "requeue" | "first" | "last"): void {
    const { sentAt, probe, continuation } = call;
    const isOvertaken = sentAt !== null && call.entries.some(({ wantedEpoch }) => wantedEpoch > sentAt.epoch);
    // A probe belongs to somebody, and a continuation contains the work of earlier calls: both are sent again as they are.
    if ((place === "requeue" || isOvertaken) && probe === null && continuation === null) {
      detachAll(call);
      requeueWanted(call.entries);
      return;
    }
    call.sentAt = null;
    if (place === "last") ready.push(call);
    else ready.unshift(call);
  }

  function giveUp(call: Call<E, P>, error: InvError): void {
    const at = ready.indexOf(call);
    if (at < 0) return;
    ready.splice(at, 1);
    fail(call, error);
  }

  function failWaiting(error: InvError, sparing?: "probes"): void {
    const spared = ready.filter((call) => sparing === "probes" && call.probe !== null);
    const calls = ready.splice(0, ready.length, ...spared).filter((call) => !spared.includes(call));
    for (const call of calls) fail(call, error);
    const waiting = queue.waiting();
    dequeue(waiting);
    for (const entry of waiting) settleUnanswered(entry, error);
  }

  function lookUp<R>(query: Query, read: (entry: E) => R): R | undefined {
    const entry = planner.find(query);
    return entry === undefined ? undefined : read(entry);
  }

  function readyAtMs(kind: CallKind): number {
    if (kind !== "probe" && queue.isWaiting()) return 0;
    return Math.min(...ready.filter((call) => isOfKind(call, kind)).map((call) => call.notBeforeMs));
  }

  return {
    ask,
    refresh,
    cached: (query) => lookUp(query, planner.cachedAnswerOf) ?? null,
    isFresh: (query) => lookUp(query, isEntryFresh) ?? false,
    isComing: (query) => lookUp(query, (entry) => expectedEpoch(entry) >= entry.wantedEpoch) ?? false,
    giveFresh,
    sendProbe,
    reorder: queue.reorder,
    clear: cache.clear,
    take,
    markSent(call, asked) {
      call.firstSentAtMs ??= asked.atMs;
      call.sentAt = asked;
    },
    build: codec.build,
    receive: codec.receive,
    settle: (call: Call<E, P>, answer: A) => settleResult(call, codec.read(call, answer)),
    fail,
    resend,
    giveUp,
    failWaiting,
    endTurn,
    readyAtMs,
    isWaiting: () => ready.length > 0 || queue.isWaiting(),
    callsWaiting: () => ready.length + queue.callsWaiting(),
  };
}

function isOfKind(call: Call, kind: CallKind): boolean {
  if (kind === "probe") return call.probe !== null;
  return kind === "edit" ? call.isEdit : true;
}
