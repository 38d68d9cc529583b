/**
 * A call to the service and its answer, as plain values. Web requests, responses and streams would cost more
 * than the rest of the relay's work for a call. `sendTo` adapts a transport that uses those, such as the
 * embedded service's.
 */
import type { Transport } from "../../api/transport";
import type { CallPhase } from "../answer";
import { readBounded } from "../bounded-body";

export interface OutgoingCall {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Aborted when no page waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Limits the answer's body, both compressed and decompressed. */
  readonly maxAnswerBytes: number;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  /** Decompressed. */
  readonly body: Buffer;
}

/**
 * Resolves with the whole answer. Rejects with a `CallFailed`, or with another error if the service can't be
 * reached.
 */
export type Send = (call: OutgoingCall) => Promise<UpstreamAnswer>;

/** The code of an error that the company's proxy causes begins with this. Otherwise the service's host would be blamed. */
export const proxyCode = "PROXY_";

export class CallFailed extends Error {
  constructor(
    /** For example, `TOO_LARGE` or `TOTAL_TIMEOUT`. Undefined if the cause has a code of Node or undici. */
    readonly code?: string,
    readonly options: { readonly phase?: CallPhase; readonly cause?: unknown } = {},
  ) {
    super(`The call failed. ${code ?? ""}`, { cause: options.cause });
  }
}

export function sendTo(transport: Transport): Send {
  return async ({ url, method, headers, body: sent, signal, maxAnswerBytes }) => {
    const body = sent === null ? null : new Uint8Array(sent);
    const answer = await transport(new Request(url, { method, headers, body, signal, redirect: "manual" }));
    const content = answer.body === null ? Buffer.alloc(0) : await readBounded(answer.body, maxAnswerBytes);
    if (content.byteLength > maxAnswerBytes) throw new CallFailed("TOO_LARGE");
    return {
      status: answer.status,
      contentType: answer.headers.get("content-type"),
      retryAfter: answer.headers.get("retry-after"),
      body: content,
    };
  };
}
