/**
 * What a host still does to the cells of a refresh after its end, and what is done about it: it calls the functions of cells
 * that a cancel has stopped, and loses results that INV has given. Knows no quota and no epochs.
 */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock, TimerId } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { type Target, useOf } from "./targets";
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import type { CellRef, Workbook } from "../port";
import { isPending } from "../still-waiting";

const quietMs = 2_000;
const longestMs = 30_000;

export interface SweepOptions {
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

/**
 * Keeps a cancelled refresh cancelled. The host goes on calling the functions of cells that were marked before the cancel,
 * for seconds in a large workbook; each of those calls would be sent. Where the marking itself outlasts the cancel (a cell
 * being edited holds it up), they come after that. While such cells keep turning up, what waits is cancelled again, until
 * the host is quiet, a new refresh begins, or the connection changes: then the same cells are calculated anew, and that was
 * not cancelled.
 */
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

export interface LostResults {
  /** Cells that were calculated once more. */
  readonly again: number;
  /** Those that the host shows as #BUSY! even so. */
  readonly stuck: readonly CellRef[];
}

export interface LostResultsOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

/**
 * Looks for cells that the host still shows as #BUSY! although INV has settled them: a result that Excel could not take for
 * 60 seconds is lost, and its cell waits for ever (reported, and read in Microsoft's runtime). Such cells are calculated
 * once more, from values that INV holds, so it costs no call. Twice at most; what stays is handed on, to be told.
 */
export interface LostResultsWatch {
  /** Looks after these from now on; tells only when something was lost. */
  begin(targets: readonly Target[], tell: (lost: LostResults) => void): void;
  end(): void;
}

/** Results are on their way to the sheet for a few seconds when Excel is busy. */
const firstLookMs = 5_000;
const nextLookMs = 15_000;
const mostAttempts = 2;
const mostCells = 10_000;
const mostCellsRead = 300_000;

export function createLostResultsWatch({ workbook, cells, clock }: LostResultsOptions): LostResultsWatch {
  let timer: TimerId = null;
  let current: object | null = null;

  function end(): void {
    clock.clearTimeout(timer);
    current = null;
  }

  /** Settled for INV with an answer, so that calculating it again asks nobody. */
  function isSettled(target: Target): boolean {
    const use = useOf(cells, target);
    return use !== undefined && use.state !== "waiting" && use.owedBecause === null;
  }

  async function shownBusy(targets: readonly Target[]): Promise<readonly Target[]> {
    const busy = new Set<string>();
    let read = 0;
    const areas = areasAround(targets.filter(isSettled).map(({ ref }) => ref)).filter(
      ({ rows, cols }) => (read += rows * cols) <= mostCellsRead,
    );
    const contents = await workbook.contentsOf(areas);
    for (const [index, area] of areas.entries()) {
      visitCells(area, contents[index] ?? [], (content, ref) => {
        if (isPending(content)) busy.add(cellKey(ref));
      });
    }
    return targets.filter((target) => busy.has(cellKey(target.ref)) && isSettled(target));
  }

  return {
    begin(targets, tell) {
      end();
      const watch = {};
      current = watch;
      let attempts = 0;
      let again = 0;

      async function look(suspects: readonly Target[]): Promise<void> {
        const lost = await shownBusy(suspects);
        if (current !== watch) return;
        const refs = lost.slice(0, mostCells).map(({ ref }) => ref);
        if (refs.length === 0 || attempts === mostAttempts) {
          if (again > 0) tell({ again, stuck: refs });
          return;
        }
        attempts += 1;
        again = Math.max(again, refs.length);
        tell({ again, stuck: [] });
        await workbook.recalculate(refs);
        if (current === watch) lookAfter(nextLookMs, lost);
      }

      function lookAfter(waitMs: number, suspects: readonly Target[]): void {
        // A sheet that is gone or protected meanwhile: nothing can be mended there.
        timer = clock.setTimeout(() => void look(suspects).catch(() => undefined), waitMs);
      }

      lookAfter(firstLookMs, targets);
    },
    end,
  };
}
