/**
 * Puts a formula into its cells, filled down, as one step to undo. What stands there is overwritten only when that
 * was said to be wanted; work that fails puts back what was there.
 */
import { InvError } from "../../domain/errors";
import type { Area, CellValue, Workbook } from "../port";
import { movedFormula } from "../../formula/references";

export type PutEnd =
  | { readonly kind: "put"; readonly cells: number }
  /** Nothing was written: so many of the cells hold something else. */
  | { readonly kind: "occupied"; readonly cells: number };

export interface PutOptions {
  readonly formula: string;
  readonly area: Area;
  readonly overwrite: boolean;
}

const rowsAtOnce = 5_000;

/** Rejects with an InvError where the sheet is gone, protected, or refuses to be written. */
export async function putFormula(
  workbook: Workbook,
  { formula, area, overwrite }: PutOptions,
): Promise<PutEnd> {
  await refuseProtected(workbook, area.sheet);
  const cells = formulasOf(formula, area.rows);
  const before = await workbook.read(area, "formulas");
  const occupied = before.filter(([content], row) => isFilled(content) && content !== cells[row]?.[0]).length;
  if (occupied > 0 && !overwrite) return { kind: "occupied", cells: occupied };
  await workbook.step(
    async () => {
      try {
        // In a cell formatted as text a formula would stay text.
        const [[format] = []] = await workbook.formatsOf({ ...area, rows: 1 });
        if (format?.numberFormat === "@") await workbook.format(area, { numberFormat: "General" });
        await write(workbook, area, cells);
      } catch (error) {
        // What went wrong is told; that it could not be taken back either would hide it.
        await write(workbook, area, before).catch(() => undefined);
        throw error;
      }
    },
    { asOneUndo: true },
  );
  return { kind: "put", cells: area.rows };
}

/** The formula in each row, one cell wide. */
export function formulasOf(formula: string, rows: number): string[][] {
  return Array.from({ length: rows }, (_, down) => [movedFormula(formula, { rows: down, cols: 0 })]);
}

async function write(
  workbook: Workbook,
  area: Area,
  cells: readonly (readonly CellValue[])[],
): Promise<void> {
  for (let from = 0; from < cells.length; from += rowsAtOnce) {
    const part = cells.slice(from, from + rowsAtOnce);
    await workbook.write({ ...area, row: area.row + from, rows: part.length }, part);
  }
}

async function refuseProtected(workbook: Workbook, name: string): Promise<void> {
  const sheet = (await workbook.sheets()).find((each) => each.name === name);
  if (sheet === undefined) {
    throw new InvError(
      "bad-argument",
      `Expected the sheet "${name}"; it is no longer there. Select a cell again.`,
    );
  }
  if (sheet.isProtected) {
    throw new InvError(
      "bad-argument",
      `The sheet "${name}" is protected: unprotect it, then put the formula in.`,
    );
  }
}

function isFilled(content: CellValue | undefined): boolean {
  return content !== null && content !== undefined && content !== "";
}
