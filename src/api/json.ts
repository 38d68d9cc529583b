/**
 * From the text of an answer to a value, or to the reason why there is none. A web page in place of JSON
 * is the usual face of a wrong address (many hosts answer every path with their start page), so it is told
 * apart from JSON that is broken.
 */
import { InvError } from "../domain/errors";
import type { Body } from "./body";
import type { PlainFailure } from "./outcomes";
import { isWebPage } from "./text";

/** For an answer that claims success: its JSON, or what to tell. */
export function readJson(body: Body, httpStatus: number): { readonly value: unknown } | PlainFailure {
  if (body.kind === "broken") return brokenOff(body, httpStatus);
  if (body.kind === "too-large") {
    const message =
      "The answer is larger than INV reads. Ask for fewer days or one event type; if it stays, tell support.";
    return { kind: "unreadable", error: new InvError("too-large", message, { httpStatus }) };
  }
  if (isWebPage(body.text)) {
    const message = `Expected the service's answer, received a web page (${String(httpStatus)}). Check the environment's address, or a sign-in page in between.`;
    return { kind: "unreadable", error: new InvError("wrong-address", message, { httpStatus }) };
  }
  try {
    return { value: JSON.parse(body.text) as unknown };
  } catch {
    const received = body.text.trim() === "" ? "nothing" : "text that is broken or not JSON";
    return unreadable(`Expected JSON, received ${received}.`, httpStatus);
  }
}

/** The connection broke before the body's end: the call is unanswered, whatever its status says. */
export function brokenOff({ cause }: Extract<Body, { kind: "broken" }>, httpStatus: number): PlainFailure {
  const message = "The connection broke while the answer arrived. Refresh; if it stays, check the network.";
  return { kind: "unavailable", error: new InvError("unreachable", message, { httpStatus, cause }) };
}

/** An answer whose shape cannot be trusted; `what` says what was expected and what came. */
export function unreadable(what: string, httpStatus: number): PlainFailure & { kind: "unreadable" } {
  const message = `${what} Refresh; if it stays, tell support.`;
  return { kind: "unreadable", error: new InvError("bad-answer", message, { httpStatus }) };
}
