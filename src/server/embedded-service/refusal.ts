/**
 * The body of refusals before the service: invalid or too large requests, and methods that a web Request doesn't allow. It has the
 * service's problem shape, without a trace ID, because the service hasn't seen the request.
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
