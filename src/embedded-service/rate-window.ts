/**
 * A sliding window: it never accepts more than the limit in any 60 seconds. Refused requests don't count. Keys are consumer and
 * operation; only authenticated callers have them, so the number of accounts limits their number.
 */

export interface RateWindow {
  /** Returns 0 and counts the request if it is accepted; otherwise the milliseconds to wait. */
  take(key: string, nowMs: number): number;
}

const windowMs = 60_000;

export function createRateWindow(limitPerMinute: number): RateWindow {
  const windows = new Map<string, { readonly timesMs: Float64Array; next: number }>();
  let lastMs = -Infinity;
  let setBackMs = 0;

  /** Otherwise a system clock that was set back would lock consumers out for that time. */
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
      // The ring contains the last `limit` requests; the next place to write is the oldest.
      const oldestMs = window.timesMs[window.next] ?? -Infinity;
      const waitMs = oldestMs + windowMs - atMs;
      if (waitMs > 0) return waitMs;
      window.timesMs[window.next] = atMs;
      window.next = (window.next + 1) % limitPerMinute;
      return 0;
    },
  };
}
