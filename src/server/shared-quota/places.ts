/**
 * Places of rejected calls. A rejected call is given a time to come back. Until shortly after that time, the room it
 * needs is not given to people who have used more. Each person has a limited number of queued calls and places; calls
 * beyond it get a time and no place.
 */
import { type AccountState, type Person, personOf, tidy } from "./account-state";
import { standingsOf } from "./standings";

export const mostPending = 6;
export const placeLastsMs = 2_000;

export function reservePlace(state: AccountState, person: Person, atMs: number): void {
  if (standingsOf(state).of(person).pending >= mostPending || state.placeCount >= state.limit) return;
  person.places.push(atMs);
  person.places.sort((left, right) => left - right);
  state.placeCount += 1;
}

/** A call of this person has come back, so its place is no longer needed. */
export function usePlace(state: AccountState, person: Person, nowMs: number): void {
  if ((person.places[0] ?? Infinity) > nowMs) return;
  person.places.shift();
  state.placeCount -= 1;
}

/** Releases places for which no call came back. */
export function releaseExpired(state: AccountState, person: Person, nowMs: number): void {
  while ((person.places[0] ?? Infinity) + placeLastsMs <= nowMs) {
    person.places.shift();
    state.placeCount -= 1;
  }
}

/** Releases the expired places of all people, at most every two seconds. */
export function releaseAllExpired(state: AccountState, nowMs: number): void {
  if (state.placeCount === 0 || nowMs < state.placesCheckedAtMs + placeLastsMs) return;
  state.placesCheckedAtMs = nowMs;
  for (const name of [...state.waitingPeople]) {
    releaseExpired(state, personOf(state, name), nowMs);
    tidy(state, name);
  }
}
