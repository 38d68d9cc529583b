/** Sends calls within the company's quota, and reports to the quota how they ended. */
import { readRetryAfterMs } from "../../domain/retry-after";
import type { RelayedAnswer } from "../answer";
import type { SteadyClock } from "../steady-clock";
import type { CallEnd } from "./turns";
import type { CompanyCall, CompanyObserver, Waiting } from "./call";
import { ownRefusal, unavailableRefusal } from "./headers";
import type { CompanyQuota } from "./quota";

interface PacedCall extends Waiting {
  readonly send: CompanyCall["send"];
  readonly body: Buffer;
  /** Called when the call is sent. */
  readonly onSent?: (atMs: number) => void;
}

/** Null when nobody wanted the answer any more before the call was sent. */
export type PacedCalls = (call: PacedCall) => Promise<RelayedAnswer | null>;

export interface PacedCallsOptions {
  readonly clock: SteadyClock;
  readonly quota: CompanyQuota;
  readonly observer: Pick<CompanyObserver, "sent" | "rejected" | "away">;
}

export function createPacedCalls(options: PacedCallsOptions): PacedCalls {
  const { clock, quota, observer } = options;
  async function paced(call: PacedCall, earlierTries: number): Promise<RelayedAnswer | "again" | null> {
    const outcome = await quota.wait(call);
    if (outcome.kind === "cancelled") return null;
    if (outcome.kind === "rejected") {
      observer.rejected(call.account);
      return ownRefusal(outcome.retryAfterMs);
    }
    if (outcome.kind === "away") {
      observer.away(call.account);
      return unavailableRefusal(outcome.retryAfterMs);
    }
    let ended: CallEnd = { kind: "failed" };
    try {
      const sentAtMs = clock.now();
      call.onSent?.(sentAtMs);
      const answer = await call.send(call.body, { signal: call.signal, earlierTries });
      ended = answer === "again" ? { kind: "answered" } : endOf(answer);
      observer.sent(call.account, answer === "again" ? 401 : answer.status, clock.now() - sentAtMs);
      return answer;
    } finally {
      outcome.end(ended);
    }
  }

  return async (call) => {
    for (let tries = 0; ; tries += 1) {
      const answer = await paced(call, tries);
      if (answer !== "again") return answer;
    }
  };
}

function endOf({ status, headers }: RelayedAnswer): CallEnd {
  // Only seconds: the relay doesn't forward a date of the service.
  const retryAfter = headers["retry-after"] ?? null;
  if (status === 429) return { kind: "throttled", retryAfterMs: readRetryAfterMs(retryAfter, null) };
  return status >= 500 ? { kind: "failed" } : { kind: "answered" };
}
