/**
 * Answers under the relay's paths as plain data, and the headers that all of them share. The server itself
 * makes two kinds: refusals and JSON objects. None of them is a page.
 */
import type { FastifyReply, RouteShorthandOptions } from "fastify";

export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Why the call failed, or null if it didn't; the status decides if it is left out. For the log and the metrics, never for the page. */
  readonly failure?: Failure | null;
}

export interface Failure {
  /** Who refused the call. `network` means that there was no answer to pass on. */
  readonly by: "inv" | "service" | "network";
  /**
   * For `inv`, the refusal's mark, such as `quota`. For `network`, Node's error code, such as `ENOTFOUND`.
   * For `service`, "", or `unreadable` for a 200 that isn't JSON or contains no token.
   */
  readonly code: string;
  readonly phase?: CallPhase;
}

/** How far a call came: no connection, request sent, or answer begun. */
export type CallPhase = "connect" | "request" | "answer";

export function failureOf({ status, headers, failure }: RelayedAnswer): Failure | null {
  if (failure !== undefined) return failure;
  return status < 400 ? null : { by: "inv", code: headers["inv-refusal"] ?? "refused" };
}

/** Sent with every answer under the relay's paths, including the server's own refusals. */
export const relayHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Returns a refusal by the relay in the service's problem format, without a trace ID, which only the service
 * has.
 */
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

/** Options of a route whose answer is the state of this moment. */
export const notCached: RouteShorthandOptions = {
  onRequest(_request, reply, done) {
    reply.header("cache-control", "no-store");
    done();
  },
};

export function sendAnswer(reply: FastifyReply, { status, headers, body }: RelayedAnswer): FastifyReply {
  return reply.code(status).headers(relayHeaders).headers(headers).send(body);
}
