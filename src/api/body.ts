/**
 * How the body of an answer is read: never more of it than allowed, since a body over the limit is given up while it arrives and
 * not after it has filled the memory; without what must never come back to a person; as JSON where it claims success and as a
 * refusal elsewhere. A service, or a gateway before it, may repeat the client secret and the access token in any text, so they
 * are taken out as the text is read, before anything is made of it. Here is the one place that does so; `values` cleans what is
 * left. What the value or the refusal means is its operation's.
 * Invariant: resolves always, also when the connection breaks in the middle.
 */
import { InvError } from "../domain/errors";
import type { PlainFailure } from "./outcomes";
import { isWebPage, redactionMark } from "./values";
import { readErrorBody } from "./error-body";
import { type RefusedAnswer, saysAllByStatus } from "./failures";
import type { ReadOptions } from "./headers";
import type { Transport } from "./transport";

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
    return body.kind === "text"
      ? { kind: "text", text: takenOut(body.text, secretsByResponse.get(response) ?? []) }
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

/** Shorter ones would stand in the middle of words; a real one is far longer. */
const shortest = 6;

interface Secret {
  readonly text: string;
  /** A part of it that is quick to search for: nearly all answers are clean, and each is searched whole. */
  readonly rare: string;
}

/** What the answers to a request may not repeat, by response. */
const secretsByResponse = new WeakMap<Response, readonly Secret[]>();

/** The transport, whose answers will be read without the secret as it is then and without the token of their request. */
export function redacting(transport: Transport, secretNow: () => string): Transport {
  let latest: string | null = null;
  let latestSecret = secretNow();
  let latestSecrets: readonly Secret[] = secretsOf(latestSecret);
  return async (request) => {
    const authorization = request.headers.get("authorization");
    const secret = secretNow();
    if (authorization !== latest || secret !== latestSecret) {
      latest = authorization;
      latestSecret = secret;
      latestSecrets = secretsOf(secret, authorization?.replace(/^Bearer /, "") ?? "");
    }
    const secrets = latestSecrets;
    const response = await transport(request);
    secretsByResponse.set(response, secrets);
    return response;
  };
}

/** A text without these secrets, however JSON spells them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return takenOut(text, secretsOf(...secrets));
}

function takenOut(text: string, secrets: readonly Secret[]): string {
  // As a number, or a slash or quote behind another sign: never without a backslash.
  const isSpeltOtherwise = text.includes("\\");
  let clean = text;
  for (const secret of secrets) {
    if (clean.includes(secret.rare)) clean = clean.replaceAll(secret.text, redactionMark);
    if (isSpeltOtherwise) clean = clean.replace(anySpelling(secret.text), redactionMark);
  }
  return clean;
}

function secretsOf(...texts: readonly string[]): readonly Secret[] {
  const long = texts.filter((text) => text.length >= shortest);
  return long.map((text) => ({ text, rare: rarePartOf(text) }));
}

/** From its first letter that answers hold seldom: a search stops at each place where its first letter stands. */
function rarePartOf(secret: string): string {
  const at = secret.search(/[JKQVWXYZjkqxz]/);
  return at < 0 || secret.length - at < shortest ? secret : secret.slice(at);
}

/** JSON may write any character as a number, and a slash or a quote behind a backslash. */
function anySpelling(secret: string): RegExp {
  const characters = Array.from({ length: secret.length }, (_, index) => {
    const code = secret.charCodeAt(index).toString(16).padStart(4, "0");
    return `(?:\\\\?\\u${code}|\\\\u${code})`;
  });
  return new RegExp(characters.join(""), "gi");
}

/** What an answer says, before its operation has looked at it. */
export type Said =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "refusal"; readonly refusal: RefusedAnswer }
  | PlainFailure;

/** Never rejects. */
export async function readAnswer(
  response: Response,
  operation: RefusedAnswer["operation"],
  { maxBytes }: ReadOptions,
): Promise<Said> {
  const { ok, status } = response;
  const body = await readBody(response, maxBytes);
  if (ok) return readJson(body, status);
  // A 429 and a 5xx say all with their status; any other refusal needs its body to be understood.
  if (body.kind === "broken" && !saysAllByStatus(response)) return brokenOff(body, status);
  const errorBody = readErrorBody(body.kind === "text" ? body.text : "");
  // Which values are refused, or whether there is nothing, is said in the body; a refused token in the status.
  if (errorBody.shape === "cut-off" && operation !== "token" && (status === 400 || status === 404)) {
    return unreadable("Expected the reason of a refusal, received text that breaks off.", status);
  }
  return { kind: "refusal", refusal: { operation, response, body: errorBody } };
}

/**
 * A web page in place of JSON is the usual face of a wrong address (many hosts answer every path with their start
 * page), so it is told apart from JSON that is broken.
 */
function readJson(body: Body, httpStatus: number): Said {
  if (body.kind === "broken") return brokenOff(body, httpStatus);
  if (body.kind === "too-large") {
    const message =
      "The answer is larger than INV reads. Ask for fewer days or one event type; if it stays, send support the diagnostics (Settings tab).";
    return { kind: "unreadable", error: new InvError("too-large", message, { httpStatus }) };
  }
  if (isWebPage(body.text)) {
    const message = `Expected the service's answer, received a web page (${String(httpStatus)}). Check the environment's address, or a sign-in page in between.`;
    return { kind: "unreadable", error: new InvError("wrong-address", message, { httpStatus }) };
  }
  try {
    return { kind: "json", value: JSON.parse(body.text) as unknown };
  } catch {
    const received = body.text.trim() === "" ? "nothing" : "text that is broken or not JSON";
    return unreadable(`Expected JSON, received ${received}.`, httpStatus);
  }
}

/** The connection broke before the body's end: the call is unanswered, whatever its status says. */
function brokenOff({ cause }: Extract<Body, { kind: "broken" }>, httpStatus: number): PlainFailure {
  const message = "The connection broke while the answer arrived. Refresh; if it stays, check the network.";
  return { kind: "unavailable", error: new InvError("unreachable", message, { httpStatus, cause }) };
}

/** An answer whose shape cannot be trusted; `what` says what was expected and what came. */
export function unreadable(what: string, httpStatus: number): PlainFailure & { kind: "unreadable" } {
  const message = `${what} Refresh; if it stays, send support the diagnostics (Settings tab).`;
  return { kind: "unreadable", error: new InvError("bad-answer", message, { httpStatus }) };
}
