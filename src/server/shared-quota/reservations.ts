/**
 * Reservations for rejected calls. A rejected call is given a time to come back. Until shortly after that time, the room it
 * needs is not given to people who have used more. Each person has a limited number of queued calls and reservations;
 * calls beyond it get a time and no reservation.
 */
import { type AccountState, type Asker, changePerson, personOf } from "./account-state";
import { standingsOf } from "./standings";

export const mostPending = 6;
export const reservationLastsMs = 2_000;

export function reserve(state: AccountState, { person: name, crowd = null }: Asker, atMs: number): void {
  // The rejected call may have been all that was known of the person.
  const { pending } = standingsOf(state).of({ ...personOf(state, name), crowd });
  if (pending >= mostPending || state.reservationCount >= state.limit) return;
  changePerson(state, name, (person) => {
    person.crowd = crowd;
    person.reservations.push(atMs);
    person.reservations.sort((left, right) => left - right);
  });
  state.reservationCount += 1;
}

/** A call of this person has come back, so its reservation is no longer needed. */
export function useReservation(state: AccountState, name: string, nowMs: number): void {
  if ((personOf(state, name).reservations[0] ?? Infinity) > nowMs) return;
  changePerson(state, name, ({ reservations }) => void reservations.shift());
  state.reservationCount -= 1;
}

/** Releases reservations for which no call came back. */
export function releaseExpired(state: AccountState, name: string, nowMs: number): void {
  const { reservations } = personOf(state, name);
  const left = reservations.findIndex((atMs) => atMs + reservationLastsMs > nowMs);
  const expired = left < 0 ? reservations.length : left;
  if (expired === 0) return;
  changePerson(state, name, (person) => void person.reservations.splice(0, expired));
  state.reservationCount -= expired;
}

/** Releases the expired reservations of all people, at most every two seconds. */
export function releaseAllExpired(state: AccountState, nowMs: number): void {
  if (state.reservationCount === 0 || nowMs < state.reservationsCheckedAtMs + reservationLastsMs) return;
  state.reservationsCheckedAtMs = nowMs;
  for (const name of [...state.waitingPeople]) releaseExpired(state, name, nowMs);
}
