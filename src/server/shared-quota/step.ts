/**
 * One step of an account: takes the events since the last step, and returns which calls to send, which to reject until
 * when, and when to check again. It depends only on state, events and time, so it also runs in Redis, compiled to Lua.
 * A call that can't be sent within `holdMs` is rejected at once: the page needs its connection more than a position in
 * the queue.
 * Invariant: every call that arrives is sent, cancelled, or rejected within `holdMs`, and only once.
 */
import {
  type AccountState,
  type Asker,
  type CallEnd,
  dequeue,
  enqueue,
  personOf,
  type QueuedCall,
  type QuotaUsage,
  tidy,
} from "./account-state";
import { callsUntil, hasPriority, nextTurn, paceWaitMs, type Turn } from "./fairness";
import {
  mostPending,
  pendingCount,
  releaseAllExpired,
  releaseExpired,
  reservePlace,
  usePlace,
} from "./places";
import { addFinished, expire, isOpen, isProbing, opensInMs, slowDown, usedOf, withdraw } from "./window";

export type CallEvent =
  | { readonly kind: "arrived"; readonly id: string; readonly asker: Asker }
  | { readonly kind: "cancelled"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly end: CallEnd };

export interface Decisions {
  readonly send: readonly string[];
  readonly rejected: readonly Rejection[];
  /** When the passing of time may change something for this server's calls; null while it has none in the queue. */
  readonly checkAgainInMs: number | null;
  /** Another server whose call is next; it has to be notified. */
  readonly turnOfServer: string | null;
  readonly usage: QuotaUsage;
}

interface Rejection {
  readonly id: string;
  readonly retryAfterMs: number;
}

export interface StepInput {
  /** Of the servers that share the account, the one whose events these are. Only its calls can be sent in this step. */
  readonly server: string;
  readonly events: readonly CallEvent[];
  readonly nowMs: number;
  /** A random number from 0 up to, not including, 1: it spreads the ends of pauses. */
  readonly chance: number;
}

/** The longest time that a call waits in the queue. */
export const holdMs = 2_000;
/** More queued calls than this are a fault, not a team. */
const longestQueue = 1_000;
/** No retry is later than a window; by then the next step knows more. */
const longestRetryMs = 60_000;
/** Used if the time of the next turn is unknown, because it depends on other people's calls. */
const shortestRetryMs = 1_000;
const recheckMs = 100;
/** A server that hasn't rejected an overdue call within this time is gone. */
const lostServerAfterMs = 1_000;

export function step(state: AccountState, input: StepInput): Decisions {
  const { events, server, nowMs } = input;
  const send: string[] = [];
  const rejected: Rejection[] = [];
  expire(state, nowMs);
  releaseAllExpired(state, nowMs);
  dropLostServers(state, server, nowMs);
  for (const event of events) {
    applyEvent(state, event, input);
    if (event.kind !== "arrived") continue;
    dispatch(state, input, send);
    rejected.push(...rejectHopeless(state, event.id, nowMs));
  }
  const { turnOfServer, waitMs } = dispatch(state, input, send);
  rejected.push(...rejectOverdue(state, server, nowMs));
  const oldest = oldestOf(state, server);
  return {
    send,
    rejected,
    turnOfServer,
    checkAgainInMs: oldest === null ? null : nextCheckInMs(state, { oldest, waitMs }, nowMs),
    usage: { used: usedOf(state), limit: state.limit },
  };
}

function applyEvent(state: AccountState, event: CallEvent, { server, nowMs, chance }: StepInput): void {
  const { id } = event;
  if (event.kind === "arrived") {
    const { asker } = event;
    enqueue(state, id, { server, asker, untilMs: nowMs + holdMs });
    const person = personOf(state, asker.person);
    releaseExpired(state, person, nowMs);
    usePlace(state, person, nowMs);
  } else if (event.kind === "ended") {
    finish(state, { id, end: event.end, chance }, nowMs);
  } else if (state.queue.has(id)) {
    dequeue(state, id);
  } else withdraw(state, id);
}

