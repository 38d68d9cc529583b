/**
 * All reasons why a cell has no value, with the Excel error that each becomes. `#N/A` means that the service answered: there is
 * no such value. `#VALUE!` means that there is no answer that a cell can show: the argument is wrong, nobody answered, or the
 * service refused. Planners wrap formulas in IFNA, so the two must never be confused.
 * Compare codes, never class names: the build shortens these.
 */

/**
 * - `absent`: the service answered that there is no such value.
 * - `wrong-entry`: INV requested nothing.
 * - `unanswered`: nobody answered, so the same request may succeed later.
 * - `failed`: the same request would fail again.
 */
type ErrorKind = "absent" | "wrong-entry" | "unanswered" | "failed";

/** Each `text` is the title of such problems in the pane. */
export const errorTable = {
  "not-mapped": { kind: "absent", text: "Not mapped to the supplier" },
  "no-data": { kind: "absent", text: "No data found" },
  "no-history": { kind: "absent", text: "No history of the item at the store" },
  "invalid-gtin": { kind: "absent", text: "The GTIN is invalid or has no data" },
  "item-error": { kind: "absent", text: "The service has no record of the item" },
  "no-record": { kind: "absent", text: "No record for that area and state" },
  "no-events": { kind: "absent", text: "No such events" },
  "bad-argument": { kind: "wrong-entry", text: "An argument is not valid" },
  "refused-value": { kind: "failed", text: "The service refused the value" },
  "refused-request": { kind: "failed", text: "The service refused the request" },
  "not-connected": { kind: "unanswered", text: "Not connected" },
  "credentials-refused": { kind: "unanswered", text: "Credentials refused" },
  "signed-out": { kind: "unanswered", text: "Signed out" },
  "not-subscribed": { kind: "unanswered", text: "Not subscribed to the service" },
  "consumer-unknown": { kind: "unanswered", text: "Consumer ID not mapped to a supplier" },
  "wrong-address": { kind: "unanswered", text: "Wrong service address" },
  quota: { kind: "unanswered", text: "Quota used up" },
  unreachable: { kind: "unanswered", text: "The service cannot be reached" },
  timeout: { kind: "unanswered", text: "The service did not answer in time" },
  "service-down": { kind: "unanswered", text: "The service is not available" },
  "bad-answer": { kind: "unanswered", text: "The answer cannot be read" },
  "missing-answer": { kind: "unanswered", text: "The answer left the item out" },
  "too-large": { kind: "failed", text: "The answer is too large" },
  cancelled: { kind: "unanswered", text: "Cancelled" },
  // What a person asked for can't be done with the workbook as it is. No cell shows it.
  "not-possible": { kind: "failed", text: "Not possible" },
  internal: { kind: "failed", text: "An error inside INV" },
} as const satisfies Record<string, { readonly kind: ErrorKind; readonly text: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Returns the Excel error that a cell shows. */
export function cellErrorOf(code: ErrorCode): "#N/A" | "#VALUE!" {
  return errorTable[code].kind === "absent" ? "#N/A" : "#VALUE!";
}

export function isUnanswered(code: ErrorCode): boolean {
  return errorTable[code].kind === "unanswered";
}

/** Facts for the problem list. They never contain a secret. */
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
