/**
 * Excel hands over a whole recalculation in one message, 40,000 calls and more, and runs them in one turn of
 * the event loop. Calls begin in that turn while it is young; the rest begin in turns of their own, a few
 * milliseconds each, so that the pane and Excel's own messages come between. A cell that a person types
 * comes alone and never waits. Invariant: calls begin in the order they came, and each begins.
 */
import type { Clock } from "../engine/clock";

export interface TimeSlices {
  /** Begins the call at once, if the turn is young and none that came before waits; else in a later turn. */
  begin(call: LateCall): void;
  /** Begins all that was put off, now. */
  catchUp(): void;
  /** Resolves when nothing is put off. */
  caughtUp(): Promise<void>;
}

/** What begins in its turn; it must not throw. */
export interface LateCall {
  begin(): void;
}

/** Of INV's work in one turn. The page owes its next frame after 16 ms. */
const sliceMs = 12;

/**
 * @param clock the steady time by which a turn's length is told, and the turns themselves
 * @param onBehind told when a first call is put off, with the end of it
 */
export function createTimeSlices(
  clock: Pick<Clock, "steadyNow" | "nextTurn">,
  onBehind?: (caughtUp: Promise<void>) => void,
): TimeSlices {
  let calls: LateCall[] = [];
  let next = 0;
  let isTurnBegun = false;
  let beganMs = 0;
  let listeners: (() => void)[] = [];

  function beginTurn(): void {
    isTurnBegun = true;
    beganMs = clock.steadyNow();
    clock.nextTurn(endTurn);
  }

  function endTurn(): void {
    isTurnBegun = false;
    if (next === calls.length) return;
    beginTurn();
    // One at least, however late it is by then.
    do beginNext();
    while (next < calls.length && isYoung());
    if (next === calls.length) empty();
  }

  function hasTime(): boolean {
    if (next < calls.length) return false;
    if (!isTurnBegun) beginTurn();
    return isYoung();
  }

  function isYoung(): boolean {
    return clock.steadyNow() - beganMs < sliceMs;
  }

  function beginNext(): void {
    const call = calls[next];
    next += 1;
    call?.begin();
  }

  function empty(): void {
    calls = [];
    next = 0;
    const told = listeners;
    listeners = [];
    for (const listener of told) listener();
  }

  function caughtUp(): Promise<void> {
    return next === calls.length ? Promise.resolve() : new Promise((resolve) => listeners.push(resolve));
  }

  return {
    begin(call) {
      if (hasTime()) {
        call.begin();
        return;
      }
      calls.push(call);
      if (next === calls.length - 1) onBehind?.(caughtUp());
    },
    catchUp() {
      while (next < calls.length) beginNext();
      empty();
    },
    caughtUp,
  };
}
