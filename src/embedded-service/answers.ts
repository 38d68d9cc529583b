/** Response bodies of all operations: the two documented error shapes and plain JSON. They never contain a stack, a secret or a token. */

export type OperationName = "search" | "events";

export interface ServiceCall {
  readonly request: Request;
  readonly url: URL;
  readonly traceId: string;
}

/** One element of `errors` in a 400. */
export interface PropertyError {
  readonly kind: "invalid-property-value" | "invalid-property-length" | "missing-required-property";
  readonly why: "missing" | "length" | "value";
  /** `/<name>/<offending value>`, or `/item_type_values[<index>]/<value>`. */
  readonly property: string;
}

/** A request that was read, or every wrong property of it. */
export type CheckedRequest<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly PropertyError[] };

type ProblemKind =
  | "invalid-request"
  | "authentication-failure"
  | "resource-not-found"
  | "internal-server-error";

export interface ProblemAnswer {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { code: string; reason: string; property: string; location: string }[];
}

/** `{errors_base}` of the document: a name, not an address to visit. */
export const errorsBase = "https://errors.inv.example";

const titles: Record<ProblemKind, string> = {
  "invalid-request": "The request is not well-formed, is syntactically incorrect, or violates the schema.",
  "authentication-failure": "The consumer could not be authenticated.",
  "resource-not-found": "The specified resource does not exist.",
  "internal-server-error": "Internal server error.",
};

const reasons: Record<PropertyError["why"], string> = {
  missing: "A required property is missing.",
  length: "The value of a property is too short or too long.",
  value: "The value of a property is invalid.",
};

const serviceNames: Record<OperationName, string> = {
  search: "inventory-status",
  events: "inventory-events",
};

/** Times on the wire: `YYYY-MM-DDTHH:MM:SS` in UTC, without a zone suffix, as in the document's samples. */
export function utcTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", ...headers },
  });
}

/** The problem shape, for validation, authentication by consumer ID, not found, and server errors. */
export function problem(
  call: ServiceCall,
  problem: ProblemAnswer,
  headers: Record<string, string> = {},
): Response {
  const { kind, status, detail, errors } = problem;
  const body = {
    type: `${errorsBase}/${kind}`,
    title: titles[kind],
    trace_id: call.traceId,
    status,
    detail,
    // The document has the query string only for `/events`.
    instance: call.url.pathname === "/events" ? call.url.pathname + call.url.search : call.url.pathname,
    ...(errors === undefined ? {} : { errors }),
  };
  return json(status, body, headers);
}

/** A 400 that names every wrong property: of a `body` for `POST /search-items`, of a `query` for `GET /events`. */
export function invalidRequest(
  call: ServiceCall,
  location: "body" | "query",
  found: readonly PropertyError[],
): Response {
  const errors = found.map(({ kind, why, property }) => ({
    code: `${errorsBase}/${kind}`,
    reason: reasons[why],
    property,
    location,
  }));
  return problem(call, {
    kind: "invalid-request",
    status: 400,
    detail: "Invalid request parameters received.",
    errors,
  });
}

export function notFound(call: ServiceCall, detail: string): Response {
  return problem(call, { kind: "resource-not-found", status: 404, detail });
}

export function unavailable(call: ServiceCall): Response {
  return problem(call, {
    kind: "internal-server-error",
    status: 500,
    detail: "One or more services are unavailable. Try again later, or contact support.",
  });
}

/** The gateway shape, for token, subscription and quota, which a gateway checks before the operation. */
export function gateway(
  operation: OperationName,
  { status, description, environment }: { status: number; description: string; environment: string },
  headers: Record<string, string> = {},
): Response {
  const details = {
    Description: description,
    "wm_svc.version": "1.0.0",
    "wm_svc.name": serviceNames[operation],
    "wm_svc.env": environment,
  };
  return json(status, { details }, headers);
}

/** Returns a 429. Its `Retry-After` is in whole seconds, rounded up. */
export function tooManyRequests(operation: OperationName, environment: string, waitMs: number): Response {
  return gateway(
    operation,
    { status: 429, description: "Too many requests. Retry after some time.", environment },
    { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1000))) },
  );
}
