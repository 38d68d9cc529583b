/**
 * The comparison of one refresh, including its continuation after a cancel: it reads what the refresh's cells show once, before anything is
 * marked, and reports what has changed since. If the cells can't be read, there is no report.
 */
import type { CellRegister } from "../../cells/cell-register";
import { type Clock, pause } from "../../engine/clock";
import type { Workbook } from "../port";
import type { RefreshCell } from "../refresh/scopes";
import type { ShownBefore } from "./compare";
import type { EditsSince } from "./edits-since";
import type { ChangeReport } from "./report";

export type RefreshComparison = ReturnType<typeof startComparison>;

/** Limits how long a refresh waits for its report's read. */
const longestReadingMs = 30_000;
/** Hosts report an edit within this time. */
const editReportedMs = 500;

const comparing = () => import(/* webpackChunkName: "changes" */ "./compare");

/** @param edits a record since before the workbook was searched, so that it misses no edit */
export function startComparison(
  options: { readonly workbook: Workbook; readonly cells: CellRegister; readonly clock: Clock },
  edits: EditsSince,
) {
  const { cells, clock } = options;
  const calculatedBefore = cells.lastRecalculation();
  /** Undefined until the cells were read; null if there are too many. */
  let before: readonly ShownBefore[] | null | undefined;

  return {
    /** Reads what the cells show, unless it has been read. Never rejects. */
    async readBefore(refreshCells: readonly RefreshCell[]): Promise<void> {
      if (refreshCells.length === 0 || before !== undefined) return;
      // Later, cells may already show new values.
      before = await Promise.race([
        comparing()
          .then(({ readBefore }) => readBefore(options.workbook, refreshCells))
          .catch(() => undefined),
        pause(clock, longestReadingMs).then(() => undefined),
      ]);
    },
    /** Returns what has changed; null if the cells couldn't be read. */
    async report(): Promise<ChangeReport | null> {
      if (before === undefined) return null;
      await pause(clock, editReportedMs);
      const { compare } = await comparing();
      const found =
        before === null
          ? { changed: [], added: [], movedSheets: [], isTooLarge: true }
          : await compare({ clock, cells, edits, before, calculatedBefore });
      return { atMs: clock.now(), ...found };
    },
  };
}
