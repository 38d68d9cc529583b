/**
 * Decides whose call is sent next, and when.
 *
 * Order: edits first, because somebody waits for that one cell. A person has as many priority edits as they can type,
 * and all people together a tenth of the quota. After that comes the person with the fewest calls in the last minute,
 * and among equals the one served longest ago.
 *
 * Shares: everybody who asked within the last minute has an equal share. Below their share, people's calls are sent at
 * once. Beyond it, calls are spread evenly over the time until the window opens again. What stays free meanwhile is for
 * the people below their share: as many calls as they made in the last minute. So a page that wants less than its share
 * gets it without a long wait, even if it pauses, and almost no part of the quota stays unused.
 *
 * Connections: each call in flight is one to the service. So nobody has more calls in flight than the whole quota needs.
 */
import { type AccountState, type Asker, type Person, personOf, type QueuedCall } from "./account-state";
import { reservationLastsMs } from "./reservations";
import type { Standing, Standings } from "./standings";
import { allowance, isProbing, usedOf, windowMs } from "./window";

/** Priority edits of a person in a minute. */
const mostEditsOfAPerson = 20;
/** With answers that take this long, one person can still use the whole quota. */
const slowestSeconds = 5;
/** The most calls in flight of a person, if the quota is small. */
const fewestInFlight = 16;
const editsBesideThem = 8;
/** Number of finished calls from which the even interval is calculated. */
const mostIntervalSteps = 16;
/** Room for a person shrinks over this last part of their share, so that somebody close to it doesn't stop others. */
const taperedShare = 1 / 6;
/** Reserved room is kept free of people with more calls for this many intervals before its time. */
const intervalsBeforeReservation = 4;

export interface NextCall {
  readonly name: string;
  readonly person: Person;
  readonly id: string;
  readonly call: QueuedCall;
}

export function hasPriority(state: AccountState, { person, isEdit }: Asker, standings: Standings): boolean {
  if (!isEdit || state.priorityEdits >= Math.max(1, Math.floor(state.limit / 10))) return false;
  return standings.of(personOf(state, person)).priorityEdits < mostEditsOfAPerson;
}

/** The next call to send, or the next edit with priority. */
export function nextCall(state: AccountState, ofEdits: boolean, standings: Standings): NextCall | null {
  let best: (NextCall & { readonly standing: Standing }) | null = null;
  if (ofEdits && state.queuedEdits === 0) return null;
  for (const name of state.waitingPeople) {
    const person = personOf(state, name);
    const [first] = person.queued;
    const standing = standings.of(person);
    if (first === undefined || standing.inFlight >= mostInFlight(state, ofEdits)) continue;
    if (ofEdits && !hasPriority(state, first.call.asker, standings)) continue;
    if (best === null || comparePeople(standing, best.standing) < 0) {
      best = { name, person, standing, ...first };
    }
  }
  return best;
}

function mostInFlight({ limit }: AccountState, ofEdits: boolean): number {
  const most = Math.max(fewestInFlight, Math.ceil((limit * slowestSeconds) / 60));
  return ofEdits ? most + editsBesideThem : most;
}

/** Negative when `left` goes before `right`. */
function comparePeople(left: Standing, right: Standing): number {
  return left.used - right.used || left.lastSentAtMs - right.lastSentAtMs;
}

interface OwnCalls {
  readonly person: Person;
  readonly calls: number;
  readonly standings: Standings;
}

/** Milliseconds until this person's call number `calls` (1: the next) may use the open window; 0 when it may now. */
export function paceWaitMs(
  state: AccountState,
  { person, calls, standings }: OwnCalls,
  nowMs: number,
): number {
  // The call that tests whether a refusal still holds must not wait.
  if (isProbing(state)) return 0;
  const most = allowance(state, false, nowMs);
  const people = standings.all.length;
  const own = standings.of(person);
  if (isBelowShare(own, people, most)) return 0;
  let reserved = 0;
  let lastSentAtMs = -Infinity;
  for (const each of standings.all) {
    const isBelow = isBelowShare(each, people, most);
    const toShare = most / people - each.used;
    // Priority edits of people beyond their share are sent at once as well.
    reserved += isBelow ? Math.min(each.used, toShare / taperedShare) : each.priorityEdits;
    if (!isBelow) lastSentAtMs = Math.max(lastSentAtMs, each.lastSentAtMs);
  }
  const intervalMs = evenIntervalMs(state, { most, reserved }, nowMs);
  let untilMs = lastSentAtMs + intervalMs * calls;
  for (const { used, reservedAtMs } of standings.all) {
    if (used < own.used && reservedAtMs <= nowMs + intervalsBeforeReservation * intervalMs) {
      untilMs = Math.max(untilMs, reservedAtMs + reservationLastsMs);
    }
  }
  return Math.max(0, untilMs - nowMs);
}

/** A crowd has at most half at once: people who are still unknown in it may be about to ask. */
function isBelowShare({ used, isCrowd }: Standing, people: number, calls: number): boolean {
  return used * (isCrowd ? Math.max(2, people) : people) < calls;
}

/** Between two calls beyond the shares. Infinity when all room that opens is reserved. */
function evenIntervalMs(
  state: AccountState,
  { most, reserved }: { readonly most: number; readonly reserved: number },
  nowMs: number,
): number {
  const { finished } = state;
  const left = most - usedOf(state);
  const step = Math.ceil(finished.length / mostIntervalSteps);
  let intervalMs = 0;
  for (let opened = 0; opened < finished.length; opened += step) {
    const inMs = (finished[opened]?.countsUntilMs ?? nowMs) - nowMs;
    const free = left + opened - (reserved * inMs) / windowMs;
    intervalMs = free > 0 ? Math.max(intervalMs, inMs / free) : Infinity;
  }
  return intervalMs;
}

/** Estimates how many calls, queued or coming back, are sent until `own` more calls of this person are. These count too. */
export function callsUntil({ person, calls: own, standings }: OwnCalls): number {
  const standing = standings.of(person);
  const reached = standing.used + own;
  let calls = own;
  for (const other of standings.all) {
    if (other === standing) continue;
    calls += Math.min(other.pending, Math.max(0, reached - other.used));
  }
  return calls;
}
