/**
 * Whose calls count together. Usually these are one person's. But a page that requests a token for each call looks like
 * endless new people. So all newcomers of a crowd (one address and consumer) that have made a single call in the last
 * minute count as one person. From its second call on, a newcomer counts alone, with its first call.
 */
import type { AccountState, Person } from "./account-state";

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

/** True until the state changes. */
export interface Standings {
  readonly all: readonly Standing[];
  of(person: Person): Standing;
}

/** Looks at all people, and a greedy page can look like hundreds: decisions about one state share the result. */
export function standingsOf({ people }: AccountState): Standings {
  const alone = new Map<Person, Standing>();
  const crowds = new Map<string, Sum>();
  for (const person of people.values()) {
    if (!isInCrowd(person)) {
      alone.set(person, aloneStanding(person));
      continue;
    }
    let crowd = crowds.get(person.crowd);
    if (crowd === undefined) crowds.set(person.crowd, (crowd = emptyCrowd()));
    add(crowd, person);
  }
  return {
    all: [...alone.values(), ...crowds.values()],
    of: (person) =>
      (isInCrowd(person) ? crowds.get(person.crowd) : alone.get(person)) ?? aloneStanding(person),
  };
}

function isInCrowd(person: Person): person is Person & { crowd: string } {
  return person.crowd !== null && person.used + pendingOf(person) <= 1;
}

function pendingOf({ queued, reservations }: Person): number {
  return queued.length + reservations.length;
}

function aloneStanding(person: Person): Standing {
  const { used, inFlight, priorityEdits, lastSentAtMs, reservations } = person;
  const [reservedAtMs = Infinity] = reservations;
  const pending = pendingOf(person);
  return { isCrowd: false, used, inFlight, priorityEdits, lastSentAtMs, pending, reservedAtMs };
}

type Sum = { -readonly [Part in keyof Standing]: Standing[Part] };

function emptyCrowd(): Sum {
  const nothing = { used: 0, inFlight: 0, priorityEdits: 0, pending: 0 };
  return { isCrowd: true, ...nothing, lastSentAtMs: -Infinity, reservedAtMs: Infinity };
}

function add(crowd: Sum, person: Person): void {
  crowd.used += person.used;
  crowd.inFlight += person.inFlight;
  crowd.priorityEdits += person.priorityEdits;
  crowd.lastSentAtMs = Math.max(crowd.lastSentAtMs, person.lastSentAtMs);
  crowd.pending += pendingOf(person);
  crowd.reservedAtMs = Math.min(crowd.reservedAtMs, person.reservations[0] ?? Infinity);
}
