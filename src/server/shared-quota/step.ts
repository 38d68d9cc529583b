/**
 * One step of an account: takes the events since the last step, and returns which calls to send, which to reject until when, and when to
 * check again. It depends only on state, events and time. A call that can't be sent within `holdMs` is rejected at once: the page needs
 * its connection more than a position in the queue.
 * Invariant: every call that arrives is sent, cancelled, or rejected within `holdMs`, and only once.
 */
import {
  type AccountState,
  type Asker,
  type CallEnd,
  changePerson,
  dequeue,
  enqueue,
  enqueueFirst,
  personOf,
  type QueuedCall,
  type QuotaUsage,
} from "./account-state";
import { callsUntil, hasPriority, nextCall, paceWaitMs, type NextCall } from "./fairness";
import { mostPending, releaseAllExpired, releaseExpired, reserve, useReservation } from "./reservations";
import { standingsOf } from "./standings";
import { addFinished, expire, isOpen, isProbing, opensInMs, slowDown, usedOf, withdraw } from "./window";

export type CallEvent =
  | { readonly kind: "arrived"; readonly id: string; readonly asker: Asker }
  | { readonly kind: "cancelled"; readonly id: string }
  /** The last step sent it, but calls of other servers have taken the room. */
  | { readonly kind: "denied"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly end: CallEnd };

export interface Decisions {
  readonly send: readonly string[];
  readonly rejected: readonly Rejection[];
  /** When the passing of time may change something; null while the queue is empty. */
  readonly checkAgainInMs: number | null;
  readonly usage: QuotaUsage;
}

interface Rejection {
  readonly id: string;
  readonly retryAfterMs: number;
}

export interface StepInput {
  readonly events: readonly CallEvent[];
  readonly nowMs: number;
  /** A random number from 0 up to, not including, 1: it spreads the ends of pauses. */
  readonly chance: number;
}

/** The longest time that a call waits in the queue. */
const holdMs = 2_000;
/** More queued calls than this are a fault, not a team. */
const longestQueue = 1_000;
/** No retry is later than a window; by then the next step knows more. */
const longestRetryMs = 60_000;
/** Calls that have waited in vain, and those of a person who has too many, come back no sooner: their time depends on others. */
const shortestRetryMs = 1_000;
const recheckMs = 100;

export function step(state: AccountState, input: StepInput): Decisions {
  const { events, nowMs } = input;
  const send: string[] = [];
  const rejected: Rejection[] = [];
  expire(state, nowMs);
  releaseAllExpired(state, nowMs);
  for (const event of events) {
    applyEvent(state, event, input);
    if (event.kind !== "arrived") continue;
    dispatch(state, nowMs, send);
    rejected.push(...rejectHopeless(state, event.id, nowMs));
  }
  const waitMs = dispatch(state, nowMs, send);
  rejected.push(...rejectOverdue(state, nowMs));
  const [oldest] = state.queue.values();
  return {
    send,
    rejected,
    checkAgainInMs: oldest === undefined ? null : nextCheckInMs(state, { oldest, waitMs }, nowMs),
    usage: { used: usedOf(state), limit: state.limit },
  };
}

