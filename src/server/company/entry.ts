/**
 * The words between the quota and those who call: whose quota it is, who waits for it, and how a wait and a call
 * end.
 */
import type { Asker } from "./account-state";
import type { LeaveSignal } from "./leaving";

/** Whose quota: each has its own. */
export interface Account {
  readonly environment: string;
  readonly consumerId: string;
  readonly operation: "search" | "events";
}

export interface QuotaUse {
  /** Calls that count in the company's present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

export type Entry =
  | {
      readonly kind: "go";
      /** Must be called once, when the call has ended. */
      readonly end: (ended: CallEnd) => void;
    }
  /** The quota is spent for longer than a call is held. */
  | { readonly kind: "full"; readonly retryAfterMs: number }
  /** Nobody wants the call any more. */
  | { readonly kind: "left" };

export type CallEnd =
  /** The service answered 429. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number | null }
  | { readonly kind: "answered" }
  /** Broken off, or left by who asked. */
  | { readonly kind: "failed" };

export interface Waiting {
  readonly account: Account;
  readonly askers: Askers;
  readonly signal: LeaveSignal;
}

/** Who wants a call. */
export interface Askers {
  now(): readonly Asker[];
  /** Told when others want it. */
  onChange(listener: () => void): void;
}

export function oneAsker(asker: Asker): Askers {
  return { now: () => [asker], onChange: () => undefined };
}
