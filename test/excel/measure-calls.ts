/**
 * Measures what many calls at once cost Excel: the longest time for which the page's thread is blocked, and the bytes over
 * the bridge. The page sends messages to itself, which arrive late when the thread is busy.
 */
import type { ExcelPage } from "./excel-in-browser";
import type { CellResult, FunctionCall } from "./function-host";

export interface CallMeasure {
  readonly results: readonly CellResult[];
  /** Milliseconds from the message with the calls to the last result. */
  readonly tookMs: number;
  readonly longestBlockMs: number;
  /** Bytes of all messages with results, and of the largest one. */
  readonly payloadBytes: number;
  readonly largestMessageBytes: number;
}

/** Sends the calls in one message, as Excel does. */
export async function measureCalls(
  { page, host }: Pick<ExcelPage, "page" | "host">,
  calls: readonly FunctionCall[],
): Promise<CallMeasure> {
  await page.evaluate(watchThread);
  const before = host.requests.length;
  const startedAtMs = performance.now();
  const results = await Promise.all(host.functions.call(calls));
  const tookMs = performance.now() - startedAtMs;
  const longestBlockMs = await page.evaluate(() => window.longestBlockMs());
  const sizes = host.requests
    .slice(before)
    .filter(({ names }) => names.includes("setInvocationArrayResults"))
    .map(({ bytes }) => bytes);
  return {
    results,
    tookMs,
    longestBlockMs,
    payloadBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    largestMessageBytes: Math.max(0, ...sizes),
  };
}

declare global {
  interface Window {
    /** The longest block since the watch began. Ends the watch. */
    longestBlockMs(): number;
  }
}

/** Runs in the page, so it can't use anything outside the function. */
function watchThread(): void {
  const channel = new MessageChannel();
  let lastMs = performance.now();
  let longestMs = 0;
  let isOver = false;
  channel.port1.onmessage = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    // The pause keeps the watch itself from filling the thread.
    if (!isOver) setTimeout(() => channel.port2.postMessage(null), 4);
  };
  window.longestBlockMs = () => {
    isOver = true;
    return longestMs;
  };
  channel.port2.postMessage(null);
}
