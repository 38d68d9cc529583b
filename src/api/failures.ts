/**
 * Reads the failures that all operations share. The status decides. For a 401 the body's shape decides too: a gateway-shaped body
 * means a refused token, and a problem-shaped body a refused consumer. Each operation first reads its own statuses: 400 and the
 * documented 404s.
 */
import { InvError, type ErrorCode, type ErrorFacts } from "../domain/errors";
import type { Operation } from "../domain/environment";
import type { ErrorBody, ProblemError } from "./error-body";
import type { Failure, PlainFailure } from "./outcomes";
import { readRetryAfterMs } from "../domain/retry-after";
import {
  isUnknownToken,
  readRejectionDelayMs,
  readRejection,
  readRequestId,
  refusesServerCredentials,
} from "./headers";
import { plainText, reasonText } from "./values";

/** A response whose status isn't a success, with its body. */
export interface ErrorResponse {
  readonly kind: "error-response";
  readonly operation: Operation | "token";
  readonly response: Response;
  readonly body: ErrorBody;
}

const operationNames = {
  search: "the inventory lookup",
  events: "the transaction history",
  token: "the token",
} as const;

/** Whether the status alone explains the error, so that the body may be incomplete. */
export function isExplainedByStatus({ status }: Response): boolean {
  return status === 429 || status === 408 || status >= 500;
}

/** Returns the failure of a data call. */
export function readFailure(errorResponse: ErrorResponse): Failure {
  const { status } = errorResponse.response;
  if (status === 401) return readUnauthorized(errorResponse);
  if (status === 403) return readForbidden(errorResponse);
  return readPlainFailure(errorResponse);
}

/** Returns the failure of any call, except 401 and 403, which the caller handles. */
export function readPlainFailure(errorResponse: ErrorResponse): PlainFailure {
  const { status } = errorResponse.response;
  if (status === 429) {
    const { headers } = errorResponse.response;
    const rejection = readRejection(headers);
    const why =
      rejection === "redis"
        ? "The team's server can't reach the store that it shares with other servers"
        : "The company's quota of calls is used up";
    const message = `${why} (429). Wait a minute, then refresh.`;
    return {
      kind: "throttled",
      error: errorOf(errorResponse, "quota", message),
      retryAfterMs: (rejection === null ? null : readRejectionDelayMs(headers)) ?? retryAfterOf(headers),
      rejection,
    };
  }
  if (isExplainedByStatus(errorResponse.response)) return readUnavailable(errorResponse);
  return readWrong(errorResponse);
}

/** Returns facts for the problem list: the status, and the service's trace id and the team server's request id if present. */
export function factsOf({
  response,
  body,
}: Pick<ErrorResponse, "response"> & Partial<ErrorResponse>): ErrorFacts {
  const requestId = readRequestId(response.headers);
  return {
    httpStatus: response.status,
    ...(body?.traceId !== undefined && { traceId: body.traceId }),
    ...(requestId !== null && { requestId }),
  };
}

/** Returns the error for a 400 that names a field of the request other than the item values. */
export function readPropertyError(error: ProblemError, facts: ErrorFacts): InvError {
  const named = plainText(error.property).slice(0, 60);
  const reason = reasonText(error.reason);
  const message = `The service refused ${named} of the request (400): ${reason}. Check the formula's arguments.`;
  return new InvError("refused-request", message, facts);
}

/** The error when the service refuses the team server's credentials. */
export function serverCredentialsRefused(errorResponse: ErrorResponse): InvError {
  const message = "Ask your administrator: the service refuses INV's credentials.";
  return errorOf(errorResponse, "credentials-refused", message);
}

function readUnauthorized(errorResponse: ErrorResponse): Failure {
  if (isUnknownToken(errorResponse.response.headers)) {
    const message =
      "The team's server doesn't know its own token (401). Refresh in a moment. If it happens again, ask your administrator.";
    return { kind: "token-unknown", error: errorOf(errorResponse, "service-down", message) };
  }
  if (refusesServerCredentials(errorResponse.response.headers)) {
    return { kind: "operation-refused", error: serverCredentialsRefused(errorResponse) };
  }
  if (errorResponse.body.shape === "problem") {
    const name = operationNames[errorResponse.operation];
    const message = `The consumer ID is not mapped to a supplier for ${name} (401). Check it in the pane, or ask the service's owner to map it.`;
    return { kind: "operation-refused", error: errorOf(errorResponse, "consumer-unknown", message) };
  }
  const message =
    "The service refused the access token (401). Check consumer ID and client secret in the pane, then try again.";
  return { kind: "token-refused", error: errorOf(errorResponse, "credentials-refused", message) };
}

function readForbidden(errorResponse: ErrorResponse): Failure {
  if (errorResponse.body.shape === "web-page") {
    const message =
      "A web page refused access (403) instead of the service. Check the environment's address, or a proxy in between.";
    return { kind: "operation-refused", error: errorOf(errorResponse, "wrong-address", message) };
  }
  const name = operationNames[errorResponse.operation];
  const message = `The consumer ID is not subscribed to ${name} (403). Ask the service's owner to subscribe it, then try again.`;
  return { kind: "operation-refused", error: errorOf(errorResponse, "not-subscribed", message) };
}

function readUnavailable(errorResponse: ErrorResponse): PlainFailure {
  const { status } = errorResponse.response;
  if (status === 408 || status === 504) {
    const message = `The service didn't answer in time (${String(status)}). Refresh in a few minutes. If it happens again, send your administrator the diagnostics (Settings tab).`;
    return { kind: "unavailable", error: errorOf(errorResponse, "timeout", message) };
  }
  // INV's relay, like any proxy, responds with 502 if it can't reach the service.
  if (status === 502) {
    const message =
      "The service can't be reached (502). Refresh in a few minutes. If it happens again, ask your administrator to check its address.";
    return { kind: "unavailable", error: errorOf(errorResponse, "unreachable", message) };
  }
  const message = `The service isn't available (${String(status)}). Refresh in a few minutes. If it happens again, send your administrator the diagnostics (Settings tab).`;
  return { kind: "unavailable", error: errorOf(errorResponse, "service-down", message) };
}

/** Failures that a retry can't fix: a wrong address, or a request that the service doesn't accept. */
function readWrong(errorResponse: ErrorResponse): PlainFailure {
  const { status } = errorResponse.response;
  // In browsers, a redirect that isn't followed has status 0.
  const isRedirect = errorResponse.response.type === "opaqueredirect" || (status >= 300 && status < 400);
  if (isRedirect || status === 404 || status === 405 || errorResponse.body.shape === "web-page") {
    const received = isRedirect
      ? "a redirect"
      : status === 404
        ? "not found (404)"
        : `status ${String(status)}`;
    const message = `The environment's address doesn't lead to ${operationNames[errorResponse.operation]}: it returned ${received}. Ask your administrator to check the address.`;
    return { kind: "unreadable", error: errorOf(errorResponse, "wrong-address", message) };
  }
  const message = `The service refused the request (${String(status)}). Send your administrator the diagnostics (Settings tab). Another refresh won't help.`;
  return { kind: "unreadable", error: errorOf(errorResponse, "refused-request", message) };
}

function errorOf(errorResponse: ErrorResponse, code: ErrorCode, message: string): InvError {
  return new InvError(code, message, factsOf(errorResponse));
}

function retryAfterOf(headers: Headers): number | null {
  return readRetryAfterMs(headers.get("retry-after"), headers.get("date"));
}