function applyEvent(state: AccountState, event: CallEvent, { nowMs, chance }: StepInput): void {
  const { id } = event;
  if (event.kind === "arrived") {
    const { asker } = event;
    enqueue(state, id, { asker, untilMs: nowMs + holdMs });
    releaseExpired(state, asker.person, nowMs);
    useReservation(state, asker.person, nowMs);
  } else if (event.kind === "ended") {
    finish(state, { id, end: event.end, chance }, nowMs);
  } else if (event.kind === "denied") {
    const call = state.inFlight.get(id);
    if (call === undefined) return;
    withdraw(state, id);
    enqueueFirst(state, id, call.queued);
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
  changePerson(state, call.person, (person) => void (person.inFlight -= 1));
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
  return [reject(state, { id, inMs, hasReservation: true }, nowMs)];
}

/** Sends the calls whose turn it is: adds their ids to `sent`. Returns how long the next one waits although the window is open. */
function dispatch(state: AccountState, nowMs: number, sent: string[]): number {
  for (;;) {
    if (state.queue.size === 0 || !isOpen(state, true, nowMs)) return 0;
    const standings = standingsOf(state);
    const edit = nextCall(state, true, standings);
    const next = edit ?? (isOpen(state, false, nowMs) ? nextCall(state, false, standings) : null);
    if (next === null) return 0;
    const waitMs = edit === null ? paceWaitMs(state, { ...next, calls: 1, standings }, nowMs) : 0;
    if (waitMs > 0) return waitMs;
    markSent(state, { ...next, isPriorityEdit: edit !== null }, nowMs);
    sent.push(next.id);
  }
}

function markSent(
  state: AccountState,
  { id, name, call, isPriorityEdit }: NextCall & { readonly isPriorityEdit: boolean },
  nowMs: number,
): void {
  // Before `dequeue`, which would forget a person without calls.
  changePerson(state, name, (person) => {
    person.used += 1;
    person.inFlight += 1;
    person.lastSentAtMs = nowMs;
    person.priorityEdits += isPriorityEdit ? 1 : 0;
  });
  state.priorityEdits += isPriorityEdit ? 1 : 0;
  dequeue(state, id);
  state.inFlight.set(id, { person: name, isPriorityEdit, sentAtMs: nowMs, queued: call });
}

/** Rejects calls that have waited long enough, or whose turn turns out to be later. The oldest come first. */
function rejectOverdue(state: AccountState, nowMs: number): readonly Rejection[] {
  if (state.queue.size === 0) return [];
  const overdue: string[] = [];
  const standings = standingsOf(state);
  const opensAtMs = (isEdit: boolean) => nowMs + opensInMs(state, { calls: 1, isEdit }, nowMs);
  const [editsAtMs, othersAtMs] = [opensAtMs(true), opensAtMs(false)];
  for (const [id, { asker, untilMs }] of state.queue) {
    const isFirst = hasPriority(state, asker, standings);
    const isOverdue = untilMs <= nowMs || untilMs < (isFirst ? editsAtMs : othersAtMs);
    if (!isOverdue && !isFirst) break;
    if (isOverdue) overdue.push(id);
  }
  return overdue.map((id) => {
    const inMs = Math.max(shortestRetryMs, turnInMs(state, { id, isOldest: true }, nowMs).inMs);
    return reject(state, { id, inMs, hasReservation: true }, nowMs);
  });
}

function reject(
  state: AccountState,
  {
    id,
    inMs,
    hasReservation = false,
  }: { readonly id: string; readonly inMs: number; readonly hasReservation?: boolean },
  nowMs: number,
): Rejection {
  const retryAfterMs = Math.min(longestRetryMs, inMs);
  const asker = state.queue.get(id)?.asker;
  dequeue(state, id);
  if (hasReservation && asker !== undefined) reserve(state, asker, nowMs + retryAfterMs);
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
  // The call that tests whether a refusal still holds doesn't wait for reservations.
  if (call === undefined || (isProbing(state) && state.queue.keys().next().value === id)) {
    return { inMs: opensInMs(state, { calls: 1, isEdit: false }, nowMs), isTooMany: false };
  }
  const { asker, untilMs } = call;
  const person = personOf(state, asker.person);
  const standings = standingsOf(state);
  const { pending } = standings.of(person);
  const isFirst = hasPriority(state, asker, standings);
  // If even the last call is sent in time, the order doesn't matter.
  const lastInMs = opensInMs(
    state,
    { calls: state.queue.size + state.reservationCount, isEdit: false },
    nowMs,
  );
  const allInTime = nowMs + lastInMs <= untilMs;
  const calls =
    isFirst || allInTime ? pending : callsUntil({ person, calls: isOldest ? 1 : pending, standings });
  const opensMs = opensInMs(state, { calls, isEdit: isFirst }, nowMs);
  // When the call before it is sent, so that somebody waits at each turn.
  const pacedMs =
    isFirst || calls < 2 ? 0 : paceWaitMs(state, { person, calls: calls - 1, standings }, nowMs);
  return {
    inMs: Math.max(opensMs, pacedMs === Infinity ? 0 : pacedMs),
    isTooMany: !isFirst && (pending > mostPending || state.queue.size > longestQueue),
  };
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
