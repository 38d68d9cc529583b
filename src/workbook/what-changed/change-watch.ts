/**
 * What a refresh has changed: reads what its cells show before anything is marked, and once more when their
 * new values stand in the sheet. Nothing here holds a refresh up but the first reading, and what fails costs the
 * report alone. Invariant: the report is of the last refresh that ended; one that was cancelled or overtaken leaves
 * it as it is, and one that goes on after a cancel is compared with what stood there at its beginning.
 */
import type { CellRegister, CellUse } from "../../cells/cell-register";
import { createSource, type Source } from "../../domain/notices";
import type { Clock } from "../../engine/clock";
import { loaded } from "../loaded";
import type { Workbook } from "../port";
import { type RefreshScope, type Target, useOf } from "../refresh/targets";
import type { ChangeReport } from "./report";
import type { Snapshot } from "./snapshot";
import { createEditRecord } from "./touched";

export interface ChangeWatchOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

/** One refresh, and what goes on with it. */
export interface Comparing {
  /** Reads what the cells show, once; never rejects. */
  before(targets: readonly Target[]): Promise<void>;
  /** Reads them again and reports, unless another has begun. */
  after(): void;
}

export interface ChangeWatch extends Source<ChangeReport | null> {
  /** To be called before the workbook is looked through, so that no edit after that goes unseen. */
  begin(scope: RefreshScope): Comparing;
}

/** A refresh does not wait longer for what only its report needs. */
const longestReadingMs = 30_000;

/** Nothing of it is needed before the first refresh. */
const chunk = () => loaded(import(/* webpackChunkName: "changes" */ "./chunk"));

export function createChangeWatch({ workbook, cells, clock }: ChangeWatchOptions): ChangeWatch {
  const source = createSource<ChangeReport | null>(null);
  const recordEdits = createEditRecord(workbook);
  let current: object | null = null;

  return {
    ...source,
    begin(scope) {
      const own = {};
      current = own;
      const fromMs = clock.now();
      const touched = recordEdits();
      let reading: Promise<Snapshot | null> | null = null;
      let asked: readonly CellUse["asked"][] = [];

      async function report(snapshot: Snapshot): Promise<void> {
        const { compareSnapshots, readAgain } = await chunk();
        const after = await readAgain({ workbook, clock }, snapshot, touched);
        if (current !== own) return;
        const outcome = await compareSnapshots(clock, {
          before: snapshot,
          after,
          touched,
          asked,
          useOf: (index) => useAt(snapshot.targets[index]),
        });
        if (current === own) source.set({ scope, fromMs, atMs: clock.now(), ...outcome });
      }

      function useAt(target: Target | undefined): CellUse | undefined {
        return target && useOf(cells, target);
      }

      return {
        async before(targets) {
          current = own;
          if (targets.length === 0) return;
          reading ??= chunk()
            .then(({ takeSnapshot }) => takeSnapshot({ workbook, clock }, targets))
            .catch(() => null);
          const snapshot = await within(clock, reading);
          // What is read later may be new already.
          if (snapshot === null) reading = null;
          if (asked.length === 0) asked = snapshot?.targets.map((each) => useAt(each)?.asked ?? null) ?? [];
        },
        after() {
          // A sheet that is gone, or an Excel that refuses: the last report stays.
          void reading?.then((snapshot) => snapshot && report(snapshot)).catch(() => undefined);
        },
      };
    },
  };
}

/** Null for what takes too long. */
function within<T>(clock: Clock, work: Promise<T | null>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(() => resolve(null), longestReadingMs);
    void work.then((result) => {
      clock.clearTimeout(timer);
      resolve(result);
    });
  });
}
