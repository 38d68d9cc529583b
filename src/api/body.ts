/**
 * Reads the body of a response: of a success as JSON, of any other status as an error body. It stops as soon as a body is too
 * large, before that fills the memory. A service, or a gateway before it, may repeat the client secret and the access token in any
 * text. So this module removes them before anything else sees the text. `values.ts` cleans the rest, and each operation decides what
 * the response means.
 * Invariant: reading always resolves, even if the connection breaks.
 */
import { type ErrorFacts, InvError } from "../domain/errors";
import type { PlainFailure } from "./outcomes";
import { isWebPage, redactionMark } from "./values";
import { readErrorBody } from "./error-body";
import { factsOf, type ErrorResponse, isExplainedByStatus } from "./failures";
import type { ReadOptions } from "./headers";

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  /** The connection broke, or the caller aborted the call. */
  | { readonly kind: "broken"; readonly cause: unknown };

const tooLarge: Body = { kind: "too-large" };

export async function readBody(response: Response, { maxBytes, secrets }: ReadOptions): Promise<Body> {
  const stream = response.body;
  if (stream === null) return { kind: "text", text: "" };
  if (Number(response.headers.get("content-length")) > maxBytes) {
    discard(stream);
    return tooLarge;
  }
  try {
    const body = await readStream(stream.getReader(), maxBytes);
    if (body.kind !== "text") return body;
    return { kind: "text", text: withoutSecrets(body.text, secrets) };
  } catch (cause) {
    return { kind: "broken", cause };
  }
}

async function readStream(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Body> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      discard(reader);
      return tooLarge;
    }
    text += decoder.decode(value, { stream: true });
  }
  return { kind: "text", text: text + decoder.decode() };
}

/** Tells the sender to stop. Nothing waits for that, because a dead sender may never confirm. */
function discard(source: { cancel(): Promise<void> }): void {
  source.cancel().catch(() => undefined);
}

/** A shorter text could be a part of ordinary words. Real secrets are much longer. */
const minSecretLength = 6;

/** Returns the text without these secrets, in any spelling that JSON allows. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // Every other spelling contains a backslash.
  const hasEscapes = text.includes("\\");
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < minSecretLength) continue;
    clean = clean.replaceAll(secret, redactionMark);
    if (hasEscapes) clean = clean.replace(anySpelling(secret), redactionMark);
  }
  return clean;
}

/** Matches a secret in any JSON spelling: each character as it is, after a backslash (`\\/`), or as a code (`\\u002f`). */
function anySpelling(secret: string): RegExp {
  const characters = Array.from({ length: secret.length }, (_, index) => {
    const code = secret.charCodeAt(index).toString(16).padStart(4, "0");
    return `(?:\\\\?\\u${code}|\\\\u${code})`;
  });
  return new RegExp(characters.join(""), "gi");
}

/** A response as read, before its operation interprets it. */
export type RawReply = { readonly kind: "json"; readonly value: unknown } | ErrorResponse | PlainFailure;

/** Reads a response. Never rejects. */
export async function readReply(
  response: Response,
  operation: ErrorResponse["operation"],
  options: ReadOptions,
): Promise<RawReply> {
  const { ok, status } = response;
  const body = await readBody(response, options);
  const facts = factsOf({ response });
  if (ok) return readJson(body, facts);
  // The status alone explains a 429 and a 5xx. Any other error status needs its body.
  if (body.kind === "broken" && !isExplainedByStatus(response)) return brokenOff(body, facts);
  const errorBody = readErrorBody(body.kind === "text" ? body.text : "");
  // The body says which values are refused, or that there is no data. The status says that a token is refused.
  if (errorBody.shape === "cut-off" && operation !== "token" && (status === 400 || status === 404)) {
    return unreadable("The response breaks off before it says why the service refused the request.", facts);
  }
  return { kind: "error-response", operation, response, body: errorBody };
}

/**
 * Reads JSON. A web page is a separate error, because it usually means a wrong address: many hosts answer every path with their
 * start page.
 */
function readJson(body: Body, facts: ErrorFacts): RawReply {
  if (body.kind === "broken") return brokenOff(body, facts);
  if (body.kind === "too-large") {
    const message =
      "The response is larger than INV reads. Request fewer days or a single event type. If it happens again, send your administrator the diagnostics (Settings tab).";
    return { kind: "unreadable", error: new InvError("too-large", message, facts) };
  }
  if (isWebPage(body.text)) {
    const message = `A web page came instead of the service's response (${String(facts.httpStatus)}). Check the environment's address, and whether a sign-in page is in between.`;
    return { kind: "unreadable", error: new InvError("wrong-address", message, facts) };
  }
  try {
    return { kind: "json", value: JSON.parse(body.text) as unknown };
  } catch {
    const received = body.text.trim() === "" ? "empty" : "broken or not JSON";
    return unreadable(`The response is ${received}.`, facts);
  }
}

/** The connection broke before the end of the body, so the call isn't answered, whatever its status says. */
function brokenOff({ cause }: Extract<Body, { kind: "broken" }>, facts: ErrorFacts): PlainFailure {
  const message =
    "The connection broke while the response arrived. Refresh. If it happens again, check your network connection.";
  return { kind: "unavailable", error: new InvError("unreachable", message, { ...facts, cause }) };
}

/** Returns the failure of a response that can't be read; `what` says why. */
export function unreadable(what: string, facts: ErrorFacts): PlainFailure & { kind: "unreadable" } {
  const message = `${what} Refresh. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return { kind: "unreadable", error: new InvError("bad-answer", message, facts) };
}
