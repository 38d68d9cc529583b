/**
 * What must never come back to a person: the client secret and the access token. A service, or a gateway
 * before it, may repeat them in any text of an answer, so they are taken out of the answer as it is read,
 * before anything is made of it. Here is the one place that does so; `values` cleans what is left.
 */
import type { Transport } from "./transport";

/** Shorter ones would stand in the middle of words; a real one is far longer. */
const shortest = 6;

/** Stands where a redacted text stood. */
const mark = "[redacted]";

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

/** The text of an answer's body without what its request may not have repeated, however JSON spells it. */
export function redacted(response: Response, text: string): string {
  return takenOut(text, secretsByResponse.get(response) ?? []);
}

/** The same for a text and secrets at hand. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return takenOut(text, secretsOf(...secrets));
}

function takenOut(text: string, secrets: readonly Secret[]): string {
  // As a number, or a slash or quote behind another sign.
  const isSpeltOtherwise = /\\[u/"\\]/.test(text);
  let clean = text;
  for (const secret of secrets) {
    if (clean.includes(secret.rare)) clean = clean.replaceAll(secret.text, mark);
    if (isSpeltOtherwise) clean = clean.replace(anySpelling(secret.text), mark);
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

/** Any token in a text, also one that is not ours. */
export function withoutBearer(text: string): string {
  return text.replace(/\b(bearer\s+)[\w.~+/=-]{8,}/giu, `$1${mark}`);
}

/** JSON may write any character as a number, and a slash or a quote behind a backslash. */
function anySpelling(secret: string): RegExp {
  const characters = Array.from({ length: secret.length }, (_, index) => {
    const code = secret.charCodeAt(index).toString(16).padStart(4, "0");
    return `(?:\\\\?\\u${code}|\\\\u${code})`;
  });
  return new RegExp(characters.join(""), "gi");
}
