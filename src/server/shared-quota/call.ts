/** A data call as a page sent it: what the relay hands to the company's parts. */
import type { RelayedAnswer } from "../answer";
import type { Account } from "./entry";
import type { CancelSignal } from "./cancel-signal";
import type { Asker } from "./account-state";

export interface CompanyCall {
  readonly environment: string;
  /** Where it goes. What came from elsewhere is no answer to it, also where the settings have changed meanwhile. */
  readonly address: string;
  /** Whose token it carries; to nobody else its answer is given. */
  readonly consumerId: string;
  readonly asker: Asker;
  /** How old an answer may be; 0 asks the service in any case. */
  readonly maxAgeMs: number;
  /** Empty where the call has none. */
  readonly body: Buffer;
  /** Aborted when the page no longer wants the answer. */
  readonly signal: CancelSignal;
  /**
   * Sends this body with the call's own headers. Never rejects: what goes wrong is an answer too. `"again"` where the
   * service would take it now: it takes another turn, and counts another time.
   */
  send(body: Buffer, sending: Sending): Promise<RelayedAnswer | "again">;
}

export interface Sending {
  readonly signal: CancelSignal;
  /** It is sent for the second time, which is the last. */
  readonly isAgain: boolean;
}

/** Whose quota pays for a call. Some services take a consumer ID in any letter case: those are one company. */
export function accountOf(
  { environment, consumerId }: Pick<CompanyCall, "environment" | "consumerId">,
  operation: Account["operation"],
): Account {
  return { environment, consumerId: consumerId.toLowerCase(), operation };
}
