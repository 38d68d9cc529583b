/**
 * The time after Redis has lost the log of sent requests: nothing is sent until none of them can count any more. It begins when
 * Redis becomes available, so that it is usually over before anybody asks.
 */
import type { Log } from "../monitoring/log";
import type { Metrics } from "../monitoring/metrics";
import type { SteadyClock } from "../steady-clock";

export interface Silence {
  begin(lastsMs: number): void;
  /** 0 when it is over. */
  leftMs(): number;
}

export function createSilence({
  clock,
  log,
  metrics,
}: {
  readonly clock: Pick<SteadyClock, "now">;
  readonly log: Log;
  readonly metrics: Metrics;
}): Silence {
  let untilMs = -Infinity;
  const leftMs = (): number => Math.max(0, untilMs - clock.now());
  metrics.silenceLeft(() => leftMs() / 1_000);
  return {
    begin(lastsMs) {
      const before = untilMs;
      untilMs = Math.max(untilMs, clock.now() + lastsMs);
      // All accounts report the same silence.
      if (untilMs < before + 1_000) return;
      const seconds = Math.ceil(lastsMs / 1_000);
      log.warn(
        { seconds },
        "Redis is new, or has lost the log of sent requests. INV sends nothing until they no longer count.",
      );
    },
    leftMs,
  };
}
