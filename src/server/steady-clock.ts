/**
 * The server's clock: Node's timers, and a monotonic `now`. A process can stall because the machine slept, a
 * debugger paused it, or another program took the processor. After a stall, Node runs timers before it reads
 * data that has arrived meanwhile. So a late timer first lets those answers be read. Otherwise, a deadline
 * would blame Redis or the service for a stall of this process.
 */

/** Time and randomness as parameters, so that tests run hours in a moment. `now` must never jump: ages and the quota depend on it. */
export interface SteadyClock {
  /** Milliseconds; only differences have a meaning. */
  now(): number;
  setTimeout(callback: () => void, waitMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** Calls once, after all work that is due now: for work that nobody waits for. */
  nextTurn(callback: () => void): void;
  /** From 0 up to, not including, 1. */
  random(): number;
}

const lateAfterMs = 500;
const lookEveryMs = 1_000;
/** Shorter stalls do no harm: the shortest deadline is two seconds. */
const reportedFromMs = 2_000;

export function createSteadyClock(now: () => number): SteadyClock {
  return {
    now,
    setTimeout(callback, waitMs) {
      const dueAtMs = now() + waitMs;
      const timer: Timer = { immediate: null, timeout: null };
      timer.timeout = setTimeout(() => {
        if (now() - dueAtMs < lateAfterMs) callback();
        else timer.immediate = setImmediate(callback);
      }, waitMs);
      return timer;
    },
    clearTimeout(timer) {
      const { timeout, immediate } = (timer ?? {}) as Partial<Timer>;
      clearTimeout(timeout ?? undefined);
      clearImmediate(immediate ?? undefined);
    },
    nextTurn: (callback) => setImmediate(callback),
    random: Math.random,
  };
}

interface Timer {
  timeout: NodeJS.Timeout | null;
  immediate: NodeJS.Immediate | null;
}

/**
 * Logs each stall of this process. A sleeping machine also stops the monotonic clock, so the wall clock
 * counts as well. Returns a function that ends the watch.
 */
export function watchForStalls(
  clock: Pick<SteadyClock, "now" | "setTimeout" | "clearTimeout">,
  log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void },
  wallNow: () => number = Date.now,
): () => void {
  let [lastMs, lastWallMs] = [clock.now(), wallNow()];
  let timer = clock.setTimeout(look, lookEveryMs);

  function look(): void {
    const [nowMs, wallMs] = [clock.now(), wallNow()];
    const stalledMs = Math.max(nowMs - lastMs, wallMs - lastWallMs) - lookEveryMs;
    [lastMs, lastWallMs] = [nowMs, wallMs];
    if (stalledMs >= reportedFromMs) {
      log.warn(
        { seconds: Math.round(stalledMs / 1_000) },
        "This server stood still: the machine slept or was overloaded, or its clock was set. Connections may have ended meanwhile.",
      );
    }
    timer = clock.setTimeout(look, lookEveryMs);
  }
  return () => clock.clearTimeout(timer);
}
