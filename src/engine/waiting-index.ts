/**
 * What differs between the two operations in what is held and what waits: items stand in groups of a store and an
 * item type, histories beside their parts. An index finds entries, knows which waits for what, and makes up the next
 * call. It is kept up to date with each change, so that the next call costs the same however many wait.
 */
import type { Call } from "./call";
import type { Entry, Known } from "./entry";
import type { GroupQueues, PartFilled } from "./group-queues";
import type { Groups } from "./groups";
import type { Reading } from "./wire";

export interface WaitingIndex<Query, T, Of>
  extends
    Pick<Groups<Query, T, Of>, "entryOf" | "find" | "remember" | "tidy" | "clear">,
    Omit<GroupQueues<T, Of>, "nextGroup" | "takeFrom"> {
  /** The entry whose answer is the newest for this one: itself, or the whole history that it is a part of. */
  sourceOf(entry: Entry<T, Of>): Entry<T, Of>;
  /** What the newest answer says to this entry. */
  known(entry: Entry<T, Of>): Known<T> | null;
  /** The newest answer is shown once more. */
  shown(entry: Entry<T, Of>): void;
  /** A call, made up or under way, that brings this entry along and is new enough. */
  callAlong(entry: Entry<T, Of>): Call<Entry<T, Of>> | undefined;
  next(kind: "edit" | PartFilled): NextCall<Entry<T, Of>>;
  /** The first call of these queries, whatever is known of them. */
  firstOf(queries: readonly Query[]): NextCall<Entry<T, Of>>;
  /** A call has come to this. */
  ended(call: Call<Entry<T, Of>>, reading: Reading<T, Entry<T, Of>, unknown>): void;
}

/** What the next call takes; null where nothing may go. */
export type NextCall<E> = Pick<Call<E>, "entries" | "isPartFilled"> | null;
