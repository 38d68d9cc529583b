/**
 * When calculations begin. Excel passes a whole recalculation, 40,000 function calls and more, in one turn of the event loop. INV begins
 * calculations for 12 ms of each turn and continues in later turns, so that the pane and Excel's own messages can run in between.
 * A typed cell begins at once unless others already wait.
 * Invariant: calculations begin in the order in which they arrived, and each of them begins.
 */
import type { Clock } from "../engine/clock";

export interface TimeSlices {
  /** Begins the calculation now if the turn has time left and none waits; otherwise in a later turn. */
  schedule(calculation: TimedCalculation): void;
  /** Begins all waiting calculations now. */
  catchUp(): void;
  /** Resolves when no calculation waits. */
  caughtUp(): Promise<void>;
}

/** `begin` must not throw. */
export interface TimedCalculation {
  begin(): void;
}

/** INV's share of a turn: the page draws a frame every 16 ms. */
const sliceMs = 12;

/** @param onBehind called when the first calculation has to wait, with a promise that resolves when none waits any more */
export function createTimeSlices(
  clock: Pick<Clock, "steadyNow" | "nextTurn">,
  onBehind?: (caughtUp: Promise<void>) => void,
): TimeSlices {
  let queue: TimedCalculation[] = [];
  let next = 0;
  let isTurnPlanned = false;
  let beganMs = 0;
  let listeners: (() => void)[] = [];

  function beginTurn(): void {
    isTurnPlanned = true;
    beganMs = clock.steadyNow();
    clock.nextTurn(runTurn);
  }

  function runTurn(): void {
    isTurnPlanned = false;
    if (next === queue.length) return;
    beginTurn();
    // At least one, even if the turn is over.
    do beginNext();
    while (next < queue.length && hasTimeLeft());
    if (next === queue.length) empty();
  }

  function hasTimeLeft(): boolean {
    return clock.steadyNow() - beganMs < sliceMs;
  }

  function beginNext(): void {
    const calculation = queue[next];
    next += 1;
    calculation?.begin();
  }

  function empty(): void {
    queue = [];
    next = 0;
    const ended = listeners;
    listeners = [];
    for (const listener of ended) listener();
  }

  function caughtUp(): Promise<void> {
    return next === queue.length ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve));
  }

  return {
    schedule(calculation) {
      if (!isTurnPlanned) beginTurn();
      if (next === queue.length && hasTimeLeft()) {
        calculation.begin();
        return;
      }
      queue.push(calculation);
      if (next === queue.length - 1) onBehind?.(caughtUp());
    },
    catchUp() {
      while (next < queue.length) beginNext();
      empty();
    },
    caughtUp,
  };
}
