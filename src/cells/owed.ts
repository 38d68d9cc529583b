/**
 * Which reasons leave an answer owed: nobody answered, and the same question may be answered when it is
 * asked again. The others are answers, or the cell's own fault.
 */
import { type ErrorCode, errorTable } from "../domain/errors";

const owing: ReadonlySet<ErrorCode> = new Set([
  "not-connected",
  "offline",
  "credentials-refused",
  "signed-out",
  "not-subscribed",
  "consumer-unknown",
  "wrong-address",
  "bad-answer",
  "missing-answer",
  "cancelled",
  ...(Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].retryable),
]);

/** Whether a cell that shows this reason is still owed its answer. */
export function leavesOwed(code: ErrorCode): boolean {
  return owing.has(code);
}
