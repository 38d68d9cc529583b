/**
 * Tells listeners that something changed, without telling them more than about ten times a second: what
 * changes in bursts of thousands is drawn by people's screens only that often. Invariant: after the
 * last change there is always one notice, and without listeners no timer runs.
 */
import type { Clock } from "./clock";

const noticeMs = 100;

export interface ChangeNotices {
  changed(): void;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export function createChangeNotices(clock: Clock): ChangeNotices {
  const listeners = new Set<() => void>();
  let isDue = false;

  function tell(): void {
    isDue = false;
    for (const listener of [...listeners]) listener();
  }

  return {
    changed() {
      if (isDue || listeners.size === 0) return;
      isDue = true;
      clock.setTimeout(tell, noticeMs);
    },
    subscribe(listener) {
      // A listener given twice is told twice, and each is stopped alone.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
