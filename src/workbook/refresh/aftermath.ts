/**
 * Does what remains after a refresh: recalculates stale marks and cells whose results the host has lost, and cancels cells that the
 * host calculates only after a cancel.
 */
import { itemsOf } from "../../cells/cell-record";
import type { CellRegister, InvCell } from "../../cells/cell-register";
import type { TimerId } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { invFunctionsIn } from "../../formula/calls";
import { type RefreshContext, type Target, invCellOf } from "./targets";
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import type { CellRef, Workbook } from "../port";
import { invCellAt } from "../register-cells";
import { isPending } from "../still-waiting";

const quietMs = 2_000;
const longestMs = 30_000;

/**
 * Keeps a cancelled refresh cancelled. In a large workbook the host continues for seconds to call functions of cells that were
 * marked before the cancel, and each call would send requests. If the marking ends after the cancel (a cell in edit mode delays
 * it), the calls come even later. So waiting requests are cancelled again until the host is quiet, a new refresh begins, or the
 * connection changes. A new connection recalculates the same cells, which nobody cancelled.
 */
export interface CancelSweep {
  /** Cancels late calls of these cells from now on, at least until their marking has ended. */
  begin(targets: readonly Target[], marked: Promise<void>): void;
  end(): void;
}

export function createCancelSweep({ engine, cells, clock }: Omit<RefreshContext, "workbook">): CancelSweep {
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
      const isLate = (target: Target): boolean => invCellOf(cells, target)?.state === "waiting";
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
        // This sweep has ended, or another one has started.
        if (unsubscribe !== own) return;
        lastAtMs = clock.steadyNow() + longestMs;
        rest();
      });
    },
    end,
  };
}

export interface LostResults {
  readonly again: number;
  readonly stuck: readonly CellRef[];
}

/**
 * Finds cells that the host still shows as #BUSY! although INV has returned their values. Excel loses a result that it couldn't
 * accept for 60 seconds, and the cell waits forever (reported, and read in Microsoft's runtime). Such cells are recalculated
 * from cached values, without requests, at most twice; the remaining ones are reported.
 */
export interface LostResultsWatch {
  /** Watches these cells from now on. Calls `tell` only if results were lost. */
  begin(targets: readonly Target[], tell: (lost: LostResults) => void): void;
  end(): void;
}

/** A busy Excel needs a few seconds to show results. */
const firstLookMs = 5_000;
const nextLookMs = 15_000;
const mostAttempts = 2;
const mostCells = 10_000;
const mostCellsRead = 300_000;

export function createLostResultsWatch({
  workbook,
  cells,
  clock,
}: Omit<RefreshContext, "engine">): LostResultsWatch {
  let timer: TimerId = null;
  let current: object | null = null;

  function end(): void {
    clock.clearTimeout(timer);
    current = null;
  }

  /** Returns whether INV has answered the cell, so that recalculating it sends nothing. */
  function isSettled(target: Target): boolean {
    const invCell = invCellOf(cells, target);
    return invCell !== undefined && invCell.state !== "waiting" && invCell.unansweredBecause === null;
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
        // If the sheet was deleted or is protected, nothing can be repaired.
        timer = clock.setTimeout(() => void look(suspects).catch(() => undefined), waitMs);
      }

      lookAfter(firstLookMs, targets);
    },
    end,
  };
}

/**
 * Recalculates the cells that mark stale values (`INV.STATUS` with its last argument TRUE). Skips cells with items that INV
 * knows nothing about, so that nothing is sent.
 */
export async function recalculateStaleMarks({
  workbook,
  cells,
  engine,
}: {
  readonly workbook: Pick<Workbook, "findFormulas" | "recalculate">;
  readonly cells: CellRegister;
  readonly engine: Pick<Engine, "cachedItem">;
}): Promise<void> {
  if (!hasStaleMarks(cells)) return;
  // Search the workbook, because rows may have been inserted since the cells were calculated.
  const found = await workbook.findFormulas((formula) => invFunctionsIn(formula).includes("STATUS"));
  const marks = found.filter((ref) => {
    const invCell = invCellAt(cells, ref);
    return invCell?.isStaleMark === true && invCell.state !== "waiting" && asksNobody(invCell);
  });
  if (marks.length > 0) await workbook.recalculate(marks);

  function asksNobody(invCell: InvCell): boolean {
    return itemsOf(invCell).every(
      (query) =>
        engine.cachedItem(query) !== undefined || cells.unansweredOf(invCell.environmentId, query) !== null,
    );
  }
}

function hasStaleMarks(cells: CellRegister): boolean {
  for (const { isStaleMark } of cells.all()) if (isStaleMark) return true;
  return false;
}
