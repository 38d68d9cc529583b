/**
 * A lane as others see it, cells and refreshes, who ask, and those who send its calls; and the two things behind which
 * stands what differs between the operations, its wire and its index.
 */
import type { Failure } from "../api/outcomes";
import type { Transport } from "../api/transport";
import type { Credentials, Environment } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { Outcome, Waiter } from "./answer";
import type { Stamp, Call, Known, Entry, Canary } from "./entry";
import type { Clock } from "./clock";
import type { PartFilled, GroupQueues } from "./group-queues";
import type { ProgressBoard } from "./progress";
import type { Sheets } from "./arrivals";
import type { Settler } from "./lines";
import type { EngineSettings } from "./types";
import type { Groups } from "./groups";

/** For cells and refreshes. */
export interface Lane<Query, T> extends CallLane {
  /** The outcome, where it is known and this turn has room; else null, and the waiter is told. */
  ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null;
  /** From now on only answers of this epoch are fresh; what has none waits for a call, cells or no cells. */
  refresh(queries: readonly Query[], epoch: number): void;
  known(query: Query): Known<T> | null;
  isFresh(query: Query): boolean;
  /** Whether an answer as new as is wanted is on its way, so that asking joins it. */
  isComing(query: Query): boolean;
  /** What a changed setting has made fresh while it waited needs no call. */
  giveFresh(): void;
  /** Puts the first call of these queries before all others, whatever is known of them. */
  sendCanary(queries: readonly Query[], canary: Canary): Call;
  reorder(): void;
  clear(): void;
}

/** For those who send. */
export interface CallLane {
  /** The next call of its kind, or null. */
  take(kind: CallKind): Call | null;
  /** It leaves. */
  left(call: Call, asked: Stamp): void;
  build(call: Call, accessToken: string, signal: AbortSignal): Request;
  receive(call: Call, response: Response): Promise<ServiceAnswer | Failure>;
  settle(call: Call, answer: ServiceAnswer): void;
  fail(call: Call, error: InvError): void;
  /** Sent again: before the others, or after them when it has failed; anew, as if it had never been taken. */
  sendAgain(call: Call, place: "anew" | "first" | "last"): void;
  /** Fails a call that has not left, unless it has ended meanwhile. */
  giveUp(call: Call, error: InvError): void;
  /** Fails all that waits; `sparing` leaves what a standing fault does not stop. */
  failWaiting(error: InvError, sparing?: "canaries"): void;
  endTurn(isEdit: boolean): void;
  /** When a call of this kind may be taken, as far as the lane knows; Infinity where none waits. */
  readyAtMs(kind: CallKind): number;
  isWaiting(): boolean;
  callsWaiting(): number;
}

/** A canary, what an edit waits for, or anything, part-filled calls as far as they may go. */
export type CallKind = "canary" | "edit" | PartFilled;

/** What the service said, as a wire understands it. */
export interface ServiceAnswer {
  readonly kind: string;
}

/** What serves one connection: what belongs to it, and what outlives it. */
export interface ConnectionTools {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly settings: () => EngineSettings;
  /** By the steady clock: what was known before it is not to be shown again. */
  readonly clearedAtMs: () => number;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly connections: number;
  /** Of an answer. */
  readonly maxBytes: number;
  /** Queries of a refresh. */
  readonly queuedPerTurn: number;
  /** A call was answered after so long. */
  readonly onAnswered: (latencyMs: number) => void;
  /** More is about to wait until then, so what fills part of a call may fill it yet. */
  readonly gather: (until: Promise<void>) => void;
  readonly isGathering: () => boolean;
}

/**
 * What differs between the two operations on the wire, over `api`'s functions: how a call is built, and what the answer to
 * it means. A wire decides nothing about when and how often, and keeps nothing.
 */
export interface Wire<T, E, P, A extends ServiceAnswer> {
  build(call: Call<E, P>, accessToken: string, signal: AbortSignal): Request;
  /** Never rejects. */
  receive(call: Call<E, P>, response: Response): Promise<A | Failure>;
  read(call: Call<E, P>, answer: A): Reading<T, E, P>;
  /** What a call means that nobody answered. */
  unanswered(call: Call<E, P>, error: InvError): Reading<T, E, P>;
}

/** What a call came to, for all that it holds. */
export interface Reading<T, E, P> {
  readonly answered: readonly { readonly entry: E; readonly answer: Known<T> }[];
  /** Not this call's fault: wait again, before those that came later. */
  readonly again: readonly E[];
  readonly failed: readonly { readonly entry: E; readonly error: InvError }[];
  /** Calls that go on from this one: the next page, the next part of a bisection. */
  readonly follows: readonly Call<E, P>[];
}

/** To begin with. */
export const nothingRead = { answered: [], again: [], failed: [], follows: [] };

/**
 * What is held and what waits, and what differs in it: items stand in groups of a store and an item type, histories beside
 * their parts. An index finds entries, knows which waits for what, and makes up the next call. It is kept up to date with
 * each change, so that the next call costs the same however many wait.
 */
export interface WaitingIndex<Query, T, Of> extends Pick<Groups<Query, T, Of>, "find" | "remember"> {
  readonly groups: Pick<Groups<Query, T, Of>, "entryOf" | "tidy" | "clear">;
  readonly queues: Omit<GroupQueues<T, Of>, "nextGroup" | "takeFrom">;
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
