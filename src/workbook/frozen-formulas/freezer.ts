/**
 * Freeze and thaw: a scope in, a report out, one at a time. A workbook that was left in the middle says so, and can be finished or taken back. The work
 * itself, the ledger with it, is a chunk of its own, loaded before a cell is touched, and not at all for a
 * workbook in which nothing was ever frozen.
 */
import { isLedgerSheet } from "./ledger-sheets";
import { loaded } from "../loaded";
import type { Freezer, FreezerOptions } from "./freezer-types";

export function createFreezer(options: FreezerOptions): Freezer {
  const { workbook } = options;
  let last: Promise<unknown> = Promise.resolve();
  let work: Promise<Freezer> | null = null;

  /** Once for all, so that what is frozen from here has one ledger sheet. A load that failed is tried again. */
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

  /** One after the other: two of them would read each other's half-done work. */
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
