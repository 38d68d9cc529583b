/**
 * Refreshing the workbook every so many minutes, when the user has turned that on in it. A turn is skipped
 * while a refresh runs or while nothing could be asked; it is never made up for, so that turns
 * cannot pile up behind a slow service.
 */
import type { Clock, TimerId } from "../engine/clock";
import { createSource, type Source } from "../domain/notices";
import { isRunning, type Refresher } from "../workbook/refresh/refresh";

export interface AutoRefreshOptions {
  readonly clock: Clock;
  /** What was chosen for the open workbook; 0: off. */
  readonly minutes: Source<number>;
  /** Null while no workbook is open. */
  refresher(): Refresher | null;
  /** Whether calls can be answered: online, an environment, and credentials that were not refused. */
  connected(): boolean;
}

export interface AutoRefresh {
  /** When the next turn comes; null while it is off. */
  readonly next: Source<number | null>;
  stop(): void;
}

/** Follows changes of the choice until it is stopped. */
export function startAutoRefresh(options: AutoRefreshOptions): AutoRefresh {
  const { clock } = options;
  let timer: TimerId = null;
  let minutes = 0;
  const next = createSource<number | null>(null);

  function follow(): void {
    const chosen = options.minutes.get();
    if (chosen === minutes) return;
    minutes = chosen;
    schedule();
  }

  function schedule(): void {
    if (timer !== null) clock.clearTimeout(timer);
    const waitMs = minutes * 60_000;
    timer = minutes > 0 ? clock.setTimeout(turn, waitMs) : null;
    next.set(minutes > 0 ? clock.now() + waitMs : null);
  }

  function turn(): void {
    schedule();
    const refresher = options.refresher();
    if (refresher !== null && !isRunning(refresher.state) && options.connected()) {
      // How it ends is in the refresher's state, which the pane shows.
      void refresher.start("workbook", { isUnasked: true }).catch(() => undefined);
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
