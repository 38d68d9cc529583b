/** The batcher as its two users see it: cells and refreshes, and the scheduler with its senders. */
import type { Failure } from "../api/outcomes";
import type { InvError } from "../domain/errors";
import type { ServiceAnswer } from "./codec";
import type { Outcome, Waiter } from "./answer";
import type { CachedAnswer, Call, Probe, Stamp } from "./entry";
import type { PartFilled } from "./queue";

/** A probe, a call that an edit waits for, or any call (part-filled ones as far as they may go). */
export type CallKind = "probe" | "edit" | PartFilled;

/** What the scheduler and the senders use. */
export interface CallSource {
  /** The next call of its kind, or null. */
  take(kind: CallKind): Call | null;
  /** Records that the call has been sent. */
  markSent(call: Call, asked: Stamp): void;
  build(call: Call, accessToken: string, signal: AbortSignal): Request;
  receive(call: Call, response: Response): Promise<ServiceAnswer | Failure>;
  settle(call: Call, answer: ServiceAnswer): void;
  fail(call: Call, error: InvError): void;
  /** Sends a call again: `first` before the others, `last` after them, or `requeue` as if it had never been taken. */
  resend(call: Call, place: "requeue" | "first" | "last"): void;
  /** Fails a call that has not been sent; does nothing if it has ended meanwhile. */
  giveUp(call: Call, error: InvError): void;
  /** Fails everything that waits, except the probes where `sparing` says so. */
  failWaiting(error: InvError, sparing?: "probes"): void;
  endTurn(isEdit: boolean): void;
  /** When a call of this kind may be taken; Infinity if none waits. */
  readyAtMs(kind: CallKind): number;
  isWaiting(): boolean;
  callsWaiting(): number;
}

/** What cells and refreshes use. */
export interface Batcher<Query, T> extends CallSource {
  /** Returns the outcome if a fresh one is cached and this turn has room for it; else null, and the waiter is settled later. */
  ask(query: Query, waiter: Waiter<T>, cell: string | undefined): Outcome<T> | null;
  /** From now on only answers of this epoch are fresh. Queries without one are queued, even if no cell waits for them. */
  refresh(queries: readonly Query[], epoch: number): void;
  cached(query: Query): CachedAnswer<T> | null;
  isFresh(query: Query): boolean;
  /** Whether an answer as new as is wanted is on its way, so that asking joins it. */
  isComing(query: Query): boolean;
  /** Settles queued entries that a changed setting has made fresh. */
  giveFresh(): void;
  /** Puts the first call for these queries before all others, whatever is cached. */
  sendProbe(queries: readonly Query[], probe: Probe): Call;
  reorder(): void;
  clear(): void;
}
