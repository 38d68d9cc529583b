/**
 * Caches answers of the inventory lookup in memory, up to a number of bytes; the least recently used go first. The caller
 * says how old an answer may be. The interface contains only data, ages instead of times, and failures as results, so
 * that a store over the network (`in-redis`) can implement it too.
 * Invariant: of the cached records of an item, the one that was requested last is returned.
 */
import { LRUCache } from "lru-cache";
import type { SearchQuery } from "../../api/search-items";
import type { SteadyClock } from "./clock";
import { readSearchRecords, type SearchRecords } from "./search-records";

/** No method rejects. `scope` distinguishes equal items: it contains environment, URL, consumer, store and item type. */
export interface KnownAnswers {
  /**
   * Returns the newest record of each item, in the order of the values, if it is young enough. A store that several
   * servers share otherwise returns the lease of the call that will bring the item, or leases it to the caller until
   * `keep` or `free`.
   */
  find(scope: string, values: readonly string[], wish: Wish): Promise<FoundItems>;
  keep(scope: string, answer: FetchedAnswer, lease: string): Promise<"kept" | "away">;
  /** Ends the lease of a call that brought no answer. */
  free(scope: string, values: readonly string[], lease: string): Promise<"freed" | "away">;
  /** Resolves when the lease may have ended, or when it is time to look again. */
  changeOf(lease: string): Promise<void>;
}

export interface Wish {
  /** Unique among all calls of all servers. */
  readonly lease: string;
  /** 0 accepts no cached answer. */
  readonly maxAgeMs: number;
}

export type FoundItems =
  | { readonly kind: "found"; readonly items: readonly FoundItem[] }
  /** The store can't be asked now. */
  | { readonly kind: "away" };

export type FoundItem =
  | KnownRecord
  /** A call will bring it: the caller's own if this is its lease. */
  | { readonly kind: "leased"; readonly lease: string }
  /** Not cached, in a store without leases: a single server knows its own calls. */
  | { readonly kind: "missing" };

export interface KnownRecord extends Ages {
  readonly kind: "known";
  /** As JSON. */
  readonly record: string;
  /** The answer without its items, as JSON. */
  readonly around: string;
}

export interface FetchedAnswer extends Ages {
  readonly query: SearchQuery;
  /** The service's own bytes. If they can't be read, the answer is removed when somebody wants it. */
  readonly body: Buffer;
}

export interface Ages {
  /** Since the call was sent, and since its answer arrived. */
  readonly askedAgoMs: number;
  readonly fetchedAgoMs: number;
}

export interface KnownAnswersOptions {
  readonly clock: Pick<SteadyClock, "now">;
  readonly maxBytes: number;
  /** Called for each answer that is evicted. */
  readonly onEvict?: () => void;
}

/**
 * Bytes that an answer takes beside those that the service sent, for each item and for itself, once it is parsed
 * (measured with 500 answers of 100 items and 20,000 of one).
 */
const [costOfItem, costOfAnswer] = [320, 750];

const missing: FoundItem = { kind: "missing" };

interface Kept {
  readonly scope: string;
  readonly query: SearchQuery;
  readonly askedAtMs: number;
  readonly fetchedAtMs: number;
  /** Parsed when somebody wants one of its records. */
  content: Buffer | SearchRecords;
  /** The number of items for which it is the newest answer. */
  newestFor: number;
}

export function createKnownAnswers({ clock, maxBytes, onEvict }: KnownAnswersOptions): KnownAnswers {
  /** The newest answer by scope and item. A scope with a single answer has no map, because most stay so. */
  const scopes = new Map<string, Kept | Map<string, Kept>>();
  const kept = new LRUCache<Kept, number>({
    // The library refuses 0; nothing fits in one byte.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (cost) => cost,
    dispose(_cost, answer, reason) {
      forget(answer);
      if (reason === "evict") onEvict?.();
    },
  });

  function newestIn(scope: string): Map<string, Kept> | undefined {
    const found = scopes.get(scope);
    if (found === undefined || found instanceof Map) return found;
    const newest = new Map(found.query.values.map((value) => [value, found]));
    scopes.set(scope, newest);
    return newest;
  }

  function forget(answer: Kept): void {
    const newest = scopes.get(answer.scope);
    if (newest === answer) scopes.delete(answer.scope);
    if (!(newest instanceof Map)) return;
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
    const newest = newestIn(scope);
    if (newest === undefined) {
      scopes.set(scope, answer);
      answer.newestFor = query.values.length;
    } else takePlaceOfOlder(newest, answer);
    if (answer.newestFor === 0) return;
    kept.set(answer, body.length + costOfItem * query.values.length + costOfAnswer);
    // The cache refused it because it is too large.
    if (!kept.has(answer)) forget(answer);
  }

  function takePlaceOfOlder(newest: Map<string, Kept>, answer: Kept): void {
    for (const value of answer.query.values) {
      const before = newest.get(value);
      if (before !== undefined && before.askedAtMs > answer.askedAtMs) continue;
      newest.set(value, answer);
      answer.newestFor += 1;
      if (before !== undefined) outdate(before);
    }
  }

  /** Null, and removed from the cache, if it can't be read. */
  function recordsOf(answer: Kept): SearchRecords | null {
    if (!Buffer.isBuffer(answer.content)) return answer.content;
    const records = readSearchRecords(answer.content, answer.query);
    if (records === null) kept.delete(answer);
    else answer.content = records;
    return records;
  }

  function find(scope: string, values: readonly string[], maxAgeMs: number): readonly FoundItem[] {
    const nowMs = clock.now();
    const newest = maxAgeMs > 0 ? newestIn(scope) : undefined;
    if (newest === undefined) return values.map(() => missing);
    const used = new Set<Kept>();
    const found = values.map((value): FoundItem => {
      const answer = newest.get(value);
      if (answer !== undefined && nowMs - answer.askedAtMs > maxAgeMs) return missing;
      const records = answer === undefined ? null : recordsOf(answer);
      const record = records?.of.get(value);
      if (answer === undefined || records === null || record === undefined) return missing;
      used.add(answer);
      // No spread: there are a hundred of these in a call, and spreading takes ten times as long.
      return {
        kind: "known",
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
    find: (scope, values, { maxAgeMs }) =>
      Promise.resolve({ kind: "found", items: find(scope, values, maxAgeMs) }),
    keep(scope, answer) {
      keep(scope, answer);
      return Promise.resolve("kept");
    },
    free: () => Promise.resolve("freed"),
    changeOf: () => Promise.resolve(),
  };
}
