/**
 * Keeps a cancelled refresh cancelled. The host goes on calling the functions of cells that were marked
 * before the cancel, for seconds in a large workbook; each of those calls would be sent. Where the marking
 * itself outlasts the cancel (a cell being edited holds it up), they come after that. While such cells keep turning up, what waits is cancelled again, until the host is quiet, a new refresh begins, or
 * the connection changes: then the same cells are calculated anew, and that was not cancelled.
 */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock, TimerId } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { type Target, useOf } from "./targets";

const quietMs = 2_000;
const longestMs = 30_000;

export interface SweepOptions {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface CancelSweep {
  /** Cancels late calls of these cells from now on; it cannot end before their marking has. */
  begin(targets: readonly Target[], marked: Promise<void>): void;
  end(): void;
}

export function createCancelSweep({ engine, cells, clock }: SweepOptions): CancelSweep {
  let timer: TimerId = null;
  let unsubscribe = (): void => undefined;

  function end(): void {
    clock.clearTimeout(timer);
    unsubscribe();
    unsubscribe = () => undefined;
  }

  return {
    begin(targets, marked) {
      let lastAtMs = Infinity;
      const { connection } = engine;
      const rest = (): void => {
        clock.clearTimeout(timer);
        if (lastAtMs === Infinity) return;
        timer = clock.setTimeout(end, Math.min(quietMs, lastAtMs - clock.steadyNow()));
      };
      const isLate = (target: Target): boolean => useOf(cells, target)?.state === "waiting";
      unsubscribe = cells.subscribe(() => {
        if (engine.connection !== connection) {
          end();
          return;
        }
        if (cells.summary().waiting === 0 || !targets.some(isLate)) return;
        engine.cancel();
        rest();
      });
      const own = unsubscribe;
      void marked.then(() => {
        // Ended before, or another one has begun.
        if (unsubscribe !== own) return;
        lastAtMs = clock.steadyNow() + longestMs;
        rest();
      });
    },
    end,
  };
}
