/** Writes a formula into its cells, filled down, in one undo step. If the write fails, it restores the cells. */
import { InvError } from "../../domain/errors";
import { isBlank } from "../cell-content";
import type { Area, CellValue, Workbook } from "../port";
import { movedFormula } from "../../formula/references";
import { keepTableColumns } from "../frozen-formulas/table-columns";

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
    random,
  }: { readonly formula: string; readonly area: Area; readonly overwrite: boolean; random(): number },
): Promise<PutEnd> {
  await refuseProtected(workbook, area.sheet);
  const cells = formulasOf(formula, area.rows);
  const targets = cells.map(([first = ""], down) => ({
    area: { ...area, row: area.row + down, rows: 1 },
    formula: first,
  }));
  return keepTableColumns(workbook, { targets, random }, () =>
    putInStep(workbook, { area, cells, overwrite }),
  );
}

function putInStep(
  workbook: Workbook,
  {
    area,
    cells,
    overwrite,
  }: { readonly area: Area; readonly cells: readonly string[][]; readonly overwrite: boolean },
): Promise<PutEnd> {
  return workbook.step(
    async (workbook): Promise<PutEnd> => {
      const [[format] = []] = await workbook.formatsOf({ ...area, rows: 1 });
      // Read right before the write, because somebody may have moved the cells.
      const before = await workbook.read(area, "formulas");
      const isOccupied = ([content]: readonly CellValue[], row: number): boolean =>
        !isBlank(content) && content !== cells[row]?.[0];
      const occupied = before.filter(isOccupied).length;
      if (occupied > 0 && !overwrite) return { kind: "occupied", cells: occupied };
      try {
        // A cell formatted as text would keep the formula as text.
        if (format?.numberFormat === "@") await workbook.format(area, { numberFormat: "General" });
        await write(workbook, area, cells);
      } catch (error) {
        // Report the original error; a failed rollback must not replace it.
        await write(workbook, area, before).catch(() => undefined);
        throw error;
      }
      return { kind: "put", cells: area.rows };
    },
    { asOneUndo: true },
  );
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
