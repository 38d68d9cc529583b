/** What a planner can do about each reason, and which button helps. */
import type { ErrorCode } from "../../domain/errors";

interface Advice {
  readonly todo: string;
  /** `connect`: opens the connection form. `again`: sends the same request again. */
  readonly action: "connect" | "again" | "none";
}

export const whatToDo: Readonly<Record<ErrorCode, Advice>> = {
  "not-mapped": {
    todo: "Check the item on its label. If it is right, ask the retailer to map it to your supplier number.",
    action: "none",
  },
  "no-data": {
    todo: "The item may not be sold at this store. Check the store number.",
    action: "none",
  },
  "item-error": {
    todo: "The message above is the service's. If it isn't clear, ask its support.",
    action: "none",
  },
  "no-record": {
    todo: "Choose one of the location areas or states named above.",
    action: "none",
  },
  "no-events": {
    todo: "No such event in the days that the service keeps. Try other dates or another event.",
    action: "none",
  },
  "bad-argument": {
    todo: "Correct the cell that the formula points at. INV then calculates the formula again.",
    action: "none",
  },
  "refused-value": {
    todo: "The service doesn't accept this value. Check it on the label.",
    action: "none",
  },
  "refused-request": {
    todo: "The service doesn't accept this request. Copy the diagnostics in Settings for support.",
    action: "none",
  },
  offline: { todo: 'Go online: clear "Work offline" in Settings.', action: "none" },
  "not-connected": { todo: "Connect to an environment.", action: "connect" },
  "credentials-refused": { todo: "Enter the consumer ID and the client secret again.", action: "connect" },
  "signed-out": { todo: "Sign in again. INV then asks for this cell.", action: "connect" },
  "not-subscribed": {
    todo: "Ask for a subscription to the service for this consumer ID.",
    action: "connect",
  },
  "consumer-unknown": {
    todo: "Check the consumer ID. It must belong to your supplier.",
    action: "connect",
  },
  "wrong-address": {
    todo: "Ask your administrator to check the addresses of this environment.",
    action: "connect",
  },
  quota: {
    todo: "Your company has used its requests of this minute. Try again in a minute.",
    action: "again",
  },
  unreachable: { todo: "Check your network connection, then try again.", action: "again" },
  timeout: { todo: "Try again. If it fails again, the service is slow today.", action: "again" },
  "service-down": { todo: "Try again in a few minutes. Cells keep their values.", action: "again" },
  "bad-answer": {
    todo: "Try again. If it fails again, copy the diagnostics in Settings for the service's support.",
    action: "again",
  },
  "missing-answer": {
    todo: "Try again. If it fails again, copy the diagnostics in Settings for the service's support.",
    action: "again",
  },
  "too-large": { todo: "Copy the diagnostics in Settings for support.", action: "again" },
  cancelled: { todo: "The request was cancelled. Try again.", action: "again" },
  internal: { todo: "Copy the diagnostics in Settings for support.", action: "again" },
};
