/**
 * How old the values in the workbook are, for both headers: the oldest value, whether it is past its freshness, whether the
 * service answered for everything shown, when a refresh failed, when the next automatic one is due, and whether INV is
 * offline. Facts only: the pane has the words.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createNotices, type Source } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import type { EarlierValues } from "./earlier-values";
import type { Refresher } from "./refresh";

export interface StockAge {
  /** As-of time of the oldest value shown; null while there is none. */
  readonly oldestMs: number | null;
  /** Older than the freshness time. */
  readonly isOld: boolean;
  /** The service answered for everything shown, in this session: nothing failed, and nothing is left from the file. */
  readonly isAnswered: boolean;
  /** When the last refresh failed; null where the last one that ended did not. */
  readonly failedAtMs: number | null;
  readonly isOffline: boolean;
  /** When the workbook is refreshed by itself; null where it is not. */
  readonly nextRefreshMs: number | null;
  /** Those the workbook was opened with; their age counts for the oldest. Null where there are none. */
  readonly earlier: EarlierValues | null;
}

export interface StockAgeOptions {
  readonly cells: Pick<CellRegister, "summary" | "subscribe">;
  readonly clock: Clock;
  readonly settings: Source<{ readonly freshnessMinutes: number; readonly offline: boolean }>;
  readonly nextRefresh: Source<number | null>;
}

export interface StockAgeSource extends Source<StockAge> {
  /** The refresher of the workbook that has come, and the values it came with. */
  follow(refresher: Refresher, openedWith: Source<EarlierValues | null>): void;
}

/** Ages change without an event; they are told in minutes. */
const lookEveryMs = 15_000;

export function createStockAge(options: StockAgeOptions): StockAgeSource {
  const { cells, clock, settings, nextRefresh } = options;
  const notices = createNotices();
  let failedAtMs: number | null = null;
  let earlierValues: Source<EarlierValues | null> | null = null;

  function tick(): void {
    notices.tell();
    clock.setTimeout(tick, lookEveryMs);
  }

  for (const { subscribe } of [cells, settings, nextRefresh]) subscribe(notices.tell);
  clock.setTimeout(tick, lookEveryMs);

  return {
    get() {
      const earlier = earlierValues?.get() ?? null;
      const { oldestMs: ownMs, owed } = cells.summary();
      const oldestMs = earlier === null ? ownMs : Math.min(earlier.oldestMs, ownMs ?? Infinity);
      const { freshnessMinutes, offline } = settings.get();
      const isOld = oldestMs !== null && clock.now() - oldestMs > freshnessMinutes * 60_000;
      return {
        oldestMs,
        isOld,
        isAnswered: failedAtMs === null && earlier === null && owed === 0,
        failedAtMs,
        isOffline: offline,
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
        if (phase === "done") failedAtMs = null;
        notices.tell();
      });
    },
  };
}
