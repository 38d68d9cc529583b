/**
 * Answers of the inventory lookup that the company's calls have brought. Bounded in bytes, in memory, gone with the
 * process; the least used go first. How old an answer may be is for who asks. Callers know the interface alone: data in
 * and out, ages in place of times of a clock that only one process has, and a store that cannot be asked as an
 * outcome, so that one over the network can stand behind it.
 * Invariant: for no item a record is given that was asked for before another one that is known.
 */
import { LRUCache } from "lru-cache";
import type { SearchQuery } from "../../api/search-items";
import type { Asker } from "./account-state";
import type { SteadyClock } from "./clock";
import { readSearchRecords, type SearchRecords } from "./search-records";

/** None of it rejects. `scope` is what tells apart items of the same spelling: whose they are, where, and of which type. */
export interface KnownAnswers {
  /**
   * Of each item, in the order of the values, its newest record where that is young enough. In a store that several servers
   * share: else whose call is bringing it; else it is leased to who asks, until the lease is given back by one of the
   * other two.
   */
  find(scope: string, values: readonly string[], wish: Wish): Promise<FoundItems>;
  keep(scope: string, answer: FetchedAnswer, lease: string): Promise<"kept" | "away">;
  /** Nothing came of it. */
  free(scope: string, values: readonly string[], lease: string): Promise<"freed" | "away">;
  /**
   * Resolves when that lease may have ended, and at the latest when it is time to look again. Where somebody waits for it
   * who has just typed a cell, the server whose call it is hears of it.
   */
  changeOf(lease: string, asker: Asker): Promise<void>;
  /** Told of edits that wait at other servers for a lease of this one. */
  onEdit(listener: (lease: string, person: string) => void): void;
}

export interface Wish {
  /** Two calls never name the same, at whichever servers. */
  readonly lease: string;
  /** 0 takes nothing that others asked for. */
  readonly maxAgeMs: number;
}

export type FoundItems =
  | { readonly kind: "found"; readonly items: readonly FoundItem[] }
  /** The store cannot be asked now. */
  | { readonly kind: "away" };

export type FoundItem =
  | KnownRecord
  /** A call is bringing it: this one where it is the lease of who asked. */
  | { readonly kind: "leased"; readonly lease: string }
  /** Nobody knows it, and this store leases nothing: it is one server's, which knows its own calls. */
  | { readonly kind: "missing" };

export interface KnownRecord extends Ages {
  readonly kind: "known";
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
  /** Called for each answer that makes room for others. */
  readonly onEvict?: () => void;
}

/**
 * What an answer costs in this process once it is read, which is more than before: beside the bytes that the service
 * sent so much for each item, and for itself (measured with 500 answers of 100 items and 20,000 of one).
 */
const [costOfItem, costOfAnswer] = [320, 750];

const missing: FoundItem = { kind: "missing" };

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

export function createKnownAnswers({ clock, maxBytes, onEvict }: KnownAnswersOptions): KnownAnswers {
  /** The newest answer by scope and item; one alone until somebody asks there again, since of most nobody does. */
  const scopes = new Map<string, Kept | Map<string, Kept>>();
  const kept = new LRUCache<Kept, number>({
    // Nothing fits in one byte.
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
    // Too large.
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

  /** Null, and forgotten, where it cannot be read. */
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
      // Written out: a hundred of them a call, and spreading takes ten times as long.
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
    onEdit: () => undefined,
  };
}
