/**
 * Sends one call to a configured environment and turns failures into answers. The service's status and body
 * pass through. Only JSON keeps its content type, and everything else becomes plain text. Otherwise, a
 * service that echoes its input could run a script on this server's own pages.
 */
import { readErrorBody } from "../../api/error-body";
import { noDataCode } from "../../api/events";
import { type Failure, refusal, type RelayedAnswer } from "../answer";
import { CallFailed, type OutgoingCall, proxyCode, type UpstreamAnswer } from "./outgoing";
import type { RelayTarget } from "./page-request";

/** Never rejects. */
export async function sendCall(
  target: Pick<RelayTarget, "send">,
  call: OutgoingCall,
): Promise<RelayedAnswer> {
  try {
    return passedOn(await target.send(call));
  } catch (error) {
    return failed(error);
  }
}

function passedOn(answer: UpstreamAnswer): RelayedAnswer {
  const { status, retryAfter, body } = answer;
  const headers: Record<string, string> = { "content-type": harmlessType(answer) };
  // Any other text might be a token.
  if (retryAfter !== null && retryAfterPattern.test(retryAfter)) headers["retry-after"] = retryAfter;
  return { status, headers, body, failure: failureIn(answer) };
}

function failureIn({ status, body }: UpstreamAnswer): Failure | null {
  if (status === 404 && noDataCode(readErrorBody(body.toString())) !== null) return null;
  // A redirect isn't followed: the address is wrong.
  if (status >= 300) return { by: "service", code: "" };
  // Look only at the start: to parse each answer would cost more than the rest of the relay's work.
  const isUnreadable = status === 200 && !/^\uFEFF?\s*\{/.test(body.toString("utf8", 0, 100));
  return isUnreadable ? { by: "service", code: "unreadable" } : null;
}

/** Seconds, or an HTTP date. */
const retryAfterPattern = /^(\d{1,10}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

/** The answer never contains the service's address. */
function failed(error: unknown): RelayedAnswer {
  const codes = codesOf(error);
  const { phase = "answer" } = error instanceof CallFailed ? error.options : {};
  const failure: Failure = { by: "network", code: codes.at(-1) ?? "unknown", phase };
  return { ...refusalFor(codes), failure };
}

function refusalFor(codes: readonly string[]): RelayedAnswer {
  if (codes.includes("TOO_LARGE")) {
    return refusal(502, "The service's answer is larger than the relay passes on.");
  }
  if (codes.some((code) => code.startsWith(proxyCode))) {
    return refusal(502, "The relay cannot reach the company's outgoing proxy.");
  }
  return codes.some((code) => code.endsWith("TIMEOUT"))
    ? refusal(504, "The service did not answer the relay in time.")
    : refusal(502, "The relay cannot reach the service.");
}

function harmlessType({ contentType }: UpstreamAnswer): string {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || type === "application/problem+json"
    ? type
    : "text/plain; charset=utf-8";
}

/**
 * Returns the error codes of Node and undici in an error and its causes. Other texts are left out, because
 * they may contain addresses or secrets.
 */
export function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let cause = error; typeof cause === "object" && cause !== null; cause = Reflect.get(cause, "cause")) {
    const code: unknown = Reflect.get(cause, "code");
    if (typeof code === "string" && /^[A-Za-z0-9_-]{1,60}$/.test(code)) codes.push(code);
  }
  return codes;
}
