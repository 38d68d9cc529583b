/**
 * How long the browser workbook works on something, and how long at a stretch it takes no key, told from inside
 * the page: a pulse that is late when the thread is busy, and the page's own word on whether cells wait. The
 * pane stands in a frame of the same thread, so its blocks count too.
 */
import type { Page } from "playwright-core";

export interface Watched {
  /** From the beginning to the last moment at which a cell waited or was calculated. */
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

/** Runs in the page before its own scripts; what happens from then on counts, until `beginWatch` starts anew. */
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

/** What happened before does not count. */
export async function beginWatch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const nowMs = performance.now();
    window.benchWatch = { beganMs: nowMs, busyUntilMs: 0, lastMs: nowMs, longestBlockMs: 0, savedAtMs: 0 };
  });
}

/** When no cell has waited for a second; where wanted, when the workbook has been saved after that. */
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
  // A block that is under way is told of by the pulse after it.
  await page.waitForTimeout(100);
  return page.evaluate(() => {
    const { beganMs, busyUntilMs, longestBlockMs } = window.benchWatch;
    return { tookMs: busyUntilMs - beganMs, longestBlockMs };
  });
}
