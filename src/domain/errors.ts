/**
 * All reasons why a cell has no value, with the Excel error that each becomes. `#N/A` means that the service answered: there is
 * no such value. `#VALUE!` means that there is no answer that a cell can show: the argument is wrong, nobody answered, or the
 * service refused. Planners wrap formulas in IFNA, so the two must never be confused.
 * Compare codes, never class names: the build shortens these.
 */

type ShownError = "#N/A" | "#VALUE!";

interface ErrorKind {
  /** Nobody answered, so the same request may succeed later. Otherwise it is an answer, or a mistake in the formula. */
  readonly isUnanswered: boolean;
  readonly cell: ShownError;
  /** The title of such problems in the pane. */
  readonly text: string;
}

export const errorTable = {
  "not-mapped": { isUnanswered: false, cell: "#N/A", text: "Not mapped to the supplier" },
  "no-data": { isUnanswered: false, cell: "#N/A", text: "No data found" },
  "no-history": { isUnanswered: false, cell: "#N/A", text: "No history of the item at the store" },
  "invalid-gtin": { isUnanswered: false, cell: "#N/A", text: "The GTIN is invalid or has no data" },
  "item-error": { isUnanswered: false, cell: "#N/A", text: "The service has no record of the item" },
  "no-record": { isUnanswered: false, cell: "#N/A", text: "No record for that area and state" },
  "no-events": { isUnanswered: false, cell: "#N/A", text: "No such events" },
  "bad-argument": { isUnanswered: false, cell: "#VALUE!", text: "An argument is not valid" },
  "refused-value": { isUnanswered: false, cell: "#VALUE!", text: "The service refused the value" },
  "refused-request": { isUnanswered: false, cell: "#VALUE!", text: "The service refused the request" },
  "not-connected": { isUnanswered: true, cell: "#VALUE!", text: "Not connected" },
  offline: { isUnanswered: true, cell: "#VALUE!", text: "INV is offline" },
  "credentials-refused": { isUnanswered: true, cell: "#VALUE!", text: "Credentials refused" },
  "signed-out": { isUnanswered: true, cell: "#VALUE!", text: "Signed out" },
  "not-subscribed": { isUnanswered: true, cell: "#VALUE!", text: "Not subscribed to the service" },
  "consumer-unknown": {
    isUnanswered: true,
    cell: "#VALUE!",
    text: "Consumer ID not mapped to a supplier",
  },
  "wrong-address": { isUnanswered: true, cell: "#VALUE!", text: "Wrong service address" },
  quota: { isUnanswered: true, cell: "#VALUE!", text: "Quota used up" },
  unreachable: { isUnanswered: true, cell: "#VALUE!", text: "The service cannot be reached" },
  timeout: { isUnanswered: true, cell: "#VALUE!", text: "The service did not answer in time" },
  "service-down": { isUnanswered: true, cell: "#VALUE!", text: "The service is not available" },
  "bad-answer": { isUnanswered: true, cell: "#VALUE!", text: "The answer cannot be read" },
  "missing-answer": { isUnanswered: true, cell: "#VALUE!", text: "The answer left the item out" },
  "too-large": { isUnanswered: false, cell: "#VALUE!", text: "The answer is too large" },
  cancelled: { isUnanswered: true, cell: "#VALUE!", text: "Cancelled" },
  internal: { isUnanswered: false, cell: "#VALUE!", text: "An error inside INV" },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** Facts for the activity list. They never contain a secret. */
export interface ErrorFacts {
  readonly httpStatus?: number;
  readonly traceId?: string;
  /** The request's id in the log of the team's server. */
  readonly requestId?: string;
}

/**
 * A reason in words: what happened, and what to do, in at most three short sentences. People see the message as it is, so it never contains
 * a secret or a stack.
 */
export class InvError extends Error {
  override readonly name = "InvError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorFacts & { readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** Recognizes an InvError by its code, because it may come from another realm or copy of this class. */
export function isInvError(value: unknown): value is InvError {
  if (typeof value !== "object" || value === null) return false;
  const code: unknown = Reflect.get(value, "code");
  return typeof code === "string" && Object.hasOwn(errorTable, code);
}

/** Returns the message of a thrown value, also of another realm. */
export function messageOf(thrown: unknown): string {
  const message: unknown = Reflect.get(Object(thrown) as object, "message");
  return typeof message === "string" ? message : String(thrown);
}

/** Wraps any other thrown value as `internal`, with the value as its cause. */
export function toInvError(value: unknown): InvError {
  if (isInvError(value)) return value;
  return new InvError(
    "internal",
    "An unexpected error inside INV. Try again. If it happens again, copy the diagnostics for support.",
    { cause: value },
  );
}
