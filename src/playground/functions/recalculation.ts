/**
 * Decides when cells whose calls settled are calculated again: many together, and never while the grid
 * calculates, because it would stop and start over (measured: 20 s instead of 5 s for 10,000 cells).
 * A calculation that was stopped loses nothing: its cells are asked for again. It knows neither cells'
 * contents nor the grid; time enters as a parameter.
 */
import { type CellPlace, placeKey } from "./cell-values";

/** How a calculation of the grid ended: `stopped` calculations have applied nothing. */
export type CalculationEnd = "completed" | "stopped";

export interface RecalculationOptions {
  /** Starts one calculation of exactly these cells and what depends on them. */
  start(places: readonly CellPlace[]): void;
  now(): number;
  setTimeout(callback: () => void, waitMs: number): unknown;
}

export interface Recalculation {
  request(place: CellPlace): void;
  /** The grid began a calculation, this one's or its own. */
  calculationStarted(): void;
  calculationEnded(end: CalculationEnd): void;
  readonly calculating: boolean;
  /** True while something is calculated or is going to be. */
  readonly busy: boolean;
}

/** Answers arrive in waves; shorter waits would cut a wave in two and calculate twice. */
const shortestWaitMs = 10;
const longestWaitMs = 250;

export function createRecalculation(options: RecalculationOptions): Recalculation {
  let wanted = new Map<string, CellPlace>();
  let started: readonly CellPlace[] = [];
  let calculating = false;
  let scheduled = false;
  let startedAtMs = 0;
  let lastDurationMs = 0;

  function schedule(): void {
    if (scheduled || calculating || wanted.size === 0) return;
    scheduled = true;
    // A large sheet takes long to calculate, whatever the number of cells: then larger waves pay.
    const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, lastDurationMs / 2));
    options.setTimeout(flush, waitMs);
  }

  function flush(): void {
    scheduled = false;
    if (calculating || wanted.size === 0) return;
    started = [...wanted.values()];
    wanted = new Map();
    options.start(started);
  }

  return {
    request(place) {
      wanted.set(placeKey(place), place);
      schedule();
    },
    calculationStarted() {
      if (!calculating) startedAtMs = options.now();
      calculating = true;
    },
    calculationEnded(end) {
      calculating = false;
      lastDurationMs = options.now() - startedAtMs;
      if (end === "stopped") for (const place of started) wanted.set(placeKey(place), place);
      started = [];
      schedule();
    },
    get calculating() {
      return calculating;
    },
    get busy() {
      return calculating || scheduled || wanted.size > 0;
    },
  };
}
