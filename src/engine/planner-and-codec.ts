/**
 * What differs between the two operations, items and histories. A planner decides how queries are cached, queued and put
 * together into calls, and which query answers others, too. A codec builds the request of a call and says what its response
 * means for each entry. It stores nothing, and it doesn't decide when or how often a call is sent.
 */
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { Cache } from "./cache";
import type { Call, CachedAnswer, Entry } from "./entry";
import type { CallKind, Queue } from "./queue";

export interface Planner<Query, T> {
  readonly cache: Cache<Query, T>;
  readonly queue: Queue<Query, T>;
  queryOf(entry: Entry<Query, T>): Query;
  /** Caches an answer if it is newer than the cached one. */
  remember(entry: Entry<Query, T>, answer: CachedAnswer<T>): void;
  /** Queries whose answer contains those of others: a whole history answers its event types. Null if there are none. */
  readonly wider: Wider<Query, T> | null;
  /** The entries of the next call; null if nothing may be sent. */
  next(kind: CallKind): Batch<Query, T> | null;
  /** Called with the result of each call. */
  callEnded(call: Call<Query, T>, result: CallResult<Query, T>): void;
}

/** The batcher answers an entry from the wider one's cached answer, and lets it join the wider one's call. */
interface Wider<Query, T> {
  /** The entry whose answer contains this one's; undefined if nobody has requested it, or if this entry is the widest. */
  of(entry: Entry<Query, T>): Entry<Query, T> | undefined;
  /** The part of the wider answer that this entry needs. */
  partOf(answer: CachedAnswer<T>, entry: Entry<Query, T>): CachedAnswer<T>;
  /** Whether other entries may join a call for this wider one. */
  mayJoin(wider: Entry<Query, T>): boolean;
}

/** The entries that a planner has put together. The batcher makes them a call. */
export type Batch<Query, T> = Pick<Call<Query, T>, "entries" | "isPartFilled">;

export interface Codec<Query, T> {
  build(call: Call<Query, T>, accessToken: string, signal: AbortSignal): Request;
  /** Reads the response without these secrets. Never rejects. */
  receive(
    call: Call<Query, T>,
    response: Response,
    secrets: readonly string[],
  ): Promise<Failure | Reply<Query, T>>;
  /** The result of a call that failed. */
  resultOfFailure(call: Call<Query, T>, error: InvError): CallResult<Query, T>;
}

/** A response that is not a failure. `read` interprets it when the call is settled. */
export interface Reply<Query, T> {
  readonly kind: "answered";
  read(): CallResult<Query, T>;
}

/** What a response means for all entries of its call. */
export interface CallResult<Query, T> {
  readonly answered: readonly { readonly entry: Entry<Query, T>; readonly answer: CachedAnswer<T> }[];
  /** Entries that another item's error left without an answer. They are queued again, before those that came later. */
  readonly requeued: readonly Entry<Query, T>[];
  readonly unanswered: readonly { readonly entry: Entry<Query, T>; readonly error: InvError }[];
  /** The call that continues this one: the next page, the next part of a bisection. */
  readonly continuation: Call<Query, T> | null;
}

export const emptyResult = { answered: [], requeued: [], unanswered: [], continuation: null };
