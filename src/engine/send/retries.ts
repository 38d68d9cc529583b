/**
 * How often a call that failed is sent again: a few times, within a total that counts from its first sending (waiting
 * for slot or quota is not the call's), and paid from an allowance that all calls of the operation share and successes
 * refill, so that a service in trouble is not hit harder because thousands of cells want it.
 */
import type { Call } from "../call";
import type { Clock } from "../clock";
import { attemptTimeoutMs } from "./attempt";
import { backoffMs } from "../../domain/pacing/backoff";

export interface Retries {
  /** Counts a failure. The wait before the next try, or null where there is none. */
  failed(call: Call): number | null;
  succeeded(): void;
}

const attemptsOfACall = 4;
/** The pause and the attempt that would pass it are not begun. */
const totalMs = 60_000;
const allowance = 50;
const refundOfASuccess = 0.25;

export function createRetries(clock: Clock): Retries {
  let left = allowance;

  return {
    failed(call) {
      call.attempts += 1;
      const nowMs = clock.steadyNow();
      const waitMs = backoffMs(call.attempts, clock.random());
      const endsAtMs = (call.firstSentAtMs ?? nowMs) + totalMs;
      const isOver = call.attempts >= attemptsOfACall || nowMs + waitMs + attemptTimeoutMs > endsAtMs;
      if (isOver || left < 1) return null;
      left -= 1;
      return waitMs;
    },
    succeeded: () => void (left = Math.min(allowance, left + refundOfASuccess)),
  };
}
