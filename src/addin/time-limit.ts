/**
 * Time limits for the start. Every formula of the workbook waits for the start, so a host that never answers must not stop it.
 */
import type { Clock } from "../engine/clock";

export interface TimeLimit<T> {
  readonly clock: Clock;
  readonly limitMs: number;
  /** The result if the promise rejects or the time is up. */
  readonly otherwise: T;
}

/** Resolves with the promise's value or with `otherwise`; never rejects. */
export async function withTimeLimit<T>(promise: Promise<T>, limit: TimeLimit<T>): Promise<T> {
  const { clock, limitMs, otherwise } = limit;
  let timer: unknown = null;
  const timeUp = new Promise<T>((resolve) => {
    timer = clock.setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([promise, timeUp]);
  } catch {
    return otherwise;
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Runs the work with a signal that is aborted once the time is up. Settles as the work does. */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, limitMs }: Pick<TimeLimit<T>, "clock" | "limitMs">,
): Promise<T> {
  const control = new AbortController();
  const timer = clock.setTimeout(() => control.abort(), limitMs);
  try {
    return await work(control.signal);
  } finally {
    clock.clearTimeout(timer);
  }
}
