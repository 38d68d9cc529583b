/**
 * The places of calls that were rejected: each was given a time of its own, and until a moment after that time what
 * it needs is not given to those who have had more. A person has so many ahead at most, those who wait in line counted
 * in; whoever asks for more is told a time and kept no place.
 */
import { type AccountState, type Person, personOf, tidy } from "./account-state";

export const mostAhead = 6;
export const keptForMs = 2_000;

export function aheadOf({ waiting, places }: Person): number {
  return waiting.length + places.length;
}

export function keepPlace(state: AccountState, person: Person, atMs: number): void {
  if (aheadOf(person) >= mostAhead || state.keptPlaces >= state.limit) return;
  person.places.push(atMs);
  person.places.sort((left, right) => left - right);
  state.keptPlaces += 1;
}

/** A call of this person is here: the place that was kept for it is needed no more. */
export function takePlace(state: AccountState, person: Person, nowMs: number): void {
  if ((person.places[0] ?? Infinity) > nowMs) return;
  person.places.shift();
  state.keptPlaces -= 1;
}

/** Nobody came for them: they are given on. */
export function giveUpLapsed(state: AccountState, person: Person, nowMs: number): void {
  while ((person.places[0] ?? Infinity) + keptForMs <= nowMs) {
    person.places.shift();
    state.keptPlaces -= 1;
  }
}

/** Those of everybody, once in a while. */
export function giveUpAllLapsed(state: AccountState, nowMs: number): void {
  if (state.keptPlaces === 0 || nowMs < state.lookedAtPlacesMs + keptForMs) return;
  state.lookedAtPlacesMs = nowMs;
  for (const name of [...state.asking]) {
    giveUpLapsed(state, personOf(state, name), nowMs);
    tidy(state, name);
  }
}
