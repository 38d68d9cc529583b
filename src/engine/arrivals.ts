/**
 * How cells arrive, from which two things follow: whether more are to be expected, and whether somebody is
 * editing. Hosts hand a recalculation over in synchronous bursts, a few milliseconds apart; so cells are
 * arriving while the last came less than 12 ms ago. A person at a cell causes few requests, after a time
 * of quiet: so at most ten requests in one turn, none in the 12 ms before, are an edit.
 * A host that hands over one cell at a time is taken for an editor once, and then arrives.
 */
import type { Clock } from "./clock";

export interface Arrivals {
  /** A request has joined a line; `edit` moves it to the front, should it turn out to be one. */
  note(nowMs: number): void;
  /** Ends the turn's count; true when its requests were an edit. */
  endTurn(): boolean;
  /** Whether the requests of this turn may still be an edit. */
  readonly mayBeEdit: boolean;
  isArriving(): boolean;
  quietAtMs(): number;
}

const quietMs = 12;
export const requestsOfAnEdit = 10;

export function createArrivals(clock: Clock): Arrivals {
  let lastMs = -Infinity;
  let inTurn = 0;
  let wasQuiet = false;

  return {
    note(nowMs) {
      if (inTurn === 0) wasQuiet = nowMs - lastMs >= quietMs;
      inTurn += 1;
      lastMs = nowMs;
    },
    endTurn() {
      const isEdit = inTurn > 0 && inTurn <= requestsOfAnEdit && wasQuiet;
      inTurn = 0;
      return isEdit;
    },
    get mayBeEdit() {
      return wasQuiet && inTurn <= requestsOfAnEdit;
    },
    isArriving: () => clock.now() - lastMs < quietMs,
    quietAtMs: () => lastMs + quietMs,
  };
}
