/** A data call as a page sent it, and an answer as it goes back: what the relay and the company's parts share. */
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
  /** "" where the call has none. */
  readonly body: string;
  /** Aborted when the page no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Sends this body with the call's own headers. Never rejects: what goes wrong is an answer too. */
  send(body: string, signal: AbortSignal): Promise<RelayedAnswer>;
}

export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
