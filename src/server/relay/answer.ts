/**
 * What the relay hands back. The service's body and status pass, but never as a page: only JSON keeps its
 * type, all else is plain text, and no browser may read more into it, run it, frame it or keep it. So
 * an upstream that reflects what it was asked cannot become a script of this server's own pages.
 */
import { AnswerTooLarge, type UpstreamAnswer } from "./outgoing";

export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** On every answer under the relay's paths, refusals of the server included. */
export const relayHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** The service's answer as it may go out. */
export function passedOn(answer: UpstreamAnswer): RelayedAnswer {
  const { status, retryAfter, body } = answer;
  const headers: Record<string, string> = { "content-type": harmlessType(answer) };
  // Whatever else stands there might be a token.
  if (retryAfter !== null && retryAfterPattern.test(retryAfter)) headers["retry-after"] = retryAfter;
  return { status, headers, body };
}

/** Seconds, or a date of HTTP. */
const retryAfterPattern = /^(\d{1,10}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

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

/** What to say of a call that failed: too large, too slow, or the service cannot be reached; never its address. */
export function failed(error: unknown): RelayedAnswer {
  if (error instanceof AnswerTooLarge) {
    return refusal(502, "The service's answer is larger than the relay passes on.");
  }
  return isTimeout(error)
    ? refusal(504, "The service did not answer the relay in time.")
    : refusal(502, "The relay cannot reach the service.");
}

function harmlessType({ contentType }: UpstreamAnswer): string {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || type === "application/problem+json"
    ? type
    : "text/plain; charset=utf-8";
}

/** undici names its timeouts in the error's code, one or two causes deep; a signal's is known by its name. */
function isTimeout(error: unknown): boolean {
  for (let cause = error; typeof cause === "object" && cause !== null; cause = Reflect.get(cause, "cause")) {
    if (Reflect.get(cause, "name") === "TimeoutError") return true;
    const code: unknown = Reflect.get(cause, "code");
    if (typeof code === "string" && code.endsWith("TIMEOUT")) return true;
  }
  return false;
}
