/**
 * A call of the relay on its way to the service, and of the answer that part which the relay looks at. Plain values:
 * web requests and responses cost more than all else that the relay does with a call. A service that takes
 * those (the embedded one) is reached through `sendTo`.
 */
import type { Transport } from "../../api/transport";

export interface OutgoingCall {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the method has none. */
  readonly body: Buffer | null;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  /** Unpacked. Who stops reading lets go of the rest. Null where the status allows none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Rejects with a `TimeoutError` when the time is over; with anything else when the service could not be asked. */
export type Send = (call: OutgoingCall) => Promise<ServiceAnswer>;

export function sendTo(transport: Transport): Send {
  return async ({ url, body, ...init }) => {
    const sent = body === null ? null : new Uint8Array(body);
    return answerOf(await transport(new Request(url, { ...init, body: sent, redirect: "manual" })));
  };
}

export function answerOf({ status, headers, body }: Response): ServiceAnswer {
  return {
    status,
    contentType: headers.get("content-type"),
    retryAfter: headers.get("retry-after"),
    body,
  };
}
