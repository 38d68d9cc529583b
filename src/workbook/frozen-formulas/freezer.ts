/**
 * Runs freezes and thaws one at a time, because two at once would read each other's unfinished work. The commands are in a
 * chunk that a workbook without frozen formulas never loads.
 */
import { isLedgerSheet } from "./ledger-sheets";
import { loaded } from "../loaded";
import type { Freezer, FreezerOptions } from "./freezer-types";

export function createFreezer(options: FreezerOptions): Freezer {
  const { workbook } = options;
  let last: Promise<unknown> = Promise.resolve();
  let commands: Promise<Freezer> | null = null;

  /** Loads the chunk once, and tries again after a failure. */
  function loadCommands(): Promise<Freezer> {
    commands ??= loaded(import(/* webpackChunkName: "freeze" */ "./freeze-commands")).then(
      ({ createFreezeCommands }) => createFreezeCommands(options),
      (error: unknown) => {
        commands = null;
        throw error;
      },
    );
    return commands;
  }

  function inTurn<T>(run: (freezer: Freezer) => Promise<T>): Promise<T> {
    const start = async (): Promise<T> => run(await loadCommands());
    const next = last.then(start, start);
    last = next.catch(() => undefined);
    return next;
  }

  return {
    freeze: (scope, as) => inTurn((freezer) => freezer.freeze(scope, as)),
    thaw: (scope) => inTurn((freezer) => freezer.thaw(scope)),
    frozen: async () => {
      // Wait, because a freeze under way may add the first ledger sheet.
      await last;
      const hasLedger = (await workbook.sheets()).some(({ name }) => isLedgerSheet(name));
      return hasLedger ? inTurn((freezer) => freezer.frozen()) : null;
    },
    finish: () => inTurn((freezer) => freezer.finish()),
    goBack: () => inTurn((freezer) => freezer.goBack()),
    lines: () => inTurn((freezer) => freezer.lines()),
    forget: (ids) => inTurn((freezer) => freezer.forget(ids)),
  };
}
