/**
 * What differs between the two operations in what is held and what waits: items stand in groups of a store and an
 * item type, histories beside their parts. An index finds entries, knows which waits for what, makes up the next call,
 * and bounds the memory of answers. It is kept up to date with each change, so that the next call costs the same
 * however many wait.
 */
import type { Call } from "./call";
import type { Entry, Known } from "./entry";
import type { GroupQueues, PartFilled } from "./group-queues";
import type { Reading } from "./wire";

/** What is known. */
export interface Memory<Query, T, E extends Entry<T>> {
  /** Made where there is none. */
  entryOf(query: Query): E;
  find(query: Query): E | undefined;
  /** The entry whose answer is the newest for this one: itself, or the whole history that it is a part of. */
  sourceOf(entry: E): E;
  /** What the newest answer says to this entry. */
  known(entry: E): Known<T> | null;
  /** Keeps an answer if it is newer than what is known. */
  remember(entry: E, answer: Known<T>): void;
  /** The newest answer is shown once more. */
  shown(entry: E): void;
  /** It may be forgotten, if nothing holds it. */
  tidy(entry: E): void;
  /** Forgets every answer; what waits goes on waiting. */
  clear(): void;
}

/** And what waits. */
export interface WaitingIndex<Query, T, E extends Entry<T>>
  extends Memory<Query, T, E>, Omit<GroupQueues<E, never>, "nextGroup" | "takeFrom"> {
  /** A call, made up or under way, that brings this entry along and is new enough. */
  callAlong(entry: E): Call<E> | undefined;
  next(kind: "edit" | PartFilled): NextCall<E>;
  /** The first call of these queries, whatever is known of them. */
  firstOf(queries: readonly Query[]): NextCall<E>;
  /** A call has come to this. */
  ended(call: Call<E>, reading: Reading<T, E, unknown>): void;
}

/** What the next call takes; null where nothing may go. */
export type NextCall<E> = Pick<Call<E>, "entries" | "isPartFilled"> | null;
