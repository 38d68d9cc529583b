/**
 * Tells listeners that something changed, without telling them more than about ten times a second: what
 * changes in bursts of thousands is drawn by people's screens only that often. Always from a timer of its
 * own, so that a listener that throws cannot stop the work it hears of. Invariant: after the last change
 * there is always one notice, and without listeners no timer runs.
 */

const noticeMs = 100;

/** What it needs of a clock. */
interface Timers {
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface ChangeNotices {
  changed(): void;
  /** Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

export function createChangeNotices(timers: Timers): ChangeNotices {
  const listeners = new Set<() => void>();
  let isDue = false;
  let timer: unknown = null;

  /** Each hears it, whatever those before it do; what one of them throws is the host's to report, afterwards. */
  function tell(): void {
    isDue = false;
    const thrown: unknown[] = [];
    for (const listener of [...listeners]) {
      try {
        // One before it may have stopped it.
        if (listeners.has(listener)) listener();
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  }

  return {
    changed() {
      if (isDue || listeners.size === 0) return;
      isDue = true;
      timer = timers.setTimeout(tell, noticeMs);
    },
    subscribe(listener) {
      // A listener given twice is told twice, and each is stopped alone.
      const own = (): void => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        timers.clearTimeout(timer);
        isDue = false;
      };
    },
  };
}
