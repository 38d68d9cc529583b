/**
 * The lane: the way of one operation's queries, from a cell's request to the call that holds it and back to the
 * cell. It owns asking, waiting, taking and settling, the same for items and for histories; what differs is behind the
 * wire and the index. When a call may leave is `admission`'s, what a failure leads to `sender`'s.
 * Invariants: a cell that waits is brought an answer by its entry's place in the index or by a call that holds the
 * entry and is new enough, and ends once. A newer answer is never replaced by an older one, in whatever order they
 * arrive. What fails takes nothing away.
 */
import { createLines } from "./lines";
import type { InvError } from "../domain/errors";
import type { Outcome, Waiter } from "./answer";
import {
  type Call,
  newCall,
  comingEpoch,
  type Entry,
  hasWaiting,
  hold,
  isOwed,
  type Known,
  letGo,
  type Canary,
} from "./entry";
import type {
  CallKind,
  ConnectionTools,
  Lane,
  ServiceAnswer,
  WaitingIndex,
  Reading,
  Wire,
} from "./lane-types";
import { type Arrivals, requestsOfAnEdit } from "./arrivals";

export interface LaneOptions<Query, T, Of, P, A extends ServiceAnswer> extends Pick<
  ConnectionTools,
  "clock" | "settings" | "settler" | "board" | "sheets"
> {
  readonly arrivals: Arrivals;
  /** Something waits. */
  readonly wake: () => void;
  readonly index: WaitingIndex<Query, T, Of>;
  readonly wire: Wire<T, Entry<T, Of>, P, A>;
}

