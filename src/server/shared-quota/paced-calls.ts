/**
 * Sends calls within the company's quota and tells the quota how they went. What a call carries, and who gets
 * its answer, is for the caller.
 */
import { readRetryAfterMs } from "../../domain/retry-after";
import type { RelayedAnswer } from "../answer";
import type { CompanyCall } from "./call";
import type { SteadyClock } from "./clock";
import type { CallEnd } from "./call-end";
import type { Account, Waiting } from "./entry";
import type { CompanyQuota } from "./quota";
import { memoryRefusal, ownRefusal } from "./headers";

export interface PacedCall extends Waiting {
  readonly send: CompanyCall["send"];
  readonly body: Buffer;
  /** The call has its turn and is being sent. */
  readonly onSent?: (atMs: number) => void;
}

/** Null when nobody wanted the answer any more before it was sent. */
export type PacedCalls = (call: PacedCall) => Promise<RelayedAnswer | null>;

export interface PacedCallsOptions {
  readonly clock: SteadyClock;
  readonly quota: CompanyQuota;
  /** Turned away by the quota, before the service saw it. */
  readonly onRejected: (account: Account) => void;
  /** The same, since nobody knows now how much of it is spent. */
  readonly onAway: (account: Account) => void;
  /** The service answered, or could not be asked: then with the relay's 502 or 504. */
  readonly onSent: (account: Account, status: number, tookMs: number) => void;
}

export function createPacedCalls(options: PacedCallsOptions): PacedCalls {
  const { clock, quota, onRejected, onAway, onSent } = options;
  async function paced(call: PacedCall, isAgain: boolean): Promise<RelayedAnswer | "again" | null> {
    const entry = await quota.enter(call);
    if (entry.kind === "left") return null;
    if (entry.kind === "full") {
      onRejected(call.account);
      return ownRefusal(entry.retryAfterMs);
    }
    if (entry.kind === "away") {
      onAway(call.account);
      return memoryRefusal(entry.retryAfterMs);
    }
    let ended: CallEnd = { kind: "failed" };
    try {
      const sentAtMs = clock.now();
      call.onSent?.(sentAtMs);
      const answer = await call.send(call.body, { signal: call.signal, isAgain });
      ended = answer === "again" ? { kind: "answered" } : endOf(answer);
      onSent(call.account, answer === "again" ? 401 : answer.status, clock.now() - sentAtMs);
      return answer;
    } finally {
      entry.end(ended);
    }
  }

  return async (call) => {
    const first = await paced(call, false);
    const answer = first === "again" ? await paced(call, true) : first;
    if (answer === "again") throw new Error("A call is sent twice at most.");
    return answer;
  };
}

function endOf({ status, headers }: RelayedAnswer): CallEnd {
  if (status === 429) return { kind: "throttled", retryAfterMs: retryAfterOf(headers) };
  return status >= 500 ? { kind: "failed" } : { kind: "answered" };
}

/** A date says nothing here, since the relay passes the service's own on to nobody. */
function retryAfterOf(headers: RelayedAnswer["headers"]): number | null {
  return readRetryAfterMs(headers["retry-after"] ?? null, null);
}
