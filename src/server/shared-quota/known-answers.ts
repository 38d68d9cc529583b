/**
 * Caches answers of the inventory lookup in memory, up to a number of bytes. It evicts whole scopes (a scope is a shop of a
 * consumer), the least recently used first. The caller says how old an answer may be. The interface contains only data,
 * ages instead of times, and failures as results, so that Redis can implement it too (`in-redis`).
 * Invariant: of the cached records of an item, the one that was requested last is returned.
 */
import { LRUCache } from "lru-cache";
import type { SearchQuery } from "../../api/search-items";
import type { SteadyClock } from "../steady-clock";
import { readSearchRecords, type SearchRecords } from "./search-format";

/** No method rejects. `scope` distinguishes equal items: it contains environment, URL, consumer, store and item type. */
export interface KnownAnswers {
  /**
   * Returns the newest cached record of each item, in the order of the values, if it is young enough. Otherwise a cache
   * that several servers share returns the claim of the call that will bring the item. If there is no such call, the item
   * is the caller's until `keep` or `release`. Null when the cache can't be reached now.
   */
  find(scope: string, values: readonly string[], wish: Wish): Promise<readonly FoundItem[] | null>;
  /** Stores an answer, and ends the claim of its call. */
  keep(scope: string, answer: FetchedAnswer, claim: string): Promise<void>;
  /** Ends the claim of a call that brought no answer. */
  release(scope: string, values: readonly string[], claim: string): Promise<void>;
}

interface Wish {
  /** Unique among all calls of all servers. */
  readonly claim: string;
  /** 0 accepts no cached answer. */
  readonly maxAgeMs: number;
}

export type FoundItem =
  | KnownRecord
  /** A call will bring it: the caller's own if this is its claim. */
  | { readonly kind: "claimed"; readonly claim: string }
  /** Not cached, in a cache without claims: a single server knows its own calls. */
  | { readonly kind: "missing" };

interface KnownRecord extends Ages {
  readonly kind: "known";
  /** JSON. */
  readonly record: string;
  /** The answer without its items, as JSON. */
  readonly around: string;
}

export interface FetchedAnswer extends Ages {
  readonly query: SearchQuery;
  /** The service's own bytes. */
  readonly body: Buffer;
}

interface Ages {
  /** Time since the call was sent. */
  readonly askedAgoMs: number;
  /** Time since its answer arrived. */
  readonly fetchedAgoMs: number;
}

export interface KnownAnswersOptions {
  readonly clock: Pick<SteadyClock, "now">;
  readonly maxBytes: number;
  /** Called for each scope that is evicted. */
  readonly onEvict?: () => void;
}

/**
 * Memory of a parsed answer in addition to the service's own bytes: for each item, and for the answer (measured with 500
 * answers of 100 items and 20,000 of one).
 */
const costOfItem = 320;
const costOfAnswer = 750;

const missing: FoundItem = { kind: "missing" };

interface CachedAnswer {
  readonly query: SearchQuery;
  readonly askedAtMs: number;
  readonly fetchedAtMs: number;
  readonly bytes: number;
  /** Parsed when somebody wants one of its records; null if it can't be read. */
  content: Buffer | SearchRecords | null;
  /** The number of items for which it is the newest answer. */
  newestFor: number;
}

interface Scope {
  /** The newest answer by item. */
  readonly newest: Map<string, CachedAnswer>;
  readonly bytes: number;
}

export function createKnownAnswers({ clock, maxBytes, onEvict }: KnownAnswersOptions): KnownAnswers {
  const scopes = new LRUCache<string, Scope>({
    // The library refuses 0; nothing fits in one byte.
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: ({ bytes }) => bytes,
    dispose(_scope, _key, reason) {
      if (reason === "evict") onEvict?.();
    },
  });

  function keep(scope: string, { query, body, askedAgoMs, fetchedAgoMs }: FetchedAnswer): void {
    const nowMs = clock.now();
    const answer: CachedAnswer = {
      query,
      askedAtMs: nowMs - askedAgoMs,
      fetchedAtMs: nowMs - fetchedAgoMs,
      bytes: body.length + costOfItem * query.values.length + costOfAnswer,
      content: body,
      newestFor: 0,
    };
    const { newest, bytes } = scopes.peek(scope) ?? { newest: new Map<string, CachedAnswer>(), bytes: 0 };
    let replacedBytes = 0;
    for (const value of query.values) {
      const before = newest.get(value);
      if (before !== undefined && before.askedAtMs > answer.askedAtMs) continue;
      newest.set(value, answer);
      answer.newestFor += 1;
      if (before === undefined) continue;
      before.newestFor -= 1;
      if (before.newestFor === 0) replacedBytes += before.bytes;
    }
    if (answer.newestFor > 0) scopes.set(scope, { newest, bytes: bytes + answer.bytes - replacedBytes });
  }

  function find(scope: string, values: readonly string[], maxAgeMs: number): readonly FoundItem[] {
    const nowMs = clock.now();
    const newest = maxAgeMs > 0 ? scopes.get(scope)?.newest : undefined;
    return values.map((value): FoundItem => {
      const answer = newest?.get(value);
      if (answer === undefined || nowMs - answer.askedAtMs > maxAgeMs) return missing;
      const records = recordsOf(answer);
      const record = records?.byValue.get(value);
      if (records === null || record === undefined) return missing;
      // No spread: there are a hundred of these in a call, and spreading takes ten times as long.
      return {
        kind: "known",
        record,
        around: records.around,
        askedAgoMs: nowMs - answer.askedAtMs,
        fetchedAgoMs: nowMs - answer.fetchedAtMs,
      };
    });
  }

  return {
    find: (scope, values, { maxAgeMs }) => Promise.resolve(find(scope, values, maxAgeMs)),
    keep(scope, answer) {
      keep(scope, answer);
      return Promise.resolve();
    },
    release: () => Promise.resolve(),
  };
}

function recordsOf(answer: CachedAnswer): SearchRecords | null {
  if (Buffer.isBuffer(answer.content)) answer.content = readSearchRecords(answer.content, answer.query);
  return answer.content;
}
