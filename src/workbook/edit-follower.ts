/**
 * Removes cells that no longer contain a formula from the register. When an edit touches registered cells, this reads only
 * these cells, a moment after the last edit. When a sheet is renamed, its cells get their new addresses. Invariant: it doesn't
 * read while cells wait, because waiting cells can't be removed.
 */
import { unawaited } from "../domain/unawaited";
import type { TimerId } from "../engine/clock";
import { renamedAddress } from "./addresses";
import { forgetDeleted } from "./formula-search";
import { areasOf, addressesIn } from "./register-cells";
import type { RefreshContext } from "./refresh/scopes";

const settleMs = 300;

export function followEdits(options: Pick<RefreshContext, "workbook" | "cells" | "clock">): void {
  const { workbook, cells, clock } = options;
  let touched = new Set<string>();
  let timer: TimerId = null;
  let isReading = false;

  function readSoon(): void {
    if (touched.size === 0 || isReading) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => unawaited(read()), settleMs);
  }

  async function read(): Promise<void> {
    // The end of the calculation starts the next attempt.
    if (isReading || cells.summary().isCalculating) return;
    isReading = true;
    const suspected = touched;
    touched = new Set();
    try {
      // A cell that was edited again in the meantime is read again later.
      const suspects = (): string[] => [...suspected].filter((address) => !touched.has(address));
      await forgetDeleted(options, suspects, areasOf(suspected));
      isReading = false;
      readSoon();
    } catch {
      // The workbook can't be read now. Try again after the next edit or calculation.
      for (const address of suspected) touched.add(address);
      isReading = false;
    }
  }

  workbook.onEdit((edit) => {
    if (edit !== null && "from" in edit) {
      const spell = (address: string): string => renamedAddress(address, edit);
      cells.respellAddresses(spell);
      touched = new Set([...touched].map(spell));
      return;
    }
    if (edit !== null && "added" in edit) return;
    for (const address of addressesIn(cells, edit)) touched.add(address);
    readSoon();
  });
  cells.subscribe(readSoon);
}
