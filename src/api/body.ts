/**
 * Reads the body of an answer, and never more of it than allowed: a body over the limit is given up while
 * it arrives, not after it has filled the memory. Judging what the text means is left to the readers.
 * What the request may not have repeated is gone from the text (see `withheld`).
 * Invariant: resolves always, also when the connection breaks in the middle.
 */

import { withoutWithheld } from "./withheld";

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  /** The connection broke, or the caller gave the call up. */
  | { readonly kind: "broken"; readonly cause: unknown };

const tooLarge: Body = { kind: "too-large" };

/** UTF-8; used for whole bodies only, so that it keeps no state from one to the next. */
const decoder = new TextDecoder();

export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const stream = response.body;
  if (stream === null) return { kind: "text", text: "" };
  if (Number(response.headers.get("content-length")) > maxBytes) {
    discard(stream);
    return tooLarge;
  }
  try {
    const body = await readStream(stream.getReader(), maxBytes);
    return body.kind === "text" ? { kind: "text", text: withoutWithheld(response, body.text) } : body;
  } catch (cause) {
    return { kind: "broken", cause };
  }
}

async function readStream(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      discard(reader);
      return tooLarge;
    }
    chunks.push(value);
  }
  const only = chunks.length === 1 ? chunks[0] : undefined;
  return { kind: "text", text: decoder.decode(only ?? joined(chunks, bytes)) };
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** Tells the sender that no more is wanted; nobody waits for it, since a dead sender may never confirm. */
function discard(source: { cancel(): Promise<void> }): void {
  source.cancel().catch(() => undefined);
}
