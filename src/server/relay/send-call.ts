/**
 * One call to a configured environment, whose failure is an answer too. The service's body and status pass, but never as
 * a page: only JSON keeps its type, all else is plain text. So an upstream that reflects what it was asked cannot become
 * a script of this server's own pages; the headers of `answer.ts` say the rest.
 */
import { type Failure, refusal, type RelayedAnswer } from "../answer";
import { CallFailed, type OutgoingCall, type UpstreamAnswer } from "./outgoing";
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

/** The service's answer as it may go out. */
function passedOn(answer: UpstreamAnswer): RelayedAnswer {
  const { status, retryAfter, body } = answer;
  const headers: Record<string, string> = { "content-type": harmlessType(answer) };
  // Whatever else stands there might be a token.
  if (retryAfter !== null && retryAfterPattern.test(retryAfter)) headers["retry-after"] = retryAfter;
  const failure = failureIn(answer);
  return { status, headers, body, ...(failure !== null && { failure }) };
}

function failureIn({ status, body }: UpstreamAnswer): Failure | null {
  if (status >= 400) return { by: "service", code: "" };
  // Only its start: parsing every answer would cost more than all else that the relay does.
  const isUnreadable = status === 200 && !/^\uFEFF?\s*\{/.test(body.toString("utf8", 0, 100));
  return isUnreadable ? { by: "service", code: "unreadable" } : null;
}

/** Seconds, or a date of HTTP. */
const retryAfterPattern = /^(\d{1,10}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

/** What to say of a call that failed: too large, too slow, or the service cannot be reached; never its address. */
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

/** Node and undici name what happened in an error's code, one or two causes deep. What is no such word stays out. */
export function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let cause = error; typeof cause === "object" && cause !== null; cause = Reflect.get(cause, "cause")) {
    const code: unknown = Reflect.get(cause, "code");
    if (typeof code === "string" && /^[A-Za-z0-9_-]{1,60}$/.test(code)) codes.push(code);
  }
  return codes;
}
