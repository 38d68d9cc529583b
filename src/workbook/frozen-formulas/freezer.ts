/**
 * Runs freezes and thaws one at a time. Work that was cut off can be finished or taken back. The code that does the work
 * is a chunk of its own, which a workbook without frozen formulas never loads.
 */
import { isLedgerSheet } from "./ledger-sheets";
import { loaded } from "../loaded";
import type { Freezer, FreezerOptions } from "./freezer-types";

export function createFreezer(options: FreezerOptions): Freezer {
  const { workbook } = options;
  let last: Promise<unknown> = Promise.resolve();
  let work: Promise<Freezer> | null = null;

  /** Loads once; tries again after a load that failed. */
  function loadWork(): Promise<Freezer> {
    work ??= loaded(import(/* webpackChunkName: "freeze" */ "./work")).then(
      ({ createFreezeWork }) => createFreezeWork(options),
      (error: unknown) => {
        work = null;
        throw error;
      },
    );
    return work;
  }

  /** Two commands at once would read each other's unfinished work. */
  function inTurn<T>(run: (work: Freezer) => Promise<T>): Promise<T> {
    const own = async (): Promise<T> => run(await loadWork());
    const next = last.then(own, own);
    last = next.catch(() => undefined);
    return next;
  }

  async function hasLedger(): Promise<boolean> {
    return (await workbook.sheets()).some(({ name }) => isLedgerSheet(name));
  }

  return {
    freeze: (scope, as) => inTurn((own) => own.freeze(scope, as)),
    thaw: (scope) => inTurn((own) => own.thaw(scope)),
    frozen: async () => {
      // What is under way may be about to make one.
      await last;
      return (await hasLedger()) ? inTurn((own) => own.frozen()) : null;
    },
    finish: () => inTurn((own) => own.finish()),
    goBack: () => inTurn((own) => own.goBack()),
    lines: () => inTurn((own) => own.lines()),
    forget: (ids) => inTurn((own) => own.forget(ids)),
  };
}
