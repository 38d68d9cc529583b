/**
 * Whose call of an account is sent next, and when. INV's own pages share the quota by this rule:
 *
 *     edit    a person's first 12 calls in 60 seconds for a cell that they typed; every other call is bulk
 *     kept    for edits: min(0.9 x limit, min(20, limit / 10) + 1.25 x edits a minute)
 *     order   edits before bulk; in each, the person with the fewest calls in the last 60 seconds, then the oldest call
 *     an edit leaves if fewer calls than the limit count, and fewer edits than 0.9 x limit, or no bulk waits
 *     bulk    leaves if fewer calls than the limit count, and less bulk than limit - kept. If several people ask, it also keeps an
 *             even pace, with a burst of limit / 20
 *
 * A call waits here for two seconds: the page needs its connection for edits. Then it is rejected with the time of the next opening.
 * A person is a page's token, or whoever has signed in, with all their pages. The limit is lower for a while after a 429 of the service.
 * Invariant: every call that arrives is sent, cancelled or rejected within two seconds, and only once.
 */
import { type CallWindow, createCallWindow } from "../../domain/call-window";
import { createThrottle } from "../../domain/pacing";

export interface Asker {
  readonly person: string;
  /** Whether the person has just typed the cell. */
  readonly isEdit: boolean;
}

export type Kind = "edit" | "bulk";

/** What counts in the last 60 seconds: in this process, or in Redis. */
export interface Room {
  used(kind: Kind, nowMs: number): number;
  /** How many edits a minute there are: those of the last 60 seconds, or three times those of the last 20 if these are more. */
  editsAMinute(nowMs: number): number;
  /** The earliest time at which this many calls, of one kind or of both, no longer count. */
  leaveAtMs(count: number, kind: Kind | null, nowMs: number): number;
  sent(kind: Kind): void;
  ended(kind: Kind, nowMs: number): void;
  withdrawn(kind: Kind): void;
  /** When the next bulk call would be on time if the pace had no burst. */
  paceAtMs: number;
}

export type CallEvent =
  | { readonly kind: "arrived"; readonly id: string; readonly asker: Asker }
  | { readonly kind: "cancelled"; readonly id: string }
  /** The last step sent it, but calls of other servers have taken the room. */
  | { readonly kind: "denied"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly end: CallEnd };

export type CallEnd =
  /** The service answered 429. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number | null }
  | { readonly kind: "answered" }
  /** A network error, or the page left. */
  | { readonly kind: "failed" };

export interface Decisions {
  readonly send: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly retryAfterMs: number }[];
  /** When the passing of time may change something; null while no call waits. */
  readonly checkAgainInMs: number | null;
  readonly usage: QuotaUsage;
}

