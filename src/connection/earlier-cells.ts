/**
 * Counts cells that still show values of an earlier environment or of other credentials, so that nobody takes sandbox stock for
 * production stock. After a change all INV formulas are marked dirty; a cell counts until its calculation has begun again.
 */
import type { CellRegister, CellUse } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { functionFacts } from "../domain/functions";
import { createSource, type Source } from "../domain/notices";
import { cellAddresses } from "../workbook/addresses";
import { findInvFormulas } from "../workbook/formula-search";
import type { FormulaCell, Workbook } from "../workbook/port";

export interface EarlierCellsOptions {
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface EarlierCells {
  /** Number of such cells. */
  readonly count: Source<number>;
  /** Number of the latest calculation; a new connection counts calculations after it. */
  lastCalculation(): number;
  /**
   * Marks all INV formulas dirty and counts down those not yet calculated with the connection in use. The count starts with
   * all known cells, so that the pane never shows the new environment without it. A newer call replaces an older one.
   */
  mark(workbook: Workbook, inUse: InUse): Promise<void>;
}

/**
 * The connection in use, and the latest calculation before it. The time of a value doesn't help: an answer that a colleague
 * fetched earlier may belong to this connection.
 */
export interface InUse {
  readonly environmentId: string;
  readonly afterCalculation: number;
}

/** Counting checks every outstanding cell, so INV counts at most twice a second. */
const countEveryMs = 500;
/** A formula that hasn't been calculated this long after it was marked has a blank row. */
const silentAfterMs = 10_000;

export function createEarlierCells({ cells, clock }: EarlierCellsOptions): EarlierCells {
  const count = createSource(0);
  let outstanding = new Set<readonly [bare: string, quoted: string]>();
  let current: InUse = { environmentId: "", afterCalculation: 0 };
  let silentMeansBlank = false;
  let timer: unknown = null;

  function recount(): void {
    timer = null;
    for (const address of outstanding) {
      const use = cells.get(address[0]) ?? cells.get(address[1]);
      const earlier = use === undefined ? !silentMeansBlank : showsEarlier(use, current);
      if (!earlier) outstanding.delete(address);
    }
    if (count.get() !== outstanding.size) count.set(outstanding.size);
  }

  cells.subscribe(() => {
    if (outstanding.size > 0) timer ??= clock.setTimeout(recount, countEveryMs);
  });

  return {
    count,
    lastCalculation: () => cells.lastCalculation(),
    mark: async (workbook, inUse) => {
      current = inUse;
      silentMeansBlank = false;
      count.set(cells.summary().cells);
      const formulas = await findInvFormulas(workbook);
      if (current !== inUse) return;
      outstanding = new Set(formulas.filter(showsValues).map(cellAddresses));
      recount();
      await workbook.recalculate(formulas, { hidesValues: true });
      if (current !== inUse) return;
      recount();
      clock.setTimeout(() => {
        if (current !== inUse) return;
        silentMeansBlank = true;
        recount();
      }, silentAfterMs);
    },
  };
}

const telling = Object.keys(functionFacts).filter((name) => functionFacts[name]?.asks === null);
const asking = new RegExp(`INV[._](?!(?:${telling.join("|")})\\b)[A-Z]`, "i");

/** A formula of functions that ask nothing of the service has no value to be old; one that reaches INV through a name may have. */
function showsValues({ formula }: FormulaCell): boolean {
  return !/INV[._]/i.test(formula) || asking.test(formula);
}

/** Whether a cell's values are from before the change. */
function showsEarlier(use: CellUse, current: InUse): boolean {
  if (use.environmentId !== current.environmentId) return true;
  return use.oldestMs !== null && use.state !== "waiting" && use.calculation <= current.afterCalculation;
}
