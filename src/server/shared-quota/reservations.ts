/**
 * Reservations for rejected calls. A rejected call is given a time to come back. Until shortly after that time, the room it
 * needs is not given to people who have used more. Each person has a limited number of queued calls and reservations;
 * calls beyond it get a time and no reservation.
 */
import { type AccountState, type Person, personOf, tidy } from "./account-state";
import { standingsOf } from "./standings";

export const mostPending = 6;
export const reservationLastsMs = 2_000;

export function reserve(state: AccountState, person: Person, atMs: number): void {
  if (standingsOf(state).of(person).pending >= mostPending || state.reservationCount >= state.limit) return;
  person.reservations.push(atMs);
  person.reservations.sort((left, right) => left - right);
  state.reservationCount += 1;
}

/** A call of this person has come back, so its reservation is no longer needed. */
export function useReservation(state: AccountState, person: Person, nowMs: number): void {
  if ((person.reservations[0] ?? Infinity) > nowMs) return;
  person.reservations.shift();
  state.reservationCount -= 1;
}

/** Releases reservations for which no call came back. */
export function releaseExpired(state: AccountState, person: Person, nowMs: number): void {
  while ((person.reservations[0] ?? Infinity) + reservationLastsMs <= nowMs) {
    person.reservations.shift();
    state.reservationCount -= 1;
  }
}

/** Releases the expired reservations of all people, at most every two seconds. */
export function releaseAllExpired(state: AccountState, nowMs: number): void {
  if (state.reservationCount === 0 || nowMs < state.reservationsCheckedAtMs + reservationLastsMs) return;
  state.reservationsCheckedAtMs = nowMs;
  for (const name of [...state.waitingPeople]) {
    releaseExpired(state, personOf(state, name), nowMs);
    tidy(state, name);
  }
}
