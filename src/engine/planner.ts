/**
 * What differs between the operations in how queries are cached, queued and put together into calls: items are in groups of
 * a store and an item type, histories in groups with their parts. A planner is updated with each change, so that choosing the
 * next call costs the same however many entries wait.
 */
import type { CallResult } from "./codec";
import type { Call, Entry, CachedAnswer } from "./entry";
import type { Cache } from "./cache";
import type { Queue, PartFilled } from "./queue";

export interface Planner<Query, T, Scope> {
  readonly cache: Cache<Query, T, Scope>;
  readonly queue: Queue<T, Scope>;
  /** The entry for this query, if its answer may be cached. */
  find(query: Query): Entry<T, Scope> | undefined;
  /** Caches an answer if it is newer than the cached one. Returns whether it was. */
  remember(entry: Entry<T, Scope>, answer: CachedAnswer<T>): boolean;
  /** The entry whose answer serves this one: itself, or the whole history that it is a part of. */
  answerSourceOf(entry: Entry<T, Scope>): Entry<T, Scope>;
  /** The cached answer for this entry, possibly a part of a whole history. */
  cachedAnswerOf(entry: Entry<T, Scope>): CachedAnswer<T> | null;
  /** Marks its cached answer as recently used. */
  markShown(entry: Entry<T, Scope>): void;
  /** A call, assembled or in flight, that also brings this entry and is new enough. */
  callThatBrings(entry: Entry<T, Scope>): Call<Entry<T, Scope>> | undefined;
  next(kind: "edit" | PartFilled): Batch<Entry<T, Scope>>;
  /** The first call for these queries, whatever is cached. */
  firstOf(queries: readonly Query[]): Batch<Entry<T, Scope>>;
  /** Called with the result of each call. */
  callEnded(call: Call<Entry<T, Scope>>, result: CallResult<T, Entry<T, Scope>, unknown>): void;
}

/** The entries of the next call; null if nothing may be sent. */
export type Batch<E> = Pick<Call<E>, "entries" | "isPartFilled"> | null;
