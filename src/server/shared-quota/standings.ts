/**
 * Whose calls count together. Usually these are one person's. But a page that requests a token for each call looks like
 * endless new people. So all newcomers of a crowd (one address and consumer) that have made a single call in the last
 * minute count as one person. From its second call on, a newcomer counts alone, with its first call.
 */
import { type AccountState, isInCrowd, pendingOf, type Person } from "./account-state";

/** A person's calls, or those of a crowd. */
export interface Standing {
  readonly isCrowd: boolean;
  /** Calls that count. */
  readonly used: number;
  readonly inFlight: number;
  readonly priorityEdits: number;
  readonly lastSentAtMs: number;
  /** Queued calls, and rejected ones that will come back. */
  readonly pending: number;
  /** When the first rejected call comes back; Infinity if there is none. */
  readonly reservedAtMs: number;
}

/** Valid until the state changes. */
export interface Standings {
  readonly all: readonly Standing[];
  of(person: Person): Standing;
}

/** Its cost grows with the people who count alone or wait. A greedy page can look like hundreds, but these are in crowds. */
export function standingsOf({
  people,
  alone: peopleAlone,
  crowds: sums,
  waitingPeople,
}: AccountState): Standings {
  const alone = new Map([...peopleAlone].map((person) => [person, aloneStanding(person)]));
  const crowds = new Map([...sums].map(([name, sum]) => [name, { ...nobodyWaits, ...sum }]));
  for (const name of waitingPeople) {
    const person = people.get(name);
    if (person === undefined || !isInCrowd(person)) continue;
    const crowd = crowds.get(person.crowd);
    if (crowd === undefined) continue;
    crowd.pending += pendingOf(person);
    crowd.reservedAtMs = Math.min(crowd.reservedAtMs, person.reservations[0] ?? Infinity);
  }
  return {
    all: [...alone.values(), ...crowds.values()],
    of: (person) =>
      (isInCrowd(person) ? crowds.get(person.crowd) : alone.get(person)) ?? aloneStanding(person),
  };
}

const nobodyWaits = { isCrowd: true, pending: 0, reservedAtMs: Infinity };

function aloneStanding(person: Person): Standing {
  const { used, inFlight, priorityEdits, lastSentAtMs, reservations } = person;
  const [reservedAtMs = Infinity] = reservations;
  const pending = pendingOf(person);
  return { isCrowd: false, used, inFlight, priorityEdits, lastSentAtMs, pending, reservedAtMs };
}