export function createLane<Query, T, Of, P, A extends ServiceAnswer>(
  options: LaneOptions<Query, T, Of, P, A>,
): Lane<Query, T> {
  type E = Entry<T, Of>;
  const { clock, settings, settler, board, sheets, arrivals, index, wire, wake } = options;
  const { groups, queues } = index;
  const lines = createLines<T>(board, settler);
  /** Calls that have been made up and wait to leave, in this order. */
  const ready: Call<E, P>[] = [];
  /** Asked for in this turn, as far as an edit may reach. */
  let ofThisTurn: E[] = [];

  function ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null {
    const nowMs = clock.steadyNow();
    board.begin(nowMs);
    const entry = groups.entryOf(query);
    if (isEntryFresh(entry)) {
      const answer = index.known(entry);
      if (answer !== null) return giveAgain(entry, waiter, answer);
    }
    if (comingEpoch(entry) < entry.wantedEpoch) wantCall(entry);
    else if (hasWaiting(entry)) board.saved();
    if (entry.isQueued) {
      arrivals.note(nowMs);
      if (ofThisTurn.length <= requestsOfAnEdit) ofThisTurn.push(entry);
      queues.noteSheets(entry, sheets.bitOf(cell));
      wake();
    }
    lines.stand(entry, waiter);
    return null;
  }

  function giveAgain(entry: E, waiter: Waiter<T>, answer: Known<T>): Outcome<T> | null {
    board.enter("done");
    board.saved();
    index.shown(entry);
    wake();
    return settler.give(waiter, answer);
  }

  /** By both clocks: one stands while the computer sleeps, the other may have been set back. */
  function isEntryFresh(entry: E): boolean {
    const source = index.sourceOf(entry);
    const { answer } = source;
    if (answer === null || answer.asked.epoch < Math.max(entry.wantedEpoch, source.wantedEpoch)) return false;
    const { freshnessMs } = settings();
    return (
      clock.steadyNow() - answer.asked.atMs < freshnessMs && clock.now() - answer.fetchedAtMs < freshnessMs
    );
  }

  function giveFresh(): void {
    const fresh = queues.waiting().filter(isEntryFresh);
    leaveIndex(fresh);
    for (const entry of fresh) {
      const answer = index.known(entry);
      if (answer !== null) settleAnswered(entry, answer);
    }
  }

  function refresh(queries: readonly Query[], epoch: number): void {
    for (const query of queries) {
      const entry = groups.entryOf(query);
      lines.want(entry, epoch);
      if (isOwed(entry, index.sourceOf(entry).answer) && comingEpoch(entry) < entry.wantedEpoch) {
        wantCall(entry);
      }
    }
    wake();
  }

  /** A call that brings it anyway, or a place in the index. */
  function wantCall(entry: E): void {
    const call = index.callAlong(entry);
    if (call === undefined) {
      lines.setQueued(entry, true);
      queues.join(entry);
    } else {
      call.entries.push(entry);
      hold(entry, call);
    }
  }

  function endTurn(isEdit: boolean): void {
    const asked = ofThisTurn;
    ofThisTurn = [];
    if (isEdit) for (const entry of asked) if (entry.isQueued) queues.hurry(entry);
  }

  function take(kind: CallKind): Call<E, P> | null {
    const nowMs = clock.steadyNow();
    const at = ready.findIndex((call) => call.notBeforeMs <= nowMs && isOfKind(call, kind));
    if (at >= 0) return ready.splice(at, 1)[0] ?? null;
    if (kind === "canary") return null;
    const next = index.next(kind);
    return next === null ? null : makeUp(newCall<E, P>({ ...next, isEdit: kind === "edit" }));
  }

  function makeUp(call: Call<E, P>): Call<E, P> {
    for (const entry of call.entries) {
      if (entry.isQueued) lines.setQueued(entry, false);
      hold(entry, call);
    }
    return call;
  }

  function sendCanary(queries: readonly Query[], canary: Canary): Call<E, P> {
    const first = index.firstOf(queries);
    if (first === null) throw new Error("A canary of nothing.");
    const call = makeUp(newCall<E, P>({ ...first, isEdit: true, isPartFilled: false, canary }));
    ready.unshift(call);
    return call;
  }

  function fail(call: Call<E, P>, error: InvError): void {
    settleReading(call, wire.unanswered(call, error));
  }

  function settleReading(call: Call<E, P>, reading: Reading<T, E, P>): void {
    const { answered, again, failed, follows } = reading;
    endCanary(call, reading);
    for (const next of follows) {
      for (const entry of next.held) hold(entry, next);
      ready.unshift(next);
    }
    letGoOf(call);
    for (const { entry, answer } of answered) settleAnswered(entry, answer);
    index.ended(call, reading);
    for (const { entry, error } of failed) settleUnanswered(entry, error);
    release(again);
  }

  /** First of all, so that a refresh goes on before those who hear of its first answers. */
  function endCanary({ canary }: Call<E, P>, { answered, failed, follows }: Reading<T, E, P>): void {
    if (canary === null) return;
    const [next] = follows;
    if (answered.length === 0 && next !== undefined) next.canary = canary;
    else canary.end(answered.length === 0 ? (failed[0]?.error ?? null) : null);
  }

  function settleAnswered(entry: E, answer: Known<T>): void {
    index.remember(entry, answer);
    // What is known may be newer than what has arrived.
    const newest = index.known(entry) ?? answer;
    const to = Math.max(newest.asked.epoch, answer.asked.epoch);
    if (entry.isQueued && entry.wantedEpoch <= to) leaveIndex([entry]);
    lines.end(entry, { from: 0, to }, newest);
  }

  /** Cells that nothing else under way can answer get the last known answer, or the reason. */
  function settleUnanswered(entry: E, error: InvError): void {
    if (hasWaiting(entry)) {
      const last = settings().whenUnanswered === "last-known" ? index.known(entry) : null;
      const outcome = last === null ? error : { ...last, staleBecause: error };
      lines.end(entry, { from: comingEpoch(entry) + 1, to: Infinity }, outcome);
    }
    groups.tidy(entry);
  }

  function letGoOf(call: Call<E, P>): void {
    for (const entry of call.held) letGo(entry, call);
  }

  function leaveIndex(entries: readonly E[]): void {
    queues.leave(entries);
    for (const entry of entries) lines.setQueued(entry, false);
  }

  /** Those that are still wanted, and that nothing else brings, wait again. */
  function release(released: readonly E[]): void {
    const back = released.filter(
      (entry) =>
        comingEpoch(entry) < entry.wantedEpoch && (hasWaiting(entry) || isOwed(entry, index.known(entry))),
    );
    for (const entry of back) lines.setQueued(entry, true);
    queues.rejoin(back);
    for (const entry of released) groups.tidy(entry);
  }

  function sendAgain(call: Call<E, P>, place: "anew" | "first" | "last"): void {
    const { asked, canary, goesOn } = call;
    const isOvertaken = asked !== null && call.entries.some(({ wantedEpoch }) => wantedEpoch > asked.epoch);
    // A canary is somebody's, and what goes on from other calls stands for them.
    if ((place === "anew" || isOvertaken) && canary === null && goesOn === null) {
      letGoOf(call);
      release(call.entries);
      return;
    }
    call.asked = null;
    if (place === "last") ready.push(call);
    else ready.unshift(call);
  }

  function giveUp(call: Call<E, P>, error: InvError): void {
    const at = ready.indexOf(call);
    if (at < 0) return;
    ready.splice(at, 1);
    fail(call, error);
  }

  function failWaiting(error: InvError, sparing?: "canaries"): void {
    const spared = ready.filter((call) => sparing === "canaries" && call.canary !== null);
    const calls = ready.splice(0, ready.length, ...spared).filter((call) => !spared.includes(call));
    for (const call of calls) fail(call, error);
    const waiting = queues.waiting();
    leaveIndex(waiting);
    for (const entry of waiting) settleUnanswered(entry, error);
  }

  function lookUp<R>(query: Query, read: (entry: E) => R): R | undefined {
    const entry = index.find(query);
    return entry === undefined ? undefined : read(entry);
  }

  function readyAtMs(kind: CallKind): number {
    if (kind !== "canary" && queues.isWaiting()) return 0;
    return Math.min(...ready.filter((call) => isOfKind(call, kind)).map((call) => call.notBeforeMs));
  }

  return {
    ask,
    refresh,
    known: (query) => lookUp(query, index.known) ?? null,
    isFresh: (query) => lookUp(query, isEntryFresh) ?? false,
    isComing: (query) => lookUp(query, (entry) => comingEpoch(entry) >= entry.wantedEpoch) ?? false,
    giveFresh,
    sendCanary,
    reorder: queues.reorder,
    clear: groups.clear,
    take,
    left(call, asked) {
      call.firstSentAtMs ??= asked.atMs;
      call.asked = asked;
    },
    build: wire.build,
    receive: wire.receive,
    settle: (call: Call<E, P>, answer: A) => settleReading(call, wire.read(call, answer)),
    fail,
    sendAgain,
    giveUp,
    failWaiting,
    endTurn,
    readyAtMs,
    isWaiting: () => ready.length > 0 || queues.isWaiting(),
    callsWaiting: () => ready.length + queues.callsWaiting(),
  };
}

function isOfKind(call: Call, kind: CallKind): boolean {
  if (kind === "canary") return call.canary !== null;
  return kind === "edit" ? call.isEdit : true;
}