function finish(
  state: AccountState,
  { id, end, chance }: { readonly id: string; readonly end: CallEnd; readonly chance: number },
  nowMs: number,
): void {
  const call = state.inFlight.get(id);
  if (call === undefined) return;
  state.inFlight.delete(id);
  personOf(state, call.person).inFlight -= 1;
  addFinished(state, call, nowMs);
  if (end.kind === "throttled") slowDown(state, { ...end, sentAtMs: call.sentAtMs, chance }, nowMs);
  if (end.kind === "answered") state.throttle.refusals = 0;
}

/** Rejects a call that has just arrived and can't be sent in time. */
function rejectHopeless(state: AccountState, id: string, nowMs: number): readonly Rejection[] {
  const call = state.queue.get(id);
  if (call === undefined) return [];
  const { inMs, isTooMany } = turnInMs(state, { id, isOldest: false }, nowMs);
  if (isTooMany) return [reject(state, { id, inMs: Math.max(shortestRetryMs, inMs) }, nowMs)];
  if (nowMs + inMs <= call.untilMs) return [];
  return [reject(state, { id, inMs, hasPlace: true }, nowMs)];
}

/** Removes calls that other servers should have rejected by now: these servers are gone. */
function dropLostServers(state: AccountState, own: string, nowMs: number): void {
  const lost: string[] = [];
  for (const [id, { server, untilMs }] of state.queue) {
    if (nowMs < untilMs + lostServerAfterMs) break;
    if (server !== own) lost.push(id);
  }
  for (const id of lost) dequeue(state, id);
}

interface Blocked {
  /** The server whose call is next and could be sent, if it is another one. It has to be notified. */
  readonly turnOfServer: string | null;
  /** The window is open, but the next call has to wait this long. */
  readonly waitMs: number;
}

const byNobody: Blocked = { turnOfServer: null, waitMs: 0 };

/** Sends the calls whose turn it is: adds their ids to `sent`, and returns what blocks the next one. */
function dispatch(state: AccountState, { server, nowMs }: StepInput, sent: string[]): Blocked {
  for (;;) {
    if (state.queue.size === 0 || !isOpen(state, true, nowMs)) return byNobody;
    const edit = nextTurn(state, true);
    const turn = edit ?? (isOpen(state, false, nowMs) ? nextTurn(state, false) : null);
    if (turn === null) return byNobody;
    const waitMs = edit === null ? paceWaitMs(state, { ...turn, calls: 1 }, nowMs) : 0;
    if (waitMs > 0) return { turnOfServer: null, waitMs };
    const owner = state.queue.get(turn.id)?.server ?? server;
    if (owner !== server) return { turnOfServer: owner, waitMs: 0 };
    markSent(state, { ...turn, isPriorityEdit: edit !== null }, nowMs);
    sent.push(turn.id);
  }
}

function markSent(
  state: AccountState,
  { id, name, isPriorityEdit }: Turn & { readonly isPriorityEdit: boolean },
  nowMs: number,
): void {
  // Before `dequeue`, which would forget a person without calls.
  const person = personOf(state, name);
  person.used += 1;
  person.inFlight += 1;
  person.lastSentAtMs = nowMs;
  if (isPriorityEdit) {
    person.priorityEdits += 1;
    state.priorityEdits += 1;
  }
  dequeue(state, id);
  state.inFlight.set(id, { person: name, isPriorityEdit, sentAtMs: nowMs });
}

