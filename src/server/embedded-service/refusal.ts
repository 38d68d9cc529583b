/**
 * The body of refusals that the server makes before the service sees the request. The causes are invalid or
 * oversized requests, and methods that a web Request doesn't allow. The body has the service's problem
 * format, without a trace ID, because the service hasn't seen the request.
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
