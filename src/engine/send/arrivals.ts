/**
 * How cells arrive, from which two things follow: whether more are to be expected, and whether somebody is
 * editing. Hosts hand a recalculation over in synchronous bursts, a few milliseconds apart; so cells are
 * arriving while the last came less than 12 ms ago. A person at a cell causes few requests, after a time
 * of quiet: so at most ten requests in one turn, none in the 12 ms before, are an edit.
 * A host that hands over one cell at a time is taken for an editor once, and then arrives.
 */
import type { Clock } from "../clock";

export interface Arrivals {
  /** A request has joined a queue, or asked again for what stands in one. */
  note(nowMs: number): void;
  /** Ends the turn's count; true when its requests were an edit. */
  endTurn(): boolean;
  isArriving(): boolean;
  /** How long until they have stopped, if no more come. */
  quietInMs(): number;
}

const quietMs = 12;
export const requestsOfAnEdit = 10;

export function createArrivals(clock: Clock): Arrivals {
  let lastMs = -Infinity;
  let inTurn = 0;
  let wasQuiet = false;

  function isWithin(nowMs: number): boolean {
    return nowMs - lastMs < quietMs;
  }

  return {
    note(nowMs) {
      if (inTurn === 0) wasQuiet = !isWithin(nowMs);
      inTurn += 1;
      lastMs = nowMs;
    },
    endTurn() {
      const isEdit = inTurn > 0 && inTurn <= requestsOfAnEdit && wasQuiet;
      inTurn = 0;
      return isEdit;
    },
    isArriving: () => isWithin(clock.steadyNow()),
    quietInMs: () => Math.max(0, lastMs + quietMs - clock.steadyNow()),
  };
}
