/**
 * Keeps the register to the formulas that still stand: when an edit touches cells that the register
 * knows, these cells (and no others) are looked at again, a moment after the last edit, and those whose
 * INV formula was deleted or overwritten are forgotten. An edit elsewhere costs no look. Cells of a sheet that
 * is renamed stay known, under its new name.
 * Invariant: no look while cells wait or a refresh runs, since what is waiting cannot be forgotten.
 */
import type { CellRegister } from "../cells/cell-register";
import type { Clock, TimerId } from "../engine/clock";
import { cellAddresses, contains, parseCellAddress, renamedAddress } from "./addresses";
import { bySheet, mergeCells } from "./cell-areas";
import { searchFormulas } from "./formula-search";
import type { Area, Workbook } from "./port";
import { isRunning, type Refresher } from "./refresh/refresh";

export interface EditFollowerOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly refresher: Refresher;
  readonly clock: Clock;
}

const settleMs = 300;
/** More areas than this cost more than a look at the whole workbook. */
const mostAreas = 500;

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
      const areas = areasOf(taken);
      // A cell edited again meanwhile may hold a formula again: it is looked at once more.
      const suspects = (): string[] => [...taken].filter((address) => !touched.has(address));
      await searchFormulas(options, suspects, areas.length > mostAreas ? undefined : areas);
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

/** What the register knows in these areas; everything where it cannot be told which they are. */
function* knownIn(cells: CellRegister, areas: readonly Area[] | null): Iterable<string> {
  if (areas === null) {
    for (const { address } of cells.all()) yield address;
    return;
  }
  const known = cells.summary().cells;
  for (const area of areas) {
    yield* area.rows * area.cols > known ? knownOf(cells, area) : cellsOf(cells, area);
  }
}

/** By a look at each cell that is known. */
function* knownOf(cells: CellRegister, area: Area): Iterable<string> {
  const starts = cellAddresses({ ...area, row: 0, col: 0 }).map((first) => first.slice(0, -"A1".length));
  for (const { address } of cells.all()) {
    // Most cells of another sheet are not worth the reading of their address.
    if (!starts.some((start) => address.startsWith(start))) continue;
    const ref = parseCellAddress(address);
    if (ref !== null && contains(area, ref)) yield address;
  }
}

/** By a look at each cell of the area. */
function* cellsOf(cells: CellRegister, { sheet, row, col, rows, cols }: Area): Iterable<string> {
  for (let index = 0; index < rows * cols; index++) {
    const ref = { sheet, row: row + Math.floor(index / cols), col: col + (index % cols) };
    for (const address of cellAddresses(ref)) if (cells.get(address) !== undefined) yield address;
  }
}

function areasOf(addresses: Iterable<string>): Area[] {
  const refs = [...addresses].map(parseCellAddress).filter((ref) => ref !== null);
  return [...bySheet(refs)].flatMap(([sheet, cells]) =>
    mergeCells(cells).map((block) => ({ sheet, ...block })),
  );
}
