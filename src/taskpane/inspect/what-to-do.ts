/** What a planner does about each reason, beside what its message says; and which button helps. */
import type { ErrorCode } from "../../domain/errors";

interface Advice {
  readonly todo: string;
  /** `connect`: the Connect tab. `again`: the same question once more. */
  readonly action: "connect" | "again" | "none";
}

export const whatToDo: Readonly<Record<ErrorCode, Advice>> = {
  "not-mapped": {
    todo: "Compare the item with its label. If it is right, ask the retailer to map it to your supplier number.",
    action: "none",
  },
  "no-data": {
    todo: "The service has nothing of this item at this store: it may not be sold there. Compare the store.",
    action: "none",
  },
  "item-error": {
    todo: "The service says why above. Ask its support if the reason is not clear.",
    action: "none",
  },
  "no-record": {
    todo: "Choose another location area or state; those there are are named above.",
    action: "none",
  },
  "no-events": {
    todo: "Nothing of this kind happened in the days the service keeps. Widen dates or type.",
    action: "none",
  },
  "bad-argument": {
    todo: "Correct the cell that the formula points at; it is calculated again by itself.",
    action: "none",
  },
  "refused-value": {
    todo: "The service does not take this value. Compare it with the label.",
    action: "none",
  },
  "refused-request": {
    todo: "The service does not take this question. Copy the diagnostics on the Activity tab.",
    action: "none",
  },
  offline: { todo: "Go online: the switch is on the Refresh tab.", action: "none" },
  "not-connected": { todo: "Connect to an environment.", action: "connect" },
  "credentials-refused": { todo: "Enter the consumer ID and the client secret again.", action: "connect" },
  "signed-out": { todo: "Sign in again; the cell is then asked for by itself.", action: "connect" },
  "not-subscribed": {
    todo: "Ask for a subscription to the service for this consumer ID.",
    action: "connect",
  },
  "consumer-unknown": {
    todo: "Compare the consumer ID; it must belong to your supplier.",
    action: "connect",
  },
  "wrong-address": {
    todo: "Ask your administrator to compare the addresses of this environment.",
    action: "connect",
  },
  quota: { todo: "The company's calls of this minute are used up. Try again in a minute.", action: "again" },
  unreachable: { todo: "Compare the network, then try again.", action: "again" },
  timeout: { todo: "Try again; if it stays, the service is slow today.", action: "again" },
  "service-down": { todo: "Try again in some minutes. Other cells keep their values.", action: "again" },
  "bad-answer": {
    todo: "Try again; if it stays, copy the diagnostics for the service's support.",
    action: "again",
  },
  "missing-answer": {
    todo: "Try again; if it stays, copy the diagnostics for the service's support.",
    action: "again",
  },
  "too-large": { todo: "Copy the diagnostics on the Activity tab for support.", action: "again" },
  cancelled: { todo: "It was cancelled before the answer came. Ask again.", action: "again" },
  internal: { todo: "Copy the diagnostics on the Activity tab for support.", action: "again" },
};