export interface QuotaUsage {
  /** Calls that count in the present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

/** What bulk calls must respect now. */
export interface BulkBounds {
  readonly maxCalls: number;
  /** Between two calls of an even pace; 0 if a single person asks. */
  readonly intervalMs: number;
  /** How far ahead of the pace a call may leave. */
  readonly burstMs: number;
}

export type Turns = ReturnType<typeof createTurns>;

const editsOfAPerson = 12;
const holdMs = 2_000;
/** More waiting calls than this are a fault, not a team. */
const longestQueue = 1_000;
/** Nobody comes back sooner, because whose turn it is then depends on others; nor later than a window. */
const shortestRetryMs = 1_000;
const longestRetryMs = 60_000;
const rememberedMs = 60_000;

interface WaitingCall {
  readonly asker: Asker;
  readonly untilMs: number;
  /** Lower for older calls. */
  readonly number: number;
}

interface SentCall extends WaitingCall {
  readonly kind: Kind;
  readonly sentAtMs: number;
}

interface Person {
  readonly calls: CallWindow;
  readonly edits: CallWindow;
  waiting: number;
  askedAtMs: number;
}

export function createTurns(limit: number, room: Room, random: () => number) {
  const throttle = createThrottle(limit, random);
  const queue = new Map<string, WaitingCall>();
  const inFlight = new Map<string, SentCall>();
  const people = new Map<string, Person>();
  let arrivals = 0;

  function step(events: readonly CallEvent[], nowMs: number): Decisions {
    for (const event of events) apply(event, nowMs);
    for (const [name, { calls, waiting, askedAtMs }] of people) {
      const isOver = waiting === 0 && askedAtMs <= nowMs - rememberedMs && calls.used(nowMs) === 0;
      if (isOver) people.delete(name);
    }
    const send = sendDue(nowMs);
    const rejected = rejectOverdue(nowMs);
    return { send, rejected, checkAgainInMs: nextCheckInMs(nowMs), usage: usage(nowMs) };
  }

  function apply(event: CallEvent, nowMs: number): void {
    const { id } = event;
    if (event.kind === "arrived") arrive(id, event.asker, nowMs);
    else if (event.kind === "ended") end(id, event.end, nowMs);
    else if (queue.has(id)) dequeue(id);
    else {
      const call = withdraw(id);
      if (event.kind === "denied" && call !== null) enqueue(id, call);
    }
  }

  function arrive(id: string, asker: Asker, nowMs: number): void {
    const person = personOf(asker);
    const isFull = queue.size >= longestQueue || person.waiting >= longestQueue / 3;
    person.askedAtMs = nowMs;
    enqueue(id, { asker, untilMs: isFull ? nowMs : nowMs + holdMs, number: (arrivals += 1) });
  }

  function personOf({ person: name }: Asker): Person {
    let person = people.get(name);
    if (person === undefined) {
      person = { calls: createCallWindow(), edits: createCallWindow(), waiting: 0, askedAtMs: -Infinity };
      people.set(name, person);
    }
    return person;
  }

  function enqueue(id: string, call: WaitingCall): void {
    queue.set(id, call);
    personOf(call.asker).waiting += 1;
  }

  function dequeue(id: string): void {
    const call = queue.get(id);
    if (call === undefined) return;
    queue.delete(id);
    personOf(call.asker).waiting -= 1;
  }

  function end(id: string, how: CallEnd, nowMs: number): void {
    const call = inFlight.get(id);
    if (call === undefined) return;
    inFlight.delete(id);
    const { calls, edits } = personOf(call.asker);
    calls.ended(nowMs);
    if (call.kind === "edit") edits.ended(nowMs);
    room.ended(call.kind, nowMs);
    if (how.kind === "answered") throttle.succeeded();
    if (how.kind !== "throttled") return;
    const { retryAfterMs } = how;
    throttle.refused({ nowMs, sentAtMs: call.sentAtMs, used: used(nowMs), retryAfterMs });
  }

  /** The call was never sent, so it doesn't count. */
  function withdraw(id: string): SentCall | null {
    const call = inFlight.get(id);
    if (call === undefined) return null;
    inFlight.delete(id);
    const { calls, edits } = personOf(call.asker);
    calls.withdrawn();
    if (call.kind === "edit") edits.withdrawn();
    room.withdrawn(call.kind);
    return call;
  }

  function sendDue(nowMs: number): readonly string[] {
    const sent: string[] = [];
    for (;;) {
      const waiting = waitingByKind(nowMs);
      const next = (["edit", "bulk"] as const).find(
        (kind) => waiting[kind] !== null && isOpen(kind, waiting, nowMs),
      );
      const id = next === undefined ? null : waiting[next];
      if (next === undefined || id === null) return sent;
      send(id, next, nowMs);
      sent.push(id);
    }
  }

  /** The waiting call of each kind that is next. */
  function waitingByKind(nowMs: number): Readonly<Record<Kind, string | null>> {
    const next: Record<Kind, { id: string; calls: number; number: number } | null> = {
      edit: null,
      bulk: null,
    };
    for (const [id, { asker, number }] of queue) {
      const kind = kindOf(asker, nowMs);
      const calls = personOf(asker).calls.used(nowMs);
      const best = next[kind];
      if (best === null || calls < best.calls || (calls === best.calls && number < best.number)) {
        next[kind] = { id, calls, number };
      }
    }
    return { edit: next.edit?.id ?? null, bulk: next.bulk?.id ?? null };
  }

  function kindOf(asker: Asker, nowMs: number): Kind {
    return asker.isEdit && personOf(asker).edits.used(nowMs) < editsOfAPerson ? "edit" : "bulk";
  }

  function send(id: string, kind: Kind, nowMs: number): void {
    const call = queue.get(id);
    if (call === undefined) return;
    dequeue(id);
    inFlight.set(id, { ...call, kind, sentAtMs: nowMs });
    const { calls, edits } = personOf(call.asker);
    calls.sent();
    if (kind === "edit") edits.sent();
    else {
      const { intervalMs } = bulkBounds(nowMs);
      room.paceAtMs = Math.max(room.paceAtMs, nowMs) + intervalMs;
    }
    room.sent(kind);
  }

  /** After a 429 a single call tests whether the service accepts calls again. */
  function isTesting(): boolean {
    return throttle.triesOne() && inFlight.size > 0;
  }

  function isOpen(kind: Kind, waiting: Readonly<Record<Kind, unknown>>, nowMs: number): boolean {
    return !isTesting() && opensAtMs(kind, waiting.bulk !== null, nowMs) <= nowMs;
  }

  /** The earliest time at which a call of this kind may leave. */
  function opensAtMs(kind: Kind, hasBulk: boolean, nowMs: number): number {
    const allowance = throttle.allowance(true, nowMs);
    const all = used(nowMs);
    let atMs = Math.max(nowMs, throttle.pausedUntilMs());
    if (all >= allowance) {
      const leaveAtMs = room.leaveAtMs(all - allowance + 1, null, nowMs);
      atMs = Math.max(atMs, Math.min(leaveAtMs, throttle.allowsAtMs(all + 1, true)));
    }
    const ofKind = room.used(kind, nowMs);
    if (kind === "edit" && !hasBulk) return atMs;
    const { maxCalls: mostBulk, burstMs } = bulkBounds(nowMs);
    const mostOfKind = kind === "edit" ? 0.9 * allowance : mostBulk;
    if (ofKind >= mostOfKind) {
      atMs = Math.max(atMs, room.leaveAtMs(Math.floor(ofKind - mostOfKind) + 1, kind, nowMs));
    }
    return kind === "edit" ? atMs : Math.max(atMs, room.paceAtMs - burstMs);
  }

  function bulkBounds(nowMs: number): BulkBounds {
    const allowance = throttle.allowance(true, nowMs);
    const kept = Math.min(0.9 * allowance, Math.min(20, allowance / 10) + 1.25 * room.editsAMinute(nowMs));
    const intervalMs = people.size > 1 ? 60_000 / (allowance - kept) : 0;
    return { maxCalls: allowance - kept, intervalMs, burstMs: (intervalMs * allowance) / 20 };
  }

  /** Rejects calls that have waited long enough, and those that can't leave in time. */
  function rejectOverdue(nowMs: number): Decisions["rejected"] {
    const opens = openings(nowMs);
    const rejected: { id: string; retryAfterMs: number }[] = [];
    for (const [id, { asker, untilMs }] of [...queue]) {
      const atMs = opens[kindOf(asker, nowMs)];
      if (untilMs > nowMs && atMs <= untilMs) continue;
      dequeue(id);
      const retryAfterMs = Math.min(longestRetryMs, Math.max(shortestRetryMs, atMs - nowMs));
      rejected.push({ id, retryAfterMs });
    }
    return rejected;
  }

  function openings(nowMs: number): Readonly<Record<Kind, number>> {
    if (queue.size === 0) return { edit: nowMs, bulk: nowMs };
    const hasBulk = waitingByKind(nowMs).bulk !== null;
    return { edit: opensAtMs("edit", hasBulk, nowMs), bulk: opensAtMs("bulk", hasBulk, nowMs) };
  }

  function nextCheckInMs(nowMs: number): number | null {
    if (queue.size === 0) return null;
    const opens = openings(nowMs);
    let atMs = Infinity;
    for (const { asker, untilMs } of queue.values()) {
      const opensMs = opens[kindOf(asker, nowMs)];
      // An answer ends the test of the service.
      atMs = Math.min(atMs, untilMs, isTesting() || opensMs <= nowMs ? Infinity : opensMs);
    }
    return Math.max(0, atMs - nowMs);
  }

  function used(nowMs: number): number {
    return room.used("edit", nowMs) + room.used("bulk", nowMs);
  }

  function usage(nowMs: number): QuotaUsage {
    return { used: used(nowMs), limit };
  }

  return {
    step,
    usage,
    /** What calls must respect that are sent now. */
    bounds: (nowMs: number) => ({ maxCalls: throttle.allowance(true, nowMs), bulk: bulkBounds(nowMs) }),
    kindInFlight: (id: string) => inFlight.get(id)?.kind ?? null,
  };
}
