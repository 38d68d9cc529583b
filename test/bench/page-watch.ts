/**
 * Measures inside the page how long the browser workbook works, and the longest time for which it accepts no key. A pulse
 * is late when the thread is busy, and the page reports whether cells wait. The pane is in a frame of the same thread,
 * so its blocks count too.
 */
import type { Page } from "playwright-core";

export interface Watched {
  /** Milliseconds from the start to the last moment at which a cell waited or was calculated. */
  readonly tookMs: number;
  readonly longestBlockMs: number;
}

declare global {
  interface Window {
    benchWatch: {
      beganMs: number;
      busyUntilMs: number;
      lastMs: number;
      longestBlockMs: number;
      savedAtMs: number;
    };
  }
}

/** Runs in the page before its own scripts and starts a watch. `beginWatch` starts a new one. */
export function watchPage(): void {
  if (window.top !== window) return;
  window.benchWatch = {
    beganMs: 0,
    busyUntilMs: 0,
    lastMs: performance.now(),
    longestBlockMs: 0,
    savedAtMs: 0,
  };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    if (this.name === "books") window.benchWatch.savedAtMs = performance.now();
    return put.apply(this, given);
  };
  setInterval(() => {
    const { benchWatch: watch } = window;
    const nowMs = performance.now();
    watch.longestBlockMs = Math.max(watch.longestBlockMs, nowMs - watch.lastMs);
    watch.lastMs = nowMs;
    const calculating = (document.body as HTMLElement | null)?.dataset["calculating"];
    if (calculating !== "false") watch.busyUntilMs = nowMs;
  }, 4);
}

/** Starts a new watch; earlier work doesn't count. */
export async function beginWatch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const nowMs = performance.now();
    window.benchWatch = { beganMs: nowMs, busyUntilMs: 0, lastMs: nowMs, longestBlockMs: 0, savedAtMs: 0 };
  });
}

/** Ends the watch when no cell has waited for a second, and with `isSaved` also when the workbook was saved after that. */
export async function endWatch(page: Page, { isSaved = false } = {}): Promise<Watched> {
  await page.waitForFunction(
    (waitsForSave) => {
      const { busyUntilMs, savedAtMs } = window.benchWatch;
      if (busyUntilMs === 0 || performance.now() - busyUntilMs < 1_000) return false;
      return !waitsForSave || savedAtMs > busyUntilMs;
    },
    isSaved,
    { timeout: 90_000 },
  );
  // The next pulse reports a block that is still under way.
  await page.waitForTimeout(100);
  return page.evaluate(() => {
    const { beganMs, busyUntilMs, longestBlockMs } = window.benchWatch;
    return { tookMs: busyUntilMs - beganMs, longestBlockMs };
  });
}
