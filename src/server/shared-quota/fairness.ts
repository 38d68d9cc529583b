/**
 * Who goes first. Edits do, because somebody sits and waits for that one cell; as many as a person can type, and
 * together at most a tenth of the quota. Then whoever has had the fewest calls in the last minute, and of those whoever
 * was served longest ago.
 * And nobody goes on who would take what people with fewer calls are about to ask for: those who wait, whose calls are
 * under way or ended a moment ago, or whose kept place is due. What each of them may want is judged by that:
 * a minute like these two seconds.
 * Invariant: who asks a lot takes nothing from who asks for less than an equal share.
 */
import { type AccountState, type Asker, type Person, personOf } from "./account-state";
import { duePlaces } from "./places";
import { allowance, isProbing, usedOf } from "./window";

/** Edits of a person in a minute that go first. */
const mostEditsOfAPerson = 20;
/** How often the time by which liveliness is judged fits into the window. */
const judgedTimesAMinute = 30;

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

/** Whether this person may have one more while others have had fewer. */
export function leavesEnough(state: AccountState, person: Person, nowMs: number): boolean {
  // Nothing may hold up the call that shows whether a refusal still holds.
  if (isProbing(state)) return true;
  const left = allowance(state, false, nowMs) - usedOf(state) - 1;
  if (left >= state.people.size * person.counted) return true;
  let owed = 0;
  for (const other of state.people.values()) {
    if (other === person || other.counted >= person.counted) continue;
    const lively = other.waiting.length + other.underWay + other.recent + duePlaces(other, nowMs);
    owed += Math.max(0, Math.min(person.counted, lively * judgedTimesAMinute) - other.counted);
    if (owed > left) return false;
  }
  return true;
}

/** How many calls that wait or will be back go before the next one of this person, itself counted in. */
export function rankOf(state: AccountState, name: string): number {
  const person = state.people.get(name);
  const own = (person?.waiting.length ?? 0) + (person?.places.length ?? 0) + 1;
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
