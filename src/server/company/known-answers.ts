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
   * The newest answer that holds each item, in the order of the values; undefined where none does. `scope` is what
   * tells apart items of the same spelling: whose they are, where, and of which type.
   */
  find(scope: string, values: readonly string[]): Promise<readonly (FetchedAnswer | undefined)[]>;
  keep(scope: string, answer: FetchedAnswer): Promise<void>;
}

/** What an answer costs in this process beside its bytes, and each of its items, about (measured with 1,000 of 100 and 20,000 of 1). */
const [bytesBeside, bytesOfItem] = [1_800, 160];

interface Place {
  readonly scope: string;
  /** For how many of its items it is the newest answer. */
  newestFor: number;
}

export function createKnownAnswers(maxBytes: number): KnownAnswers {
  const scopes = new Map<string, Map<string, FetchedAnswer>>();
  const kept = new LRUCache<FetchedAnswer, Place>({
    // Nothing fits in one byte.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (_place, { body, query }) =>
      body.length + bytesBeside + bytesOfItem * query.values.length,
    dispose: forget,
  });

  function forget({ scope }: Place, answer: FetchedAnswer): void {
    const newest = scopes.get(scope);
    for (const value of answer.query.values) if (newest?.get(value) === answer) newest.delete(value);
    if (newest?.size === 0) scopes.delete(scope);
  }

  /** Unless it cannot be read: then it is forgotten. */
  function readable(answer: FetchedAnswer | undefined): FetchedAnswer | undefined {
    if (answer === undefined || answer.records() !== null) return answer;
    kept.delete(answer);
    return undefined;
  }

  return {
    find(scope, values) {
      const newest = scopes.get(scope);
      if (newest === undefined) return Promise.resolve([]);
      const found = values.map((value) => readable(newest.get(value)));
      for (const answer of new Set(found)) if (answer !== undefined) kept.get(answer);
      return Promise.resolve(found);
    },
    keep(scope, answer) {
      const place: Place = { scope, newestFor: 0 };
      const newest = scopes.get(scope) ?? new Map<string, FetchedAnswer>();
      scopes.set(scope, newest);
      for (const value of answer.query.values) {
        const before = newest.get(value);
        if (before !== undefined && before.askedAtMs > answer.askedAtMs) continue;
        newest.set(value, answer);
        place.newestFor += 1;
        if (before !== undefined) outdate(before);
      }
      if (place.newestFor > 0) kept.set(answer, place);
      // Too large, or older than all that is known.
      if (!kept.has(answer)) forget(place, answer);
      return Promise.resolve();
    },
  };

  function outdate(answer: FetchedAnswer): void {
    const place = kept.peek(answer);
    if (place === undefined) return;
    place.newestFor -= 1;
    if (place.newestFor === 0) kept.delete(answer);
  }
}
