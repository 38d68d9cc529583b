/**
 * Finds what a refresh has changed: reads what its cells show before anything is marked dirty, and again when their new values
 * are in the sheet. Only the first read delays a refresh, and an error here only loses the report. Invariant: the report
 * belongs to the last refresh that ended. A cancelled or replaced refresh doesn't change it. A refresh that resumes after a
 * cancel is compared with what its cells showed at its start.
 */
import type { InvCell } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import { loaded } from "../loaded";
import { type RefreshContext, type RefreshScope, type Target, invCellOf } from "../refresh/targets";
import type { ChangeReport } from "./report";
import type { Snapshot } from "./snapshot";
import { createEditRecorder } from "./edited-areas";

/** The comparison of one refresh, including its resumptions. */
export interface RefreshComparison {
  /** Reads what the cells show, once. Never rejects. */
  before(targets: readonly Target[]): Promise<void>;
  /** Returns whether somebody has edited the workbook since the start of the refresh. */
  hasEdits(): boolean;
  /** Reads the cells again and reports, unless another refresh has started. */
  after(): void;
}

export interface ChangeWatch extends Source<ChangeReport | null> {
  /** Call this before the workbook is searched, so that no later edit is missed. */
  begin(scope: RefreshScope): RefreshComparison;
}

/** Limits how long a refresh waits for its report's first read. */
const longestReadingMs = 30_000;

/** INV loads this chunk with the first refresh. */
const chunk = () => loaded(import(/* webpackChunkName: "changes" */ "./chunk"));

export function createChangeWatch({
  workbook,
  cells,
  clock,
}: Pick<RefreshContext, "workbook" | "cells" | "clock">): ChangeWatch {
  const source = createSource<ChangeReport | null>(null);
  const recordEdits = createEditRecorder(workbook);
  let current: object | null = null;

  return {
    ...source,
    begin(scope) {
      const own = {};
      current = own;
      const fromMs = clock.now();
      const edits = recordEdits();
      let reading: Promise<Snapshot | null> | null = null;
      let queries: readonly InvCell["queries"][] = [];

      async function report(snapshot: Snapshot): Promise<void> {
        const { compareSnapshots, readAgain } = await chunk();
        const after = await readAgain({ workbook, clock }, snapshot, edits);
        if (current !== own) return;
        const outcome = await compareSnapshots(clock, {
          before: snapshot,
          after,
          edits,
          queries,
          invCellOf: (index) => invCellAt(snapshot.targets[index]),
        });
        if (current === own) source.set({ scope, fromMs, atMs: clock.now(), ...outcome });
      }

      function invCellAt(target: Target | undefined): InvCell | undefined {
        return target && invCellOf(cells, target);
      }

      return {
        async before(targets) {
          current = own;
          if (targets.length === 0) return;
          reading ??= chunk()
            .then(({ takeSnapshot }) => takeSnapshot({ workbook, clock }, targets))
            .catch(() => null);
          const snapshot = await within(clock, reading);
          // A later read may already contain new values.
          if (snapshot === null) reading = null;
          if (queries.length === 0) {
            queries = snapshot?.targets.map((each) => invCellAt(each)?.queries ?? null) ?? [];
          }
        },
        hasEdits: () => edits.isAny,
        after() {
          // If the sheet was deleted or Excel refuses, the last report stays.
          void reading?.then((snapshot) => snapshot && report(snapshot)).catch(() => undefined);
        },
      };
    },
  };
}

/** Resolves with null if the work takes too long. */
function within<T>(clock: Clock, work: Promise<T | null>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(null), longestReadingMs);
    void work.then((result) => {
      clock.clearTimeout(timer);
      resolve(result);
    });
  });
}
