/** A plan to refresh: items in B, 50 to a store in A, a quantity in C. */
import type { CellRef } from "../../../src/workbook/port";
import { quantityOf } from "../../helpers/scripted-service";
import { type BedOptions, createRefreshBed, type RefreshBed } from "./refresh-bed";

export const minuteMs = 60_000;
export const gtin = (number: number) => String(number).padStart(14, "0");
export const at = (row: number, col = 2, sheet = "Plan"): CellRef => ({ sheet, row, col });

/** Opens a plan that was calculated an hour ago. */
export async function openPlan(rows: number, options: BedOptions = {}): Promise<RefreshBed> {
  const bed = createRefreshBed(options);
  fillPlan(bed, rows);
  bed.calculate(bed.formulas());
  await bed.clock.advance(60 * minuteMs);
  bed.service.version += 1;
  bed.mostBusy = 0;
  return bed;
}

export function fillPlan(bed: RefreshBed, rows: number): void {
  for (let row = 0; row < rows; row += 1) {
    bed.put(at(row, 0), 100 + Math.floor(row / 50));
    bed.put(at(row, 1), gtin(row + 1));
    bed.put(at(row), `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
  }
}

export const valueOf = (row: number, version: number) =>
  quantityOf(100 + Math.floor(row / 50), gtin(row + 1), version);
export const values = (bed: RefreshBed, rows: number) =>
  Array.from({ length: rows }, (_, row) => bed.shownAt(at(row)));
export const expected = (rows: number, version: number) =>
  Array.from({ length: rows }, (_, row) => valueOf(row, version));

/** The number of calls since this bed was set up. */
export function counting(bed: RefreshBed): () => { search: number; events: number } {
  const before = bed.calls();
  return () => {
    const now = bed.calls();
    return { search: now.search - before.search, events: now.events - before.events };
  };
}
