/**
 * The words between the quota and those who call: whose quota it is, who waits for it, and how a wait and a call
 * end.
 */
import type { Asker } from "./account-state";
import type { CallEnd } from "./call-end";
import type { CancelSignal } from "./cancel-signal";

/** Whose quota: each has its own. */
export interface Account {
  readonly environment: string;
  readonly consumerId: string;
  readonly operation: "search" | "events";
}

export type WaitEnd =
  | {
      readonly kind: "go";
      /** Must be called once, when the call has ended. */
      readonly end: (ended: CallEnd) => void;
    }
  /** The quota is spent for longer than a call is held. */
  | { readonly kind: "full"; readonly retryAfterMs: number }
  /** How much of it is spent nobody knows now. */
  | { readonly kind: "away"; readonly retryAfterMs: number }
  /** Nobody wants the call any more. */
  | { readonly kind: "left" };

export interface Waiting {
  readonly account: Account;
  readonly askers: Askers;
  readonly signal: CancelSignal;
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
