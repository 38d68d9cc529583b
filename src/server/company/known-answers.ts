/**
 * Answers of the inventory lookup that the company's calls have brought. Bounded in bytes, in memory, gone with the
 * process; the least used go first. How old an answer may be is for who asks. Callers know the interface alone: data in
 * and out, ages in place of times of a clock that only one process has, and a store that cannot be asked as an
 * outcome, so that one over the network can stand behind it.
 * Invariant: for no item a record is given that was asked for before another one that is known.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "./clock";
import type { SearchQuery } from "./search-query";
import { readSearchRecords, type SearchRecords } from "./search-records";

/** Neither of the two rejects. */
export interface KnownAnswers {
  /**
   * The newest record of each item, in the order of the values. `scope` is what tells apart items of the same spelling:
   * whose they are, where, and of which type.
   */
  find(scope: string, values: readonly string[]): Promise<FoundRecords>;
  keep(scope: string, answer: FetchedAnswer): Promise<"kept" | "away">;
}

export type FoundRecords =
  | { readonly kind: "found"; readonly records: readonly (KnownRecord | null)[] }
  /** The store cannot be asked now. */
  | { readonly kind: "away" };

export interface KnownRecord extends Ages {
  /** As JSON. */
  readonly record: string;
  /** What its answer said around it, as JSON. */
  readonly around: string;
}

export interface FetchedAnswer extends Ages {
  readonly query: SearchQuery;
  /** As the service gave it; one that cannot be read is forgotten when somebody asks. */
  readonly body: Buffer;
}

export interface Ages {
  /** Since the call was sent, and since its answer was there. */
  readonly askedAgoMs: number;
  readonly fetchedAgoMs: number;
}

export interface KnownAnswersOptions {
  readonly clock: Pick<SteadyClock, "now">;
  readonly maxBytes: number;
}

/**
 * What an answer costs in this process once it is read, which is more than before: beside the bytes that the service
 * sent so much for each item, and for itself (measured with 500 answers of 100 items and 20,000 of one).
 */
const [costOfItem, costOfAnswer] = [320, 750];

interface Kept {
  readonly scope: string;
  readonly query: SearchQuery;
  readonly askedAtMs: number;
  readonly fetchedAtMs: number;
  /** Its bytes, until the first of its records is wanted. */
  content: Buffer | SearchRecords;
  /** For how many of its items it is the newest answer. */
  newestFor: number;
}

export function createKnownAnswers({ clock, maxBytes }: KnownAnswersOptions): KnownAnswers {
  /** The newest answer by scope and item. */
  const scopes = new Map<string, Map<string, Kept>>();
  const kept = new LRUCache<Kept, number>({
    // Nothing fits in one byte.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (cost) => cost,
    dispose: (_, answer) => forget(answer),
  });

  function forget(answer: Kept): void {
    const newest = scopes.get(answer.scope);
    if (newest === undefined) return;
    for (const value of answer.query.values) if (newest.get(value) === answer) newest.delete(value);
    if (newest.size === 0) scopes.delete(answer.scope);
  }

  function outdate(answer: Kept): void {
    answer.newestFor -= 1;
    if (answer.newestFor === 0) kept.delete(answer);
  }

  function keep(scope: string, { query, body, askedAgoMs, fetchedAgoMs }: FetchedAnswer): void {
    const nowMs = clock.now();
    const [askedAtMs, fetchedAtMs] = [nowMs - askedAgoMs, nowMs - fetchedAgoMs];
    const answer: Kept = { scope, query, askedAtMs, fetchedAtMs, content: body, newestFor: 0 };
    const newest = scopes.get(scope) ?? new Map<string, Kept>();
    for (const value of query.values) {
      const before = newest.get(value);
      if (before !== undefined && before.askedAtMs > askedAtMs) continue;
      newest.set(value, answer);
      answer.newestFor += 1;
      if (before !== undefined) outdate(before);
    }
    if (answer.newestFor === 0) return;
    scopes.set(scope, newest);
    kept.set(answer, body.length + costOfItem * query.values.length + costOfAnswer);
    // Too large.
    if (!kept.has(answer)) forget(answer);
  }

  /** Null, and forgotten, where it cannot be read. */
  function recordsOf(answer: Kept): SearchRecords | null {
    if (!Buffer.isBuffer(answer.content)) return answer.content;
    const records = readSearchRecords(answer.content, answer.query);
    if (records === null) kept.delete(answer);
    else answer.content = records;
    return records;
  }

  function find(scope: string, values: readonly string[]): readonly (KnownRecord | null)[] {
    const nowMs = clock.now();
    const newest = scopes.get(scope);
    if (newest === undefined) return values.map(() => null);
    const used = new Set<Kept>();
    const found = values.map((value): KnownRecord | null => {
      const answer = newest.get(value);
      const records = answer === undefined ? null : recordsOf(answer);
      const record = records?.of.get(value);
      if (answer === undefined || records === null || record === undefined) return null;
      used.add(answer);
      // Written out: a hundred of them a call, and spreading takes ten times as long.
      return {
        record,
        around: records.around,
        askedAgoMs: nowMs - answer.askedAtMs,
        fetchedAgoMs: nowMs - answer.fetchedAtMs,
      };
    });
    for (const answer of used) kept.get(answer);
    return found;
  }

  return {
    find: (scope, values) => Promise.resolve({ kind: "found", records: find(scope, values) }),
    keep(scope, answer) {
      keep(scope, answer);
      return Promise.resolve("kept");
    },
  };
}
