/**
 * What the engine learns from the times at which cells arrive: whether more will come, and whether a person is editing. Hosts pass
 * a recalculation in synchronous bursts, a few milliseconds apart. So INV expects more cells until none has come for 12 ms. A
 * person who edits a cell causes few requests after a pause. So a turn is an edit if it has at most ten requests, and none came in
 * the 12 ms before it. If a host passes one cell at a time, only its first cell counts as an edit.
 */
export type Arrivals = ReturnType<typeof createArrivals>;

const quietMs = 12;
export const requestsOfAnEdit = 10;

export function createArrivals() {
  let lastMs = -Infinity;
  let inTurn = 0;
  let wasQuiet = false;

  return {
    /** Records a request for an entry that is in the queue. */
    note(nowMs: number): void {
      if (inTurn === 0) wasQuiet = nowMs >= lastMs + quietMs;
      inTurn += 1;
      lastMs = nowMs;
    },
    /** Ends the turn. Returns whether its requests were an edit. */
    endTurn(): boolean {
      const isEdit = inTurn > 0 && inTurn <= requestsOfAnEdit && wasQuiet;
      inTurn = 0;
      return isEdit;
    },
    /** When cells have stopped arriving, if no more come. */
    quietAtMs: () => lastMs + quietMs,
  };
}
