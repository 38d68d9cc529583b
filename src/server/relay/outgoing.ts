/**
 * A call of the relay on its way to the service, and of the answer that part which the relay looks at. Plain values:
 * web requests, responses and streams cost more than all else that the relay does with a call. A service that takes
 * those (the embedded one) is reached through `sendTo`.
 */
import type { Transport } from "../../api/transport";
import type { CallPhase } from "../answer";
import type { CancelSignal } from "../shared-quota/cancel-signal";

export interface OutgoingCall {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the method has none. */
  readonly body: Buffer | null;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: CancelSignal;
  /** Of an answer's body, packed and unpacked; reading stops there. */
  readonly maxAnswerBytes: number;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  /** Unpacked; empty where the status allows none. */
  readonly body: Buffer;
}

/**
 * Resolves when the answer is whole; rejects with a `CallFailed`, or with anything else when the service could not be asked.
 */
export type Send = (call: OutgoingCall) => Promise<UpstreamAnswer>;

export class CallFailed extends Error {
  constructor(
    /** `TOO_LARGE`, or one that ends in `TIMEOUT`; left out where the cause has one of Node or undici. */
    readonly code?: string,
    readonly options: { readonly phase?: CallPhase; readonly cause?: unknown } = {},
  ) {
    super(`The call failed. ${code ?? ""}`, { cause: options.cause });
  }
}

export function sendTo(transport: Transport): Send {
  return async ({ url, method, headers, body: sent, signal: left, maxAnswerBytes }) => {
    const signal = abortSignalOf(left);
    const body = sent === null ? null : new Uint8Array(sent);
    const answer = await transport(new Request(url, { method, headers, body, signal, redirect: "manual" }));
    return {
      status: answer.status,
      contentType: answer.headers.get("content-type"),
      retryAfter: answer.headers.get("retry-after"),
      body: await readBounded(answer.body, maxAnswerBytes),
    };
  };
}

/** A web request takes no other. */
function abortSignalOf(left: CancelSignal): AbortSignal {
  const abort = new AbortController();
  if (left.aborted) abort.abort();
  left.addEventListener("abort", () => abort.abort());
  return abort.signal;
}

async function readBounded(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new CallFailed("TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
