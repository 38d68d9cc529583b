/**
 * The age of the values in the workbook, for both headers: the oldest value (`earlier-values.ts` has the rule), whether it is stale, and
 * whether the service answered for everything shown. It also reports when a refresh failed, and when the next automatic one is due. The pane has
 * the words.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createNotices, type Observable } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import { type AsOf, asOfOldest, type EarlierValues } from "./earlier-values";
import type { RefreshState } from "./refresh";

export interface StockAge {
  /** As-of time of the oldest value. */
  readonly asOf: AsOf;
  /** Whether the oldest value exceeds the freshness time, or nobody knows its age, as after the clock was set back. */
  readonly isOld: boolean;
  /**
   * Whether, in this session, the service has answered for everything shown: nothing failed or waits, and no value comes from the
   * file.
   */
  readonly isAnswered: boolean;
  /** Whether cells wait, also for their turn, so that the engine may not know them yet. */
  readonly isWaiting: boolean;
  /** When the last refresh failed; null if it succeeded, or if nothing is left of it to ask for. */
  readonly failedAtMs: number | null;
  /** When the next automatic refresh is due; null if none is. */
  readonly nextRefreshMs: number | null;
  /** Values that this session hasn't calculated, whose age counts too; null if there are none. */
  readonly earlier: EarlierValues | null;
}

export interface StockAgeOptions {
  readonly cells: Pick<CellRegister, "summary" | "subscribe">;
  readonly clock: Clock;
  readonly settings: Observable<{ readonly freshnessMinutes: number }>;
  readonly nextRefresh: Observable<number | null>;
}

export interface FollowedRefresher {
  readonly state: Pick<RefreshState, "phase" | "endedAtMs">;
  subscribe(listener: () => void): () => void;
}

export interface StockAgeSource extends Observable<StockAge> {
  /** Follows the refresher of the opened workbook, and the values from its file. */
  follow(refresher: FollowedRefresher, openedWith: Observable<EarlierValues | null>): void;
}

/** Clocks are corrected by less than this all the time. */
const clockToleranceMs = 60_000;
/** Ages change without an event. */
const lookEveryMs = 15_000;

export function createStockAge(options: StockAgeOptions): StockAgeSource {
  const { cells, clock, settings, nextRefresh } = options;
  const notices = createNotices();
  let failedAtMs: number | null = null;
  let earlierValues: Observable<EarlierValues | null> | null = null;

  function tick(): void {
    notices.tell();
    clock.setTimeout(tick, lookEveryMs);
  }

  for (const { subscribe } of [cells, settings, nextRefresh]) subscribe(notices.tell);
  clock.setTimeout(tick, lookEveryMs);

  return {
    get() {
      const earlier = earlierValues?.get() ?? null;
      const { oldestMs: ownMs, newestMs, latestUnanswered, isCalculating } = cells.summary();
      const asOf = asOfOldest(ownMs, earlier);
      const { freshnessMinutes } = settings.get();
      const nowMs = clock.now();
      const isFromFuture = (newestMs ?? 0) > nowMs + clockToleranceMs;
      const isOld =
        asOf === "unknown"
          ? earlier?.cells !== null
          : isFromFuture || (asOf !== null && nowMs - asOf > freshnessMinutes * 60_000);
      return {
        asOf,
        isOld,
        isAnswered: failedAtMs === null && earlier === null && latestUnanswered === 0 && !isCalculating,
        isWaiting: isCalculating,
        failedAtMs,
        nextRefreshMs: nextRefresh.get(),
        earlier,
      };
    },
    subscribe: (listener) => notices.subscribe(listener),
    follow(refresher, openedWith) {
      earlierValues = openedWith;
      openedWith.subscribe(notices.tell);
      refresher.subscribe(() => {
        const { phase, endedAtMs } = refresher.state;
        if (phase === "failed") failedAtMs = endedAtMs;
        if (phase === "done" || phase === "idle") failedAtMs = null;
        notices.tell();
      });
    },
  };
}
