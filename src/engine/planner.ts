/**
 * What differs between the two operations in what is cached and queued: items are in groups of a store and an item type,
 * histories in groups with their parts. A planner finds entries, knows which answer serves which entry, and chooses the
 * entries of the next call. It is kept up to date with each change, so that the next call costs the same however many wait.
 */
import type { CallResult } from "./codec";
import type { Call, Entry, CachedAnswer } from "./entry";
import type { Cache } from "./cache";
import type { Queue, PartFilled } from "./queue";

export interface Planner<Query, T, Scope> {
  readonly cache: Cache<Query, T, Scope>;
  readonly queue: Queue<T, Scope>;
  /** The entry for this query, if the answer to it may be cached. */
  find(query: Query): Entry<T, Scope> | undefined;
  /** Caches an answer if it is newer than the cached one. Returns whether it was. */
  remember(entry: Entry<T, Scope>, answer: CachedAnswer<T>): boolean;
  /** The entry whose answer is the newest for this one: itself, or the whole history that it is a part of. */
  answerSourceOf(entry: Entry<T, Scope>): Entry<T, Scope>;
  /** What the newest answer says to this entry. */
  cachedAnswerOf(entry: Entry<T, Scope>): CachedAnswer<T> | null;
  /** The newest answer is shown once more. */
  markShown(entry: Entry<T, Scope>): void;
  /** A call, made up or under way, that brings this entry along and is new enough. */
  callThatBrings(entry: Entry<T, Scope>): Call<Entry<T, Scope>> | undefined;
  next(kind: "edit" | PartFilled): Batch<Entry<T, Scope>>;
  /** The first call of these queries, whatever is known of them. */
  firstOf(queries: readonly Query[]): Batch<Entry<T, Scope>>;
  /** A call has come to this. */
  callEnded(call: Call<Entry<T, Scope>>, result: CallResult<T, Entry<T, Scope>, unknown>): void;
}

/** What the next call takes; null where nothing may go. */
export type Batch<E> = Pick<Call<E>, "entries" | "isPartFilled"> | null;
