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

export interface Standings {
  readonly all: readonly Standing[];
  of(person: Person): Standing;
}

export function standingsOf({ people }: AccountState): Standings {
  const alone = new Map<Person, Standing>();
  const crowds = new Map<string, Standing>();
  for (const person of people.values()) {
    const standing = aloneStanding(person);
    if (!isInCrowd(person)) alone.set(person, standing);
    else crowds.set(person.crowd, together(crowds.get(person.crowd), standing));
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

function together(crowd: Standing | undefined, more: Standing): Standing {
  return {
    isCrowd: true,
    used: (crowd?.used ?? 0) + more.used,
    inFlight: (crowd?.inFlight ?? 0) + more.inFlight,
    priorityEdits: (crowd?.priorityEdits ?? 0) + more.priorityEdits,
    lastSentAtMs: Math.max(crowd?.lastSentAtMs ?? -Infinity, more.lastSentAtMs),
    pending: (crowd?.pending ?? 0) + more.pending,
    reservedAtMs: Math.min(crowd?.reservedAtMs ?? Infinity, more.reservedAtMs),
  };
}
