/**
 * Refreshing the workbook every so many minutes, when the user has turned that on. A turn is skipped
 * while a refresh runs or while nothing could be asked; it is never made up for, so that turns
 * cannot pile up behind a slow service.
 */
import type { Clock, TimerId } from "../engine/clock";
import type { PaneSettings } from "../connection/device-settings";
import type { Source } from "../domain/source";
import { isRunning, type Refresher } from "../workbook/refresh/refresh";

export interface AutoRefreshOptions {
  readonly clock: Clock;
  readonly settings: Source<PaneSettings>;
  /** Null while no workbook is open. */
  refresher(): Refresher | null;
  /** Whether calls can be answered: an environment with credentials that were not refused. */
  connected(): boolean;
}

/** Runs until the returned function is called; follows changes of the setting. */
export function startAutoRefresh(options: AutoRefreshOptions): () => void {
  const { clock, settings } = options;
  let timer: TimerId = null;
  let minutes = 0;

  function follow(): void {
    const { autoRefreshMinutes } = settings.get();
    if (autoRefreshMinutes === minutes) return;
    minutes = autoRefreshMinutes;
    schedule();
  }

  function schedule(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = minutes > 0 ? clock.setTimeout(turn, minutes * 60_000) : null;
  }

  function turn(): void {
    schedule();
    const refresher = options.refresher();
    if (refresher !== null && !isRunning(refresher.state) && options.connected()) {
      // How it ends is in the refresher's state, which the pane shows.
      void refresher.start("workbook").catch(() => undefined);
    }
  }

  follow();
  const stop = settings.subscribe(follow);
  return () => {
    stop();
    if (timer !== null) clock.clearTimeout(timer);
  };
}
