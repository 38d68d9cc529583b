/**
 * What each outcome of a call means, as a table: for the call itself, the circuit breaker, the token, the quota, the spending guard
 * and the operation. The sender applies a row. A team's server may refuse a call itself (`rejected`, `token-unknown`); the service
 * hasn't seen such a call.
 */
import type { Failure } from "../../api/outcomes";

export type OutcomeKind = "answered" | "rejected" | Failure["kind"];

export interface Consequences {
  /**
   * `settle` and `fail` end the call. The others send it again: before all others, after them if the retry budget allows it, or
   * assembled again from the queue.
   */
  readonly call: "settle" | "fail" | "first" | "last" | "requeue";
  /** `repeated-failure` counts only if the previous token had the same outcome. `known` forgives failures because of tokens. */
  readonly circuit: "success" | "failure" | "repeated-failure" | "known" | "none";
  readonly token: "accepted" | "refused" | "discarded" | "none";
  /** How the quota's pause changes. */
  readonly pause: "ends" | "throttle" | "not-before" | "none";
  /** Whether the call used the company's quota. */
  readonly spending: "counts" | "free";
  /** Whether the operation stops until a person acts. */
  readonly fault: "lift" | "raise" | "raise-if-address" | "none";
}

const none = { circuit: "none", token: "none", pause: "none", spending: "counts", fault: "none" } as const;

export const consequences: Readonly<Record<OutcomeKind, Consequences>> = {
  answered: {
    call: "settle",
    circuit: "success",
    token: "accepted",
    pause: "ends",
    spending: "counts",
    fault: "lift",
  },
  "token-refused": { ...none, call: "first", token: "refused" },
  "token-unknown": {
    ...none,
    call: "first",
    circuit: "repeated-failure",
    token: "discarded",
    spending: "free",
  },
  "operation-refused": { ...none, call: "fail", fault: "raise" },
  throttled: { ...none, call: "requeue", pause: "throttle" },
  rejected: { ...none, call: "requeue", circuit: "known", pause: "not-before", spending: "free" },
  unavailable: { ...none, call: "last", circuit: "failure" },
  unreadable: { ...none, call: "fail", pause: "ends", fault: "raise-if-address" },
};
