/**
 * A true sliding window: of the calls it lets through, never more than the limit lie in any 60 seconds,
 * wherever those begin. Refused calls do not count. Keys are consumer and operation, which only
 * authenticated callers have, so their number is bounded by the accounts.
 */

export interface RateWindow {
  /** 0 when the call may go (and is counted), else the milliseconds until one may. */
  take(key: string, nowMs: number): number;
}

const windowMs = 60_000;

export function createRateWindow(limitPerMinute: number): RateWindow {
  const windows = new Map<string, { readonly timesMs: Float64Array; next: number }>();
  let lastMs = -Infinity;
  let setBackMs = 0;

  /** A system clock that is set back must not lock a consumer out until it has caught up. */
  function steady(nowMs: number): number {
    if (nowMs < lastMs) setBackMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + setBackMs;
  }

  return {
    take(key, nowMs) {
      const atMs = steady(nowMs);
      let window = windows.get(key);
      if (window === undefined) {
        window = { timesMs: new Float64Array(limitPerMinute).fill(-Infinity), next: 0 };
        windows.set(key, window);
      }
      // The ring holds the last `limit` calls: the place to write next is the oldest of them.
      const oldestMs = window.timesMs[window.next] ?? -Infinity;
      const waitMs = oldestMs + windowMs - atMs;
      if (waitMs > 0) return waitMs;
      window.timesMs[window.next] = atMs;
      window.next = (window.next + 1) % limitPerMinute;
      return 0;
    },
  };
}
