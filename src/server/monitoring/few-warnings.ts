/**
 * Warnings that anybody who reaches the port can cause. Only some are logged each minute, so that nobody fills a disk with them; the
 * next one says how many were left out.
 */
import type { SteadyClock } from "../steady-clock";
import type { Log } from "./log";

const minuteMs = 60_000;

export function createFewWarnings(
  log: Pick<Log, "warn">,
  { clock, perMinute }: { readonly clock: Pick<SteadyClock, "now">; readonly perMinute: number },
): Log["warn"] {
  let sinceMs = -Infinity;
  let written = 0;
  let leftOut = 0;
  return (fields, message) => {
    const nowMs = clock.now();
    if (nowMs - sinceMs >= minuteMs) {
      sinceMs = nowMs;
      written = 0;
    }
    if (written >= perMinute) {
      leftOut += 1;
      return;
    }
    written += 1;
    log.warn({ ...fields, ...(leftOut > 0 && { leftOut }) }, message);
    leftOut = 0;
  };
}
