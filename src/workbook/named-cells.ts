/**
 * Defined names of cells: saved lists, and names of one area. They are read every time, because no event reports a changed
 * name. Excludes names of values, LAMBDAs and other formulas.
 */
import { readLists, type SavedList } from "./lists/saved-lists";
import type { Area, CellValue, Workbook } from "./port";
import { referenceIn } from "../formula/references";

export interface NamedCells {
  readonly lists: readonly SavedList[];
  has(text: string): boolean;
  /** Returns whether the name is of a single cell, whose value applies to every row. */
  isSingle(name: string): boolean;
  /** Returns null if the text isn't one of the names. */
  areaOf(name: string): Area | null;
  /** Returns the values that a formula receives: of a list, only the filled cells. */
  values(name: string): Promise<CellValue[][]>;
}

/** Reads the names that a formula on this sheet sees. The sheet's own names take precedence over the workbook's. */
export async function readNamedCells(workbook: Workbook, sheet: string): Promise<NamedCells> {
  const lists = await readLists(workbook);
  const areas = new Map<string, Area>();
  const names = (await workbook.names()).filter((each) => each.sheet === null || each.sheet === sheet);
  for (const { name, formula } of names.sort((a, b) => Number(a.sheet !== null) - Number(b.sheet !== null))) {
    const area = areaNamed(formula);
    if (area !== null) areas.set(name.toLowerCase(), area);
  }
  const listNamed = (name: string) => lists.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const areaOf = (name: string): Area | null => {
    const list = listNamed(name);
    if (list === undefined) return areas.get(name.toLowerCase()) ?? null;
    return { ...list.heading, row: list.heading.row + 1, rows: Math.max(1, list.values.length), cols: 1 };
  };
  return {
    lists,
    areaOf,
    has: (text) => areaOf(text) !== null,
    isSingle(name) {
      const area = listNamed(name) === undefined ? areaOf(name) : null;
      return area?.rows === 1 && area.cols === 1;
    },
    async values(name) {
      const list = listNamed(name);
      const area = areaOf(name);
      if (area === null) return [[null]];
      if (list === undefined) return workbook.read(area, "values");
      const filled = list.values.filter((value) => value !== null);
      return filled.length === 0 ? [[null]] : filled.map((value) => [value]);
    },
  };
}

function areaNamed(formula: string): Area | null {
  const only = referenceIn(formula.slice(1));
  if (only === null || only.isSpilled || only.sheet === null) return null;
  const { sheet, row, col, rows, cols } = only;
  return { sheet, row, col, rows, cols };
}
