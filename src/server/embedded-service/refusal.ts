/**
 * The body for what never reaches the service: not HTTP, too much of it, or a method that a web Request
 * cannot carry. It has the service's problem shape, so that callers need to know no other; without a
 * trace id, since no service saw the request.
 */
import { errorsBase } from "../../embedded-service/answers";

export function refusalBody(status: number, detail: string): string {
  return JSON.stringify({
    type: `${errorsBase}/invalid-request`,
    title: "The request is not well-formed, is syntactically incorrect, or violates the schema.",
    trace_id: "",
    status,
    detail,
    instance: "",
  });
}
