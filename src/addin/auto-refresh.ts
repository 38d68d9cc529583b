/**
 * Refreshes the workbook every few minutes if the user has switched that on. Skips an automatic refresh while a refresh
 * runs or INV isn't connected, and never makes up for it, so that they can't pile up behind a slow service.
 */
import type { Clock, TimerId } from "../engine/clock";
import { createObservable, type Observable } from "../domain/notices";
import { isRunning, type Refresher } from "../workbook/refresh/refresh";

export interface AutoRefresh {
  /** Time of the next automatic refresh; null while automatic refresh is off. */
  readonly next: Observable<number | null>;
  stop(): void;
}

const minuteMs = 60_000;

export function startAutoRefresh(options: {
  readonly clock: Clock;
  /** The choice for the open workbook, in minutes; 0 means off. */
  readonly minutes: Observable<number>;
  /** Returns null while no workbook is open. */
  refresher(): Refresher | null;
  /** Whether INV is online, with an environment and credentials that were not refused. */
  connected(): boolean;
}): AutoRefresh {
  const { clock } = options;
  let timer: TimerId = null;
  let minutes = 0;
  let waitedFromMs = 0;
  const next = createObservable<number | null>(null);

  function follow(): void {
    const chosen = options.minutes.get();
    if (chosen === minutes) return;
    minutes = chosen;
    schedule();
  }

  function schedule(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = minutes > 0 ? clock.setTimeout(look, minuteMs) : null;
    waitedFromMs = clock.steadyNow();
    next.set(minutes > 0 ? clock.now() + minutes * minuteMs : null);
  }

  /** Both clocks decide: the steady one may have slept with the computer, and the system's may have been set back. */
  function look(): void {
    const isDue = clock.steadyNow() - waitedFromMs >= minutes * minuteMs || clock.now() >= (next.get() ?? 0);
    if (isDue) refreshNow();
    else timer = clock.setTimeout(look, minuteMs);
  }

  function refreshNow(): void {
    schedule();
    const refresher = options.refresher();
    if (refresher !== null && !isRunning(refresher.state) && options.connected()) {
      // The pane shows the result.
      refresher.start("workbook", { isAutomatic: true }).catch(() => undefined);
    }
  }

  follow();
  const unsubscribe = options.minutes.subscribe(follow);
  return {
    next,
    stop() {
      unsubscribe();
      if (timer !== null) clock.clearTimeout(timer);
      next.set(null);
    },
  };
}
