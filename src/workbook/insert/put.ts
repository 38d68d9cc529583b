/** Writes a formula into its cells, filled down, in one undo step. If the write fails, it restores the cells. */
import { InvError } from "../../domain/errors";
import { isBlank } from "../cell-content";
import type { Area, CellValue, Workbook } from "../port";
import { movedFormula } from "../../formula/references";

export type PutEnd =
  | { readonly kind: "put"; readonly cells: number }
  /** INV wrote nothing, because this many cells contain other content. */
  | { readonly kind: "occupied"; readonly cells: number };

const rowsAtOnce = 5_000;

/** Rejects with an InvError if the sheet was deleted or is protected, or if the host refuses the write. */
export async function putFormula(
  workbook: Workbook,
  {
    formula,
    area,
    overwrite,
  }: {
    readonly formula: string;
    readonly area: Area;
    readonly overwrite: boolean;
  },
): Promise<PutEnd> {
  await refuseProtected(workbook, area.sheet);
  const cells = formulasOf(formula, area.rows);
  const before = await workbook.read(area, "formulas");
  const occupied = before.filter(([content], row) => !isBlank(content) && content !== cells[row]?.[0]).length;
  if (occupied > 0 && !overwrite) return { kind: "occupied", cells: occupied };
  await workbook.step(
    async () => {
      try {
        // A cell formatted as text would keep the formula as text.
        const [[format] = []] = await workbook.formatsOf({ ...area, rows: 1 });
        if (format?.numberFormat === "@") await workbook.format(area, { numberFormat: "General" });
        await write(workbook, area, cells);
      } catch (error) {
        // Report the original error; a failed rollback must not replace it.
        await write(workbook, area, before).catch(() => undefined);
        throw error;
      }
    },
    { asOneUndo: true },
  );
  return { kind: "put", cells: area.rows };
}

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
      `The sheet "${name}" is no longer there. Select a cell, then try again.`,
    );
  }
  if (sheet.isProtected) {
    throw new InvError(
      "bad-argument",
      `The sheet "${name}" is protected. Unprotect it, then insert the formula.`,
    );
  }
}
