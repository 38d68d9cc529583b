/**
 * Who goes first. Edits do, because somebody sits and waits for that one cell; as many as a person can type, together
 * at most a tenth of the quota, and only while their person is below an equal share. Then whoever has had the fewest
 * calls in the last minute, and of those whoever was served longest ago.
 *
 * Shares are equal among all who asked within the last minute. Below their share, people's calls leave as fast as they
 * come. Beyond it they leave evenly: at any time until the window opens again there is room for as many calls as
 * everybody below their share made in the last minute. So whoever asks for less than a share finds room within moments,
 * however long they pause and whatever others do, and almost no part of the quota stays unused.
 */
import { type AccountState, type Asker, type Person, personOf } from "./account-state";
import { keptForMs } from "./places";
import { allowance, isProbing, usedOf, windowMs } from "./window";

/** Edits of a person in a minute that go first. */
const mostEditsOfAPerson = 20;
/** The even pace is read at so many of the ended calls, which in Redis are read one by one. */
const mostPaceSteps = 16;

/** What is reserved for a person tapers off over this part of the share, so that nobody at its edge stops the others. */
const taperedOver = 1 / 6;

/** So many turns ahead one is kept for whoever had fewer and comes back at the time that they were told. */
const turnsKept = 4;

export interface Turn {
  readonly name: string;
  readonly person: Person;
  /** Their call whose turn it is. */
  readonly id: string;
}

export function mayGoFirst(state: AccountState, { person, isEdit }: Asker): boolean {
  if (!isEdit || state.editsFirst >= Math.max(1, Math.floor(state.limit / 10))) return false;
  return (state.people.get(person)?.editsFirst ?? 0) < mostEditsOfAPerson;
}

/** Below 0 when `left` goes before `right`. */
export function comparePeople(left: Person, right: Person): number {
  // Not `||`: in Redis the rule runs as Lua, where 0 is true.
  if (left.counted !== right.counted) return left.counted - right.counted;
  return left.lastLeftAtMs - right.lastLeftAtMs;
}

/** Of those who wait, whose turn it is; of edits only where asked for. */
export function nextToGo(state: AccountState, ofEdits: boolean): Turn | null {
  let best: Turn | null = null;
  if (ofEdits && state.editsInLine === 0) return null;
  for (const name of state.asking) {
    const person = personOf(state, name);
    const first = firstOf(state, person, ofEdits);
    if (first === undefined) continue;
    if (ofEdits && !mayGoFirst(state, { person: name, isEdit: first.isEdit })) continue;
    if (best === null || comparePeople(person, best.person) < 0) best = { name, person, id: first.id };
  }
  return best;
}

/** Of a person's calls the first that its server has room for. */
function firstOf(
  state: AccountState,
  { waiting }: Person,
  ofEdits: boolean,
): Person["waiting"][number] | undefined {
  if (state.full.size === 0) return waiting[0];
  return waiting.find(({ id, isEdit }) => {
    const full = state.full.get(state.line.get(id)?.server ?? "");
    return full === undefined || (ofEdits && isEdit && !full.toEdits);
  });
}

/** How long so many of this person's calls (1: the next) leave the open window to others; 0 when they may go now. */
export function holdsBackMs(
  state: AccountState,
  { person, calls }: { readonly person: Person; readonly calls: number },
  nowMs: number,
): number {
  // Nothing may hold up the call that shows whether a refusal still holds.
  if (isProbing(state)) return 0;
  const most = allowance(state, false, nowMs);
  if (isBelowShare(state, person, most)) return 0;
  let reservedCalls = 0;
  let lastLeftAtMs = -Infinity;
  for (const each of state.people.values()) {
    const isBelow = isBelowShare(state, each, most);
    const toShare = most / state.people.size - each.counted;
    // Edits of those beyond their share go unpaced too.
    reservedCalls += isBelow ? Math.min(each.counted, toShare / taperedOver) : each.editsFirst;
    if (!isBelow) lastLeftAtMs = Math.max(lastLeftAtMs, each.lastLeftAtMs);
  }
  const paceMs = evenPaceMs(state, { most, reservedCalls }, nowMs);
  let untilMs = lastLeftAtMs + paceMs * calls;
  for (const name of state.asking) {
    const { counted, places } = personOf(state, name);
    const [atMs = Infinity] = places;
    if (counted < person.counted && atMs <= nowMs + turnsKept * paceMs) {
      untilMs = Math.max(untilMs, atMs + keptForMs);
    }
  }
  return Math.max(0, untilMs - nowMs);
}

function isBelowShare({ people }: AccountState, { counted }: Person, calls: number): boolean {
  return counted * people.size < calls;
}

/** Between two calls beyond the shares; Infinity where all that opens is reserved. */
function evenPaceMs(
  state: AccountState,
  { most, reservedCalls }: { readonly most: number; readonly reservedCalls: number },
  nowMs: number,
): number {
  const { ended } = state;
  const left = most - usedOf(state);
  const step = Math.ceil(ended.count() / mostPaceSteps);
  let paceMs = 0;
  for (let opened = 0; opened < ended.count(); opened += step) {
    const inMs = (ended.at(opened)?.countsUntilMs ?? nowMs) - nowMs;
    const free = left + opened - (reservedCalls * inMs) / windowMs;
    paceMs = free > 0 ? Math.max(paceMs, inMs / free) : Infinity;
  }
  return paceMs;
}

/** How many calls that wait or will be back go until this person has had so many of their own, those counted in. */
export function rankOf(state: AccountState, name: string, own: number): number {
  const person = state.people.get(name);
  const reached = (person?.counted ?? 0) + own;
  let rank = own;
  for (const each of state.asking) {
    const other = personOf(state, each);
    if (other === person) continue;
    const asked = other.waiting.length + other.places.length;
    rank += Math.min(asked, Math.max(0, reached - other.counted));
  }
  return rank;
}
