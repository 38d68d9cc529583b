/**
 * Names in formulas that stand for cells: saved lists, and names of one area. Which names there are is read when it is
 * asked, since nothing tells that one was changed; names of values, of LAMBDAs and of other formulas stand for none.
 */
import { readLists, type SavedList } from "./lists/saved-lists";
import type { Area, CellValue, Workbook } from "./port";
import { referenceIn } from "../formula/references";

export interface NamedCells {
  readonly lists: readonly SavedList[];
  /** Whether the text is one of the names, in any letter case. */
  has(text: string): boolean;
  /** The name of a single cell, which stands for its value in every row. */
  isSingle(name: string): boolean;
  /** Where its cells stand; null for a text that is none of the names. */
  areaOf(name: string): Area | null;
  /** As a formula sees them: of a list, the filled ones. */
  values(name: string): Promise<CellValue[][]>;
}

/** The names as a formula on the sheet sees them: its own before those of the workbook. */
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

/** The area of a formula that is one reference, and names its sheet; null for any other. */
function areaNamed(formula: string): Area | null {
  const only = referenceIn(formula.slice(1));
  if (only === null || only.isSpilled || only.sheet === null) return null;
  const { sheet, row, col, rows, cols } = only;
  return { sheet, row, col, rows, cols };
}
