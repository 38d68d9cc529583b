/**
 * Keeps the register to the formulas that still stand: when an edit touches cells that the register
 * knows, these cells (and no others) are looked at again, a moment after the last edit, and those that hold
 * no formula any more are forgotten. An edit elsewhere costs no look. Cells of a sheet that
 * is renamed stay known, under its new name.
 * Invariant: no look while cells wait or a refresh runs, since what is waiting cannot be forgotten.
 */
import type { CellRegister } from "../cells/cell-register";
import type { Clock, TimerId } from "../engine/clock";
import { renamedAddress } from "./addresses";
import { forgetGone } from "./formula-search";
import { areasOf, knownIn } from "./known-cells";
import type { Workbook } from "./port";
import { isRunning, type Refresher } from "./refresh/refresh";

export interface EditFollowerOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly refresher: Refresher;
  readonly clock: Clock;
}

const settleMs = 300;

/** Follows the workbook's edits for as long as it is open. */
export function followEdits(options: EditFollowerOptions): void {
  const { workbook, cells, refresher, clock } = options;
  /** Addresses known to the register that an edit has touched since they were looked at. */
  let touched = new Set<string>();
  let timer: TimerId = null;
  let isLooking = false;

  function lookSoon(): void {
    if (touched.size === 0 || isLooking) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void look(), settleMs);
  }

  async function look(): Promise<void> {
    // Whatever is under way tells when it ends, and the look follows.
    if (isLooking || isRunning(refresher.state) || cells.summary().waiting > 0) return;
    isLooking = true;
    const taken = touched;
    touched = new Set();
    try {
      // A cell edited again meanwhile may hold a formula again: it is looked at once more.
      const suspects = (): string[] => [...taken].filter((address) => !touched.has(address));
      await forgetGone(options, suspects, areasOf(taken));
      isLooking = false;
      lookSoon();
    } catch {
      // The workbook cannot be read now: they wait for the next edit or calculation.
      for (const address of taken) touched.add(address);
      isLooking = false;
    }
  }

  workbook.onEdit((edit) => {
    if (edit !== null && "from" in edit) {
      const spell = (address: string): string => renamedAddress(address, edit);
      cells.renamed(spell);
      touched = new Set([...touched].map(spell));
      return;
    }
    for (const address of knownIn(cells, edit)) touched.add(address);
    lookSoon();
  });
  cells.subscribe(lookSoon);
  refresher.subscribe(lookSoon);
}
