/**
 * Reads the cells that a formula refers to outside its row and column: saved lists and other names, other sheets, and all
 * arguments of a spilled formula. Reads each area once.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import type { CellRegister } from "../../cells/cell-register";
import { areaAddress, cellKey } from "../addresses";
import { definedNamesIn } from "../../formula/calls";
import { references } from "../../formula/references";
import { type NamedCells, readNamedCells } from "../named-cells";
import type { Area, CellRef, CellValue, Workbook } from "../port";
import { fillerOf, knownSpills } from "../spills";

/** A cell with its formula, or with its value if it has no formula. */
export interface CellWithContent {
  readonly cell: CellRef;
  readonly value: CellValue;
}

/** Skips larger areas. A saved list has fewer cells. */
const mostCells = 20_000;

export async function readReferredCells(
  { workbook, cells }: { readonly workbook: Workbook; readonly cells: CellRegister },
  places: readonly CellRef[],
): Promise<(place: CellWithContent) => Promise<readonly CellWithContent[] | null>> {
  const [first] = places;
  if (first === undefined) return () => Promise.resolve(null);
  const { sheet } = first;
  const names = await readNamedCells(workbook, sheet);
  const row = Math.max(...places.map((at) => at.row));
  const col = Math.max(...places.map((at) => at.col));
  const spills = await knownSpills(workbook, cells, { sheet, row, col });
  const read = createReader(workbook);
  return async ({ cell, value }) => {
    const filler = fillerOf(spills, cell);
    const formula = filler === null ? value : (await read({ ...filler, rows: 1, cols: 1 }))[0]?.value;
    const areas = areasNamed(String(formula ?? ""), { sheet, names, isSpilled: filler !== null });
    if (areas.length === 0) return null;
    const contents = (await Promise.all(areas.map(read))).flat();
    return [...new Map(contents.map((content) => [cellKey(content.cell), content])).values()];
  };
}

interface FormulaPlace {
  readonly sheet: string;
  readonly names: NamedCells;
  readonly isSpilled: boolean;
}

function areasNamed(formula: string, { sheet, names, isSpilled }: FormulaPlace): readonly Area[] {
  if (!formula.startsWith("=")) return [];
  const named = definedNamesIn(formula)
    .map((name) => names.areaOf(name))
    .filter((area) => area !== null);
  const referred = references(formula).cells.map((found) => ({ ...found, sheet: found.sheet ?? sheet }));
  const isElsewhere = isSpilled || named.length > 0 || referred.some((area) => area.sheet !== sheet);
  return isElsewhere ? [...named, ...referred] : [];
}

/** Returns a reader of areas. It reads whole columns and rows only up to their last filled cell. */
function createReader(workbook: Workbook): (area: Area) => Promise<readonly CellWithContent[]> {
  const known = new Map<string, Promise<readonly CellWithContent[]>>();
  async function readOnce({ sheet, row, col, rows, cols }: Area): Promise<readonly CellWithContent[]> {
    const isWhole = rows === sheetRows || cols === sheetCols;
    const used = isWhole ? await workbook.usedArea(sheet) : null;
    const [height, width] = isWhole
      ? [Math.min(rows, (used?.rows ?? 0) - row), Math.min(cols, (used?.cols ?? 0) - col)]
      : [rows, cols];
    if (height < 1 || width < 1 || height * width > mostCells) return [];
    const lines = await workbook.read({ sheet, row, col, rows: height, cols: width }, "formulas");
    return lines.flatMap((line, down) =>
      line.map((value, right) => ({ cell: { sheet, row: row + down, col: col + right }, value })),
    );
  }
  return (area) => {
    const key = `${areaAddress(area)} ${area.sheet}`;
    let contents = known.get(key);
    if (contents === undefined) known.set(key, (contents = readOnce(area)));
    return contents;
  };
}
