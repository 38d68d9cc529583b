/**
 * Bounds how often sign-ins begin and return, each by itself: 200 a minute for a network, which an office behind one address doesn't
 * reach, and 1,000 for this process. So nobody can use up the provider or Redis, where each return is remembered for ten minutes.
 */
import type { SteadyClock } from "../steady-clock";

export interface Attempts {
  /** Returns null, or the seconds until the network may try again. */
  admit(network: string): number | null;
}

const minuteMs = 60_000;
const mostOfNetwork = 200;
const mostOfProcess = 1_000;

export function createAttempts(clock: Pick<SteadyClock, "now">): Attempts {
  const byNetwork = new Map<string, number>();
  let sinceMs = -Infinity;
  let all = 0;
  return {
    admit(network) {
      const nowMs = clock.now();
      if (nowMs - sinceMs >= minuteMs) {
        sinceMs = nowMs;
        all = 0;
        byNetwork.clear();
      }
      const own = byNetwork.get(network) ?? 0;
      const isFull = own >= mostOfNetwork || all >= mostOfProcess;
      if (isFull) return Math.ceil((sinceMs + minuteMs - nowMs) / 1_000);
      byNetwork.set(network, own + 1);
      all += 1;
      return null;
    },
  };
}
