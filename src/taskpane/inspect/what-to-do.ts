/** What a planner can do about each error, and which button helps. */
import type { ErrorCode } from "../../domain/errors";

const diagnostics = "Copy the diagnostics in Settings for support.";
const tryAgain = "Try again. If it fails again, copy the diagnostics in Settings for the service's support.";

const advice: Readonly<Record<ErrorCode, string>> = {
  "not-mapped":
    "Check the item on its label. If it is right, ask the retailer to map it to your supplier number.",
  "no-data": "The item may not be sold at this store. Check the store number.",
  "no-history": "The item may not be sold at this store. Check the store number.",
  "invalid-gtin": "Check the GTIN on the item's label.",
  "item-error": "The message above is the service's. If it isn't clear, ask its support.",
  "no-record": "Choose one of the location areas or states named above.",
  "no-events": "The service has no such event for these days. Try other dates or another event.",
  "bad-argument": "Correct the argument in the formula.",
  "refused-value": "The service doesn't accept this value. Check it on the label.",
  "refused-request": `The service doesn't accept this request. ${diagnostics}`,
  offline: 'Go online: clear "Work offline" in Settings.',
  "not-connected": "Connect to an environment.",
  "credentials-refused": "Enter the consumer ID and the client secret again.",
  "signed-out": "Sign in again. INV then requests this value.",
  "not-subscribed": "Ask for a subscription to the service for this consumer ID.",
  "consumer-unknown": "Check the consumer ID. It must belong to your supplier.",
  "wrong-address": "Ask your administrator to check the addresses of this environment.",
  quota: "Your company has used its requests for this minute. Try again in a minute.",
  unreachable: "Check your network connection, then try again.",
  timeout: "Try again. If it fails again, the service is slow today.",
  "service-down": "Try again in a few minutes.",
  "bad-answer": tryAgain,
  "missing-answer": tryAgain,
  "too-large": diagnostics,
  cancelled: "The request was cancelled. Try again.",
  internal: diagnostics,
};

const needsConnection: ReadonlySet<ErrorCode> = new Set([
  "not-connected",
  "credentials-refused",
  "signed-out",
  "not-subscribed",
  "consumer-unknown",
  "wrong-address",
]);

const mayWorkLater: ReadonlySet<ErrorCode> = new Set([
  "quota",
  "unreachable",
  "timeout",
  "service-down",
  "bad-answer",
  "missing-answer",
  "cancelled",
  "internal",
]);

const mayBeMistyped: ReadonlySet<ErrorCode> = new Set(["bad-argument", "not-mapped"]);

/**
 * Returns advice and a button's action: `connect` opens the connection form, `check` the check of a list, `again` sends the same
 * request again.
 * @param refersToCells whether the store or the item comes from a cell, which may be one of a list
 */
export function whatToDo(
  code: ErrorCode,
  refersToCells: boolean,
): {
  readonly todo: string;
  readonly action: "connect" | "check" | "again" | null;
} {
  if (needsConnection.has(code)) return { todo: advice[code], action: "connect" };
  if (code === "bad-argument" && refersToCells) {
    return {
      todo: "Correct the cell that the formula refers to. Check items corrects whole lists.",
      action: "check",
    };
  }
  if (mayBeMistyped.has(code)) return { todo: advice[code], action: refersToCells ? "check" : null };
  return { todo: advice[code], action: mayWorkLater.has(code) ? "again" : null };
}
