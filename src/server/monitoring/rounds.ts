/** What the server looks at every minute, and at once after SIGHUP: its certificate, its secrets and the sign-in provider. */
import type { SteadyClock } from "../steady-clock";

const everyMs = 60_000;

export interface Rounds {
  add(task: () => void): void;
  /** Runs all tasks. */
  now(): void;
  stop(): void;
}

export function createRounds(clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">): Rounds {
  const tasks: (() => void)[] = [];
  let timer: unknown = null;

  function now(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(now, everyMs);
    for (const task of tasks) task();
  }

  return {
    add(task) {
      tasks.push(task);
      timer ??= clock.setTimeout(now, everyMs);
    },
    now,
    stop: () => clock.clearTimeout(timer),
  };
}
