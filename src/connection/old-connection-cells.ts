/**
 * Counts cells that still show values of an earlier environment or of other credentials, so that nobody takes
 * sandbox stock for production stock. After a change, all INV formulas are marked dirty. A cell counts until
 * its recalculation has begun.
 */
import type { CellRegister, InvCell } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { functionFacts } from "../domain/functions";
import { createObservable, type Observable } from "../domain/notices";
import { cellAddresses } from "../workbook/addresses";
import { findInvFormulas } from "../workbook/formula-search";
import type { FormulaCell, Workbook } from "../workbook/port";

export interface OldConnectionCellsOptions {
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface OldConnectionCells {
  readonly count: Observable<number>;
  /** Number of the latest calculation. A new connection counts the calculations after it. */
  lastRecalculation(): number;
  /**
   * Marks all INV formulas dirty and counts down those that the current connection hasn't calculated yet. The
   * count starts with all known cells, so that the pane never shows the new environment without it. A new
   * call replaces an older one.
   */
  mark(workbook: Workbook, inUse: InUse): Promise<void>;
}

/**
 * The current connection, and the latest calculation before it. A value's time can't replace the calculation
 * number: an answer that a colleague fetched earlier may belong to this connection.
 */
interface InUse {
  readonly environmentId: string;
  readonly afterRecalculation: number;
}

/** Counting checks every outstanding cell, so INV counts at most twice a second. */
const countEveryMs = 500;
/** A formula that still isn't calculated this long after it was marked has a blank row. */
const silentAfterMs = 10_000;

export function createOldConnectionCells({ cells, clock }: OldConnectionCellsOptions): OldConnectionCells {
  const count = createObservable(0);
  let outstanding = new Set<readonly [bare: string, quoted: string]>();
  let current: InUse = { environmentId: "", afterRecalculation: 0 };
  let silentMeansBlank = false;
  let timer: unknown = null;

  function recount(): void {
    timer = null;
    for (const address of outstanding) {
      const invCell = cells.get(address[0]) ?? cells.get(address[1]);
      const earlier = invCell === undefined ? !silentMeansBlank : showsEarlier(invCell, current);
      if (!earlier) outstanding.delete(address);
    }
    if (count.get() !== outstanding.size) count.set(outstanding.size);
  }

  cells.subscribe(() => {
    if (outstanding.size > 0) timer ??= clock.setTimeout(recount, countEveryMs);
  });

  return {
    count,
    lastRecalculation: () => cells.lastRecalculation(),
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

/**
 * Returns whether a formula may show values of the service. Functions that request nothing never do. A
 * formula that uses INV through a name may.
 */
function showsValues({ formula }: FormulaCell): boolean {
  return !/INV[._]/i.test(formula) || asking.test(formula);
}

function showsEarlier(invCell: InvCell, current: InUse): boolean {
  if (invCell.environmentId !== current.environmentId) return true;
  return (
    invCell.oldestMs !== null &&
    invCell.state !== "waiting" &&
    invCell.recalculation <= current.afterRecalculation
  );
}
