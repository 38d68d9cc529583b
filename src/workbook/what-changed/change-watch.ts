/**
 * Finds what a refresh has changed. It reads what its cells show once, before anything is marked; an error there only loses the report.
 * Invariant: the report belongs to the last refresh that ended with new values. One without any, a cancelled or a replaced one doesn't
 * change it. A refresh that resumes after a cancel is compared with what its cells showed at its start.
 */
import type { CellRegister } from "../../cells/cell-register";
import { createObservable, type Observable } from "../../domain/notices";
import { unawaited } from "../../domain/unawaited";
import { type Clock, pause } from "../../engine/clock";
import type { Workbook } from "../port";
import type { RefreshCell } from "../refresh/scopes";
import type { ShownBefore } from "./compare";
import { createEditRecorder } from "./edits-since";
import type { ChangeReport } from "./report";

/** The comparison of one refresh, including its resumptions. */
export interface RefreshComparison {
  /** Reads what the cells show, unless it has been read. Never rejects. */
  before(wanted: readonly RefreshCell[]): Promise<void>;
  /** Reports, unless another refresh has started. */
  after(): void;
}

export interface ChangeWatch extends Observable<ChangeReport | null> {
  /** Call this before the workbook is searched, so that no later edit is missed. */
  begin(): RefreshComparison;
}

/** Limits how long a refresh waits for its report's read. */
const longestReadingMs = 30_000;
/** Hosts report an edit within this time. */
const editReportedMs = 500;

const comparing = () => import(/* webpackChunkName: "changes" */ "./compare");

export function createChangeWatch(options: {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}): ChangeWatch {
  const { workbook, cells, clock } = options;
  const source = createObservable<ChangeReport | null>(null);
  const recordEdits = createEditRecorder(workbook);
  let current: object | null = null;

  return {
    ...source,
    begin() {
      const own = {};
      current = own;
      const edits = recordEdits();
      const calculatedBefore = cells.lastRecalculation();
      /** Undefined until the cells were read; null if there are too many. */
      let before: readonly ShownBefore[] | null | undefined;

      async function report(): Promise<void> {
        if (before === undefined) return;
        await pause(clock, editReportedMs);
        const { compare } = await comparing();
        const found =
          before === null
            ? { changed: [], added: [], movedSheets: [], isTooLarge: true }
            : await compare({ clock, cells, edits, before, calculatedBefore });
        if (current === own) source.set({ atMs: clock.now(), ...found });
      }

      return {
        async before(wanted) {
          current = own;
          if (wanted.length === 0 || before !== undefined) return;
          // Later, cells may already show new values.
          before = await Promise.race([
            comparing()
              .then(({ readBefore }) => readBefore(options, wanted))
              .catch(() => undefined),
            pause(clock, longestReadingMs).then(() => undefined),
          ]);
        },
        after: () => unawaited(report().catch(() => undefined)),
      };
    },
  };
}
