/** Types shared by the parts of the room: a page's data call, whose quota it uses, how its wait ends, and who observes it. */
import type { RelayedAnswer } from "../answer";
import type { Asker, CallEnd } from "./turns";

/** Each account has its own quota. */
export interface Account {
  readonly environment: string;
  readonly consumerId: string;
  readonly operation: "search" | "events";
}

/** A data call as the relay received it from a page. */
export interface CompanyCall {
  readonly environment: string;
  /** The service's URL. A cached answer from another URL, for example before a change of settings, isn't used. */
  readonly address: string;
  /** The consumer whose token the call carries. Nobody else gets its answer. */
  readonly consumerId: string;
  readonly asker: Asker;
  /** How old a cached answer may be; 0 always asks the service. */
  readonly maxAgeMs: number;
  /** Empty when the call has no body. */
  readonly body: Buffer;
  /** Aborted when the page no longer wants the answer. */
  readonly signal: AbortSignal;
  /**
   * Sends this body with the call's own headers. Never rejects: failures are answers too. Returns `"again"` when
   * another try may succeed; that try waits for the quota and counts again.
   */
  send(body: Buffer, sending: Sending): Promise<RelayedAnswer | "again">;
}

interface Sending {
  readonly signal: AbortSignal;
  /** How often the call was sent before. */
  readonly earlierTries: number;
}

/** Returns the account that pays. Some services accept a consumer ID in any letter case; these are one company. */
export function accountOf(
  { environment, consumerId }: Pick<CompanyCall, "environment" | "consumerId">,
  operation: Account["operation"],
): Account {
  return { environment, consumerId: consumerId.toLowerCase(), operation };
}

/** A call that waits for the quota. */
export interface Waiting {
  readonly account: Account;
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

export type WaitOutcome =
  | {
      readonly kind: "send";
      /** Must be called once, when the call has ended. */
      readonly end: (ended: CallEnd) => void;
    }
  /** The quota is used up for longer than a call may wait in the queue. */
  | { readonly kind: "rejected"; readonly retryAfterMs: number }
  /** Redis can't say how much of the quota is used. */
  | { readonly kind: "away"; readonly retryAfterMs: number }
  /** Nobody wants the call any more. */
  | { readonly kind: "cancelled" };

/** Learns what happens, by environment and operation; never people, items or tokens. */
export interface CompanyObserver {
  /** A call starts to wait for the quota; returns the function to call when it stops. */
  readonly waits: (account: Account) => (waitedMs: number) => void;
  /** The service answered with this status, or failed to (502 and 504). */
  readonly sent: (account: Account, status: number, tookMs: number) => void;
  /** A call was rejected because the quota is used up. */
  readonly rejected: (account: Account) => void;
  /** A call was rejected because nobody knows how much of the quota is used. */
  readonly away: (account: Account) => void;
  /** Other people's calls brought this many items of an answer. */
  readonly shared: (environment: string, items: number) => void;
  readonly quotaLeft: (account: Account, calls: number) => void;
}
