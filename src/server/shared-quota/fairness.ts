/**
 * Decides whose call is sent next, and when.
 *
 * Order: edits first, because somebody waits for that one cell. A person has as many priority edits as they can type,
 * and all people together a tenth of the quota. After that comes the person with the fewest calls in the last minute,
 * and among equals the one served longest ago.
 *
 * Shares: everybody who asked within the last minute has an equal share. Below their share, people's calls are sent at
 * once. Beyond it, calls are sent at even intervals, so that at any time until the window opens again there is room for
 * as many calls as the people below their share made in the last minute. So a page that wants less than its share gets
 * it without a long wait, even if it pauses, and almost no part of the quota stays unused.
 *
 * Connections: each call in flight is one to the service. So nobody has more calls in flight than the whole quota needs.
 */
import { type AccountState, type Asker, type Person, personOf, type QueuedCall } from "./account-state";
import { placeLastsMs } from "./places";
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
/** A place is kept free of people with more calls for this many intervals before its time. */
const intervalsBeforePlace = 4;

export interface Turn {
  readonly name: string;
  readonly person: Person;
  readonly id: string;
  readonly call: QueuedCall;
}

export function hasPriority(state: AccountState, { person, isEdit }: Asker): boolean {
  if (!isEdit || state.priorityEdits >= Math.max(1, Math.floor(state.limit / 10))) return false;
  return (state.people.get(person)?.priorityEdits ?? 0) < mostEditsOfAPerson;
}

/** The next call to send, or the next edit with priority. */
export function nextTurn(state: AccountState, ofEdits: boolean): Turn | null {
  let best: Turn | null = null;
  if (ofEdits && state.queuedEdits === 0) return null;
  for (const name of state.waitingPeople) {
    const person = personOf(state, name);
    const [first] = person.queued;
    if (first === undefined || person.inFlight >= mostInFlight(state, ofEdits)) continue;
    if (ofEdits && !hasPriority(state, first.call.asker)) continue;
    if (best === null || comparePeople(person, best.person) < 0) best = { name, person, ...first };
  }
  return best;
}

function mostInFlight({ limit }: AccountState, ofEdits: boolean): number {
  const most = Math.max(fewestInFlight, Math.ceil((limit * slowestSeconds) / 60));
  return ofEdits ? most + editsBesideThem : most;
}

/** Negative when `left` goes before `right`. */
function comparePeople(left: Person, right: Person): number {
  return left.used - right.used || left.lastSentAtMs - right.lastSentAtMs;
}

/** Milliseconds until this person's call number `calls` (1: the next) may use the open window; 0 when it may now. */
export function paceWaitMs(
  state: AccountState,
  { person, calls }: { readonly person: Person; readonly calls: number },
  nowMs: number,
): number {
  // The call that tests whether a refusal still holds must not wait.
  if (isProbing(state)) return 0;
  const most = allowance(state, false, nowMs);
  if (isBelowShare(state, person, most)) return 0;
  let reserved = 0;
  let lastSentAtMs = -Infinity;
  for (const each of state.people.values()) {
    const isBelow = isBelowShare(state, each, most);
    const toShare = most / state.people.size - each.used;
    // Priority edits of people beyond their share are sent at once as well.
    reserved += isBelow ? Math.min(each.used, toShare / taperedShare) : each.priorityEdits;
    if (!isBelow) lastSentAtMs = Math.max(lastSentAtMs, each.lastSentAtMs);
  }
  const intervalMs = evenIntervalMs(state, { most, reserved }, nowMs);
  let untilMs = lastSentAtMs + intervalMs * calls;
  for (const name of state.waitingPeople) {
    const { used, places } = personOf(state, name);
    const [atMs = Infinity] = places;
    if (used < person.used && atMs <= nowMs + intervalsBeforePlace * intervalMs) {
      untilMs = Math.max(untilMs, atMs + placeLastsMs);
    }
  }
  return Math.max(0, untilMs - nowMs);
}

function isBelowShare({ people }: AccountState, { used }: Person, calls: number): boolean {
  return used * people.size < calls;
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
export function callsUntil(state: AccountState, name: string, own: number): number {
  const person = state.people.get(name);
  const reached = (person?.used ?? 0) + own;
  let calls = own;
  for (const each of state.waitingPeople) {
    const other = personOf(state, each);
    if (other === person) continue;
    const asked = other.queued.length + other.places.length;
    calls += Math.min(asked, Math.max(0, reached - other.used));
  }
  return calls;
}
