/**
 * What the conditions of the service's document have in common: their shape, their bodies, and the good calls that their cases change.
 */
import { fixedGtin } from "./caller";
import type { ContractService } from "./worlds";

type Endpoint = "search" | "events";

/** A body in problem shape; a 400 names each wrong property in `errors`. */
export interface ProblemBody {
  readonly shape: "problem";
  readonly kind:
    | "invalid-request"
    | "authentication-failure"
    | "resource-not-found"
    | "internal-server-error";
  readonly detail: string;
  readonly error?: {
    readonly code: "invalid-property-value" | "invalid-property-length" | "missing-required-property";
    readonly reason: "missing" | "length" | "value";
  };
}

export interface Condition {
  readonly table: string;
  readonly condition: string;
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly body: ProblemBody | { readonly shape: "gateway"; readonly description: string };
  /** The only environment with this condition; left out for both. */
  readonly only?: "sandbox" | "production";
  readonly refused: Calls<RefusedCall>;
  readonly answered: Calls<Call>;
}

type Calls<T> = readonly T[] | ((service: ContractService) => readonly T[]);

export interface Call {
  /** The body of `POST /search-items`, or the query of `GET /events`. */
  readonly ask: object | string;
  readonly as?: keyof ContractService["accounts"];
  readonly token?: "missing" | "malformed" | "changed" | "without Bearer" | "of another consumer";
  /** The `wm_consumer.id` header, if it isn't the account's; null leaves it out. */
  readonly consumerId?: string | null;
  readonly method?: "PUT";
  readonly path?: string;
  /** Milliseconds between the token and the call. */
  readonly afterMs?: number;
  /** Number of equal calls before, within the same minute. The last of them is answered. */
  readonly before?: number;
  /** A fault switch, for what nobody can cause from outside. */
  readonly fault?: "500=100%";
}

export interface RefusedCall extends Call {
  /** `errors[].property` of a 400. */
  readonly property?: string;
  /** `errors[].reason`, if it isn't the row's. */
  readonly reason?: "length";
}

export const body = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
export const query = `store_nbr=1234&gtin=${fixedGtin}`;
export const good: Readonly<Record<Endpoint, Call>> = { search: { ask: body }, events: { ask: query } };

export type Kind = Pick<Condition, "table" | "status" | "body">;

export const access = (status: number, description: string): Kind => ({
  table: "Authentication",
  status,
  body: { shape: "gateway", description },
});
export const problem = (table: string, status: number, problemBody: Omit<ProblemBody, "shape">): Kind => ({
  table,
  status,
  body: { shape: "problem", ...problemBody },
});
export const badRequest = (
  reason: "missing" | "length" | "value",
  code: NonNullable<ProblemBody["error"]>["code"] = "invalid-property-value",
): Kind =>
  problem("400 Bad request", 400, {
    kind: "invalid-request",
    detail: "Invalid request parameters received.",
    error: { code, reason },
  });
export const notFound = (detail: string): Kind =>
  problem("404 Not found", 404, { kind: "resource-not-found", detail });
export const wrongMethod = (method: string): Kind =>
  problem("Other statuses", 405, {
    kind: "invalid-request",
    detail: `The method PUT isn't allowed here. Use ${method}.`,
  });

export const wrongValue = badRequest("value");
export const wrongLength = badRequest("length", "invalid-property-length");
export const unknownPath = notFound("Requested resource does not exist");
export const unknownConsumer = problem("Authentication", 401, {
  kind: "authentication-failure",
  detail: "The consumer ID is not found.",
});
export const notSubscribed = access(403, "The consumer ID is not subscribed to the service.");

/** A condition without its endpoint. With `change`, changes of the good call are refused, and the good call is answered. */
export type Row = Kind & { readonly condition: string } & Partial<
    Pick<Condition, "only" | "refused" | "answered">
  > & {
    readonly change?: readonly Partial<RefusedCall>[];
    readonly answeredChange?: Partial<Call>;
  };
