/**
 * What goes out under the relay's paths, from whichever room it comes: an answer as plain data, the headers on all of
 * them, and the two kinds that the server makes itself, refusals and fields as JSON. Never a page.
 */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Why the service did not answer as it should; for the log and the figures, never for the page. */
  readonly failure?: Failure;
}

export interface Failure {
  /** Whose refusal it is; `network` where there was no answer that can be passed on. */
  readonly by: "inv" | "service" | "network";
  /**
   * INV's own refusal: its mark, such as `quota`. The network: Node's error code, such as `ENOTFOUND`. The service: "", or
   * `unreadable` for a 200 that isn't JSON.
   */
  readonly code: string;
  readonly phase?: CallPhase;
}

/** How far a call over the network came: it never left, its request did, or an answer began. */
export type CallPhase = "connect" | "request" | "answer";

/** Null of an answer that is no failure. */
export function failureOf({ status, headers, failure }: RelayedAnswer): Failure | null {
  if (failure !== undefined) return failure;
  return status < 400 ? null : { by: "inv", code: headers["inv-refusal"] ?? "refused" };
}

/** On every answer under the relay's paths, refusals of the server included. */
export const relayHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** The relay's own refusals have the service's problem shape, without a trace id: it is not the service's. */
export function refusal(status: number, detail: string, retryAfterSeconds?: number): RelayedAnswer {
  const body = Buffer.from(JSON.stringify({ type: "about:blank", title: "Relay", status, detail }));
  const headers: Record<string, string> = { "content-type": "application/problem+json" };
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  return { status, headers, body };
}

export function jsonAnswer(status: number, fields: Readonly<Record<string, unknown>>): RelayedAnswer {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: Buffer.from(JSON.stringify(fields)) };
}