/** Rejects calls that have waited long enough, or whose turn turns out to be later. The oldest come first. */
function rejectOverdue(state: AccountState, server: string, nowMs: number): readonly Rejection[] {
  if (state.queue.size === 0) return [];
  const overdue: string[] = [];
  const opensAtMs = (isEdit: boolean) => nowMs + opensInMs(state, { calls: 1, isEdit }, nowMs);
  const [editsAtMs, othersAtMs] = [opensAtMs(true), opensAtMs(false)];
  for (const [id, { server: owner, asker, untilMs }] of state.queue) {
    const isFirst = hasPriority(state, asker);
    const isOverdue = untilMs <= nowMs || untilMs < (isFirst ? editsAtMs : othersAtMs);
    if (!isOverdue && !isFirst) break;
    // Another server rejects its own calls.
    if (isOverdue && owner === server) overdue.push(id);
  }
  return overdue.map((id) => {
    const inMs = Math.max(shortestRetryMs, turnInMs(state, { id, isOldest: true }, nowMs).inMs);
    return reject(state, { id, inMs, hasPlace: true }, nowMs);
  });
}

function reject(
  state: AccountState,
  { id, inMs, hasPlace = false }: { readonly id: string; readonly inMs: number; readonly hasPlace?: boolean },
  nowMs: number,
): Rejection {
  const retryAfterMs = Math.min(longestRetryMs, inMs);
  const name = state.queue.get(id)?.asker.person;
  dequeue(state, id);
  if (hasPlace && name !== undefined) {
    reservePlace(state, personOf(state, name), nowMs + retryAfterMs);
    tidy(state, name);
  }
  return { id, retryAfterMs };
}

/** Estimates when a queued call has its turn. */
function turnInMs(
  state: AccountState,
  /** A person's oldest call goes before their others. */
  { id, isOldest }: { readonly id: string; readonly isOldest: boolean },
  nowMs: number,
): { readonly inMs: number; readonly isTooMany: boolean } {
  const call = state.queue.get(id);
  // The call that tests whether a refusal still holds doesn't wait for places.
  if (call === undefined || (isProbing(state) && isFirstInQueue(state, id))) {
    return { inMs: opensInMs(state, { calls: 1, isEdit: false }, nowMs), isTooMany: false };
  }
  const { asker, untilMs } = call;
  const person = personOf(state, asker.person);
  const pending = pendingCount(person);
  const isFirst = hasPriority(state, asker);
  // If even the last call is sent in time, the order doesn't matter.
  const lastInMs = opensInMs(state, { calls: state.queue.size + state.placeCount, isEdit: false }, nowMs);
  const allInTime = nowMs + lastInMs <= untilMs;
  const calls = isFirst || allInTime ? pending : callsUntil(state, asker.person, isOldest ? 1 : pending);
  const opensMs = opensInMs(state, { calls, isEdit: isFirst }, nowMs);
  // When the call before it is sent, so that somebody waits at each turn.
  const pacedMs = isFirst || calls < 2 ? 0 : paceWaitMs(state, { person, calls: calls - 1 }, nowMs);
  return {
    inMs: Math.max(opensMs, pacedMs === Infinity ? 0 : pacedMs),
    isTooMany: !isFirst && (pending > mostPending || state.queue.size > longestQueue),
  };
}

function isFirstInQueue(state: AccountState, id: string): boolean {
  for (const first of state.queue.keys()) return first === id;
  return false;
}

function oldestOf(state: AccountState, server: string): QueuedCall | null {
  for (const call of state.queue.values()) if (call.server === server) return call;
  return null;
}

function nextCheckInMs(
  state: AccountState,
  { oldest, waitMs }: { readonly oldest: QueuedCall; readonly waitMs: number },
  nowMs: number,
): number {
  const editsMs = opensInMs(state, { calls: 1, isEdit: true }, nowMs);
  const othersMs = opensInMs(state, { calls: 1, isEdit: false }, nowMs);
  let othersInMs = othersMs === 0 ? recheckMs : othersMs;
  if (waitMs > 0) othersInMs = waitMs;
  const opensMs = Math.min(editsMs === 0 ? Infinity : editsMs, othersInMs);
  return Math.max(0, Math.min(oldest.untilMs - nowMs, opensMs));
}
