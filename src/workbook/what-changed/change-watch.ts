/**
 * Finds what a refresh has changed: reads what its cells show once before anything is marked, and once when their new values are
 * in the sheet. Only the first read delays a refresh, and an error here only loses the report. Invariant: the report belongs to
 * the last refresh that ended with new values. A refresh without any, a cancelled or a replaced one doesn't change it. A refresh that
 * resumes after a cancel is compared with what its cells showed at its start.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import { type Clock, pause } from "../../engine/clock";
import type { Workbook } from "../port";
import type { RefreshCell } from "../refresh/scopes";
import { createEditRecorder } from "./edits-since";
import type { ChangeReport } from "./report";
import type { ShownCell } from "./shown-cells";

/** The comparison of one refresh, including its resumptions. */
export interface RefreshComparison {
  /** Reads what the cells show, unless it has been read. Never rejects. */
  before(wanted: readonly RefreshCell[]): Promise<void>;
  /** Reads the cells again and reports, unless another refresh has started. `find` finds them where they are then. */
  after(find: () => Promise<readonly RefreshCell[]>): void;
}

export interface ChangeWatch extends Source<ChangeReport | null> {
  /** Call this before the workbook is searched, so that no later edit is missed. */
  begin(): RefreshComparison;
}

/** Limits how long a refresh waits for its report's first read. */
const longestReadingMs = 30_000;
/** Hosts report an edit within this time, so a read may have missed it until then. */
const editReportedMs = 500;
/** How often cells are read again because they have moved. */
const mostReads = 3;

const shownCells = () => import(/* webpackChunkName: "changes" */ "./shown-cells");

export function createChangeWatch(options: {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}): ChangeWatch {
  const { workbook, cells, clock } = options;
  const source = createSource<ChangeReport | null>(null);
  const recordEdits = createEditRecorder(workbook);
  let current: object | null = null;
  const readNow = async (wanted: readonly RefreshCell[]) =>
    (await shownCells()).readShownCells(
      options,
      wanted.map((cell) => ({ cell })),
    );

  return {
    ...source,
    begin() {
      const own = {};
      current = own;
      const edits = recordEdits();
      /** Undefined until the cells were read; null if there are too many. */
      let before: readonly ShownCell[] | null | undefined;

      async function report(find: () => Promise<readonly RefreshCell[]>): Promise<void> {
        if (before === undefined) return;
        const { compareShownCells } = await import(/* webpackChunkName: "changes" */ "./compare");
        await workbook.calculated();
        let after: readonly ShownCell[] | null = null;
        for (let reads = 0, moves = -1; before !== null && moves !== edits.moves; reads += 1) {
          if (reads === mostReads) return;
          moves = edits.moves;
          after = await (moves === 0
            ? (await shownCells()).readAgain(options, before)
            : readNow(await find()));
          await pause(clock, editReportedMs);
        }
        if (current !== own) return;
        const outcome =
          before === null || after === null
            ? { changed: [], added: [], notCompared: 0, isTooLarge: true }
            : await compareShownCells({ clock, cells, edits, before, after });
        if (current === own) source.set({ atMs: clock.now(), ...outcome });
      }

      return {
        async before(wanted) {
          current = own;
          if (wanted.length === 0 || before !== undefined) return;
          // Later, cells may already show new values.
          before = await Promise.race([
            readNow(wanted).catch(() => undefined),
            pause(clock, longestReadingMs).then(() => undefined),
          ]);
          clock.setTimeout(() => edits.giveUpMoved(), editReportedMs);
        },
        after(find) {
          // If the sheet was deleted or Excel refuses, the last report stays.
          void report(find).catch(() => undefined);
        },
      };
    },
  };
}
