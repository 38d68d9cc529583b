/**
 * Who goes first. Edits go before all else, because somebody sits and waits for that one cell. Then people take
 * turns: whoever has had the fewest calls in the last minute, and of those who was served longest ago.
 * A person is a random name that a page gives itself; it is compared and forgotten, nothing else.
 * Invariant: a person who asks a lot delays nobody who asks a little by more than one call.
 */
import type { SteadyClock } from "./clock";

export interface Asker {
  readonly person: string;
  readonly isEdit: boolean;
}

export interface Turns {
  /** Below 0 when `left` goes before `right`; equal ones go in the order they came. */
  compare(left: Asker, right: Asker): number;
  /** A call left for this person. */
  served(person: string): void;
  isIdle(): boolean;
}

const memoryMs = 60_000;

interface Served {
  count: number;
  lastAtMs: number;
}

export function createTurns(clock: SteadyClock): Turns {
  const people = new Map<string, Served>();
  /** Oldest first. */
  const log: { readonly person: string; readonly atMs: number }[] = [];

  function forgetOld(): void {
    const sinceMs = clock.now() - memoryMs;
    for (let oldest = log[0]; oldest !== undefined && oldest.atMs <= sinceMs; oldest = log[0]) {
      log.shift();
      const known = people.get(oldest.person);
      if (known === undefined) continue;
      known.count -= 1;
      if (known.count === 0) people.delete(oldest.person);
    }
  }

  function compare(left: Asker, right: Asker): number {
    forgetOld();
    if (left.isEdit !== right.isEdit) return left.isEdit ? -1 : 1;
    const leftServed = people.get(left.person);
    const rightServed = people.get(right.person);
    return (
      (leftServed?.count ?? 0) - (rightServed?.count ?? 0) ||
      (leftServed?.lastAtMs ?? 0) - (rightServed?.lastAtMs ?? 0)
    );
  }

  return {
    compare,
    served(person) {
      // Here too, since where nobody ever waits nothing is compared.
      forgetOld();
      const atMs = clock.now();
      const known = people.get(person) ?? { count: 0, lastAtMs: 0 };
      known.count += 1;
      known.lastAtMs = atMs;
      people.set(person, known);
      log.push({ person, atMs });
    },
    isIdle() {
      forgetOld();
      return log.length === 0;
    },
  };
}
