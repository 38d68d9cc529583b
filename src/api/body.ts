/**
 * Reads the body of a response. It stops while a body that is too large arrives, before it fills the memory. It reads a success
 * as JSON and anything else as a refusal. A service, or a gateway before it, may repeat the client secret and the access token
 * in any text, so this module removes them before anything else sees the text. `values` cleans the rest, and each operation
 * decides what the value or the refusal means.
 * Invariant: reading always resolves, even if the connection breaks.
 */
import { type ErrorFacts, InvError } from "../domain/errors";
import type { PlainFailure } from "./outcomes";
import { isWebPage, redactionMark } from "./values";
import { readErrorBody } from "./error-body";
import { factsOf, type RefusedAnswer, isExplainedByStatus } from "./failures";
import type { ReadOptions } from "./headers";
import type { Transport } from "./transport";

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  /** The connection broke, or the caller aborted the call. */
  | { readonly kind: "broken"; readonly cause: unknown };

const tooLarge: Body = { kind: "too-large" };

/** Decodes UTF-8. It decodes only whole bodies, so it keeps no state between them. */
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
    return body.kind === "text"
      ? { kind: "text", text: redacted(body.text, secretsByResponse.get(response) ?? []) }
      : body;
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
  const onlyChunk = chunks.length === 1 ? chunks[0] : undefined;
  return { kind: "text", text: decoder.decode(onlyChunk ?? joined(chunks, bytes)) };
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

/** Tells the sender to stop. Nothing waits for that, because a dead sender may never confirm. */
function discard(source: { cancel(): Promise<void> }): void {
  source.cancel().catch(() => undefined);
}

/** A shorter text could be a part of ordinary words. Real secrets are much longer. */
const minSecretLength = 6;

interface Secret {
  readonly text: string;
  /** A part that is quick to search for: every response is searched, and nearly all are clean. */
  readonly rare: string;
}

/** The secrets to remove from each response. */
const secretsByResponse = new WeakMap<Response, readonly Secret[]>();

/** Returns a transport whose responses are read without the current secret and without the token of their request. */
export function redacting(transport: Transport, secretNow: () => string): Transport {
  /** Of the last request: most requests have the same token. */
  let lastAuthorization: string | null = null;
  let lastSecret = secretNow();
  let lastSecrets: readonly Secret[] = secretsOf(lastSecret);
  return async (request) => {
    const authorization = request.headers.get("authorization");
    const secret = secretNow();
    if (authorization !== lastAuthorization || secret !== lastSecret) {
      lastAuthorization = authorization;
      lastSecret = secret;
      lastSecrets = secretsOf(secret, authorization?.replace(/^Bearer /, "") ?? "");
    }
    const secrets = lastSecrets;
    const response = await transport(request);
    secretsByResponse.set(response, secrets);
    return response;
  };
}

/** Returns the text without these secrets, in any spelling that JSON allows. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return redacted(text, secretsOf(...secrets));
}

function redacted(text: string, secrets: readonly Secret[]): string {
  // Every other spelling contains a backslash.
  const hasEscapes = text.includes("\\");
  let clean = text;
  for (const secret of secrets) {
    if (clean.includes(secret.rare)) clean = clean.replaceAll(secret.text, redactionMark);
    if (hasEscapes) clean = clean.replace(anySpelling(secret.text), redactionMark);
  }
  return clean;
}

function secretsOf(...texts: readonly string[]): readonly Secret[] {
  const realSecrets = texts.filter((text) => text.length >= minSecretLength);
  return realSecrets.map((text) => ({ text, rare: rarePartOf(text) }));
}

/** Returns the secret from its first rare letter on. A search stops wherever the first letter occurs, so a rare one is faster. */
function rarePartOf(secret: string): string {
  const at = secret.search(/[JKQVWXYZjkqxz]/);
  return at < 0 || secret.length - at < minSecretLength ? secret : secret.slice(at);
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
export type RawReply =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "refusal"; readonly refusal: RefusedAnswer }
  | PlainFailure;

/** Reads a response. Never rejects. */
export async function readAnswer(
  response: Response,
  operation: RefusedAnswer["operation"],
  { maxBytes }: ReadOptions,
): Promise<RawReply> {
  const { ok, status } = response;
  const body = await readBody(response, maxBytes);
  const facts = factsOf({ response });
  if (ok) return readJson(body, facts);
  // The status alone explains a 429 and a 5xx. Any other refusal needs its body.
  if (body.kind === "broken" && !isExplainedByStatus(response)) return brokenOff(body, facts);
  const errorBody = readErrorBody(body.kind === "text" ? body.text : "");
  // The body says which values are refused, or that there is no data. The status says that a token is refused.
  if (errorBody.shape === "cut-off" && operation !== "token" && (status === 400 || status === 404)) {
    return unreadable("The response breaks off before it says why the service refused the request.", facts);
  }
  return { kind: "refusal", refusal: { operation, response, body: errorBody } };
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
