/**
 * Keeps a cancelled refresh cancelled. The host goes on calling the functions of cells that were marked
 * before the cancel, for seconds in a large workbook; each of those calls would be sent. While such
 * cells keep turning up, what waits is cancelled again, until the host is quiet, a new refresh begins, or
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
  /** Cancels late calls of these cells from now on. */
  begin(targets: readonly Target[]): void;
  end(): void;
}

export function createCancelSweep({ engine, cells, clock }: SweepOptions): CancelSweep {
  let timer: TimerId = null;
  let unsubscribe = (): void => undefined;

  function end(): void {
    clock.clearTimeout(timer);
    unsubscribe();
  }

  return {
    begin(targets) {
      const lastAtMs = clock.now() + longestMs;
      const { connection } = engine;
      const rest = (): void => {
        clock.clearTimeout(timer);
        timer = clock.setTimeout(end, Math.min(quietMs, lastAtMs - clock.now()));
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
      rest();
    },
    end,
  };
}
