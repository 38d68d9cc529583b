/**
 * Answers of the inventory lookup that the company's calls have brought. Bounded in bytes, in memory, gone with the
 * process; the least used go first. How old an answer may be is for who asks. Callers know the interface alone,
 * so that a store of several processes can stand behind it.
 * Invariant: for no item an answer is given that was asked for before another one that is known.
 */
import { LRUCache } from "lru-cache";
import type { FetchedAnswer } from "./fetched-answer";

export interface KnownAnswers {
  /**
   * The newest answer that holds each item, in the order of the values; undefined where none does, and no list where
   * nothing is known in the scope: the values are then not asked for. `scope` is what tells apart items of the same
   * spelling: whose they are, where, and of which type.
   */
  find(scope: string, values: () => readonly string[]): Promise<readonly (FetchedAnswer | undefined)[]>;
  keep(scope: string, answer: FetchedAnswer): Promise<void>;
}

/**
 * What an answer costs in this process beside its bytes, and for each byte of what it was asked by: that byte, and the
 * items once they are read, about 160 bytes each (measured with 1,000 answers of 100 items and 20,000 of one).
 */
const [bytesBeside, bytesOfAsked] = [1_000, 11];

interface Scope {
  /** The first answer, until somebody asks or a second comes: of most nothing else is ever wanted. */
  unread: FetchedAnswer | null;
  readonly newest: Map<string, FetchedAnswer>;
}

interface Place {
  readonly scope: string;
  /** For how many of its items it is the newest answer. */
  newestFor: number;
}

export function createKnownAnswers(maxBytes: number): KnownAnswers {
  const scopes = new Map<string, Scope>();
  const kept = new LRUCache<FetchedAnswer, Place>({
    // Nothing fits in one byte.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (_place, { body, start }) =>
      body.length + bytesBeside + bytesOfAsked * start.body.length,
    dispose: forget,
  });

  function forget({ scope }: Place, answer: FetchedAnswer): void {
    const known = scopes.get(scope);
    if (known === undefined) return;
    if (known.unread === answer) known.unread = null;
    else {
      for (const value of answer.values()) if (known.newest.get(value) === answer) known.newest.delete(value);
    }
    if (known.unread === null && known.newest.size === 0) scopes.delete(scope);
  }

  /** Unless it cannot be read: then it is forgotten. */
  function readable(answer: FetchedAnswer | undefined): FetchedAnswer | undefined {
    if (answer === undefined || answer.records() !== null) return answer;
    kept.delete(answer);
    return undefined;
  }

  /** Gives an answer its items, as far as it is the newest for them. */
  function enter({ newest }: Scope, answer: FetchedAnswer, place: Place): void {
    for (const value of answer.values()) {
      const before = newest.get(value);
      if (before !== undefined && before.askedAtMs > answer.askedAtMs) continue;
      newest.set(value, answer);
      place.newestFor += 1;
      if (before !== undefined) outdate(before);
    }
  }

  function outdate(answer: FetchedAnswer): void {
    const place = kept.peek(answer);
    if (place === undefined) return;
    place.newestFor -= 1;
    if (place.newestFor === 0) kept.delete(answer);
  }

  function enterUnread(known: Scope): void {
    const { unread } = known;
    const place = unread && kept.peek(unread);
    if (!unread || !place) return;
    known.unread = null;
    enter(known, unread, place);
    if (place.newestFor === 0) kept.delete(unread);
  }

  return {
    find(scope, values) {
      const known = scopes.get(scope);
      if (known === undefined) return Promise.resolve([]);
      enterUnread(known);
      const found = values().map((value) => readable(known.newest.get(value)));
      for (const answer of new Set(found)) if (answer !== undefined) kept.get(answer);
      return Promise.resolve(found);
    },
    keep(scope, answer) {
      const place: Place = { scope, newestFor: 0 };
      const known = scopes.get(scope);
      if (known === undefined) {
        scopes.set(scope, { unread: answer, newest: new Map() });
      } else {
        enterUnread(known);
        enter(known, answer, place);
        // What stood there may have been its last, and the scope gone with it.
        scopes.set(scope, known);
      }
      if (known === undefined || place.newestFor > 0) kept.set(answer, place);
      // Too large, or older than all that is known.
      if (!kept.has(answer)) forget(place, answer);
      return Promise.resolve();
    },
  };
}
