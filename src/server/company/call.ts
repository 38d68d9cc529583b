/** A data call as a page sent it: what the relay hands to the company's parts. */
import type { RelayedAnswer } from "../relay/answer";
import type { LeaveSignal } from "./leaving";
import type { Asker } from "./turns";

export interface CompanyCall {
  readonly environment: string;
  /** As the call's header says; "" where it says none. */
  readonly consumerId: string;
  /** The access token, or null where there is none. */
  readonly token: string | null;
  readonly asker: Asker;
  /** How old an answer may be; 0 asks the service in any case. */
  readonly maxAgeMs: number;
  /** Empty where the call has none. */
  readonly body: Buffer;
  /** Aborted when the page no longer wants the answer. */
  readonly signal: LeaveSignal;
  /** Sends this body with the call's own headers. Never rejects: what goes wrong is an answer too. */
  send(body: Buffer, signal: LeaveSignal): Promise<RelayedAnswer>;
}
