/**
 * Reads the cells that a formula refers to, as a digest. The digest identifies a frozen row: after a sort or an edit it is
 * different, and the formula doesn't return there. It ignores what INV can't look up (defined names).
 */
import { sheetCols } from "../../formula/columns";
import { type Reference, references, type RowReference, toR1C1 } from "../../formula/references";
import { cellKey, cellsOf, contains } from "../addresses";
import { mergeCells } from "../cell-areas";
import { invMatcherWith } from "../formula-search";
import type {
  Area,
  CellRef,
  CellValue,
  DefinedName,
  FormulaCell,
  SheetInfo,
  TableInfo,
  Workbook,
} from "../port";
import { digest } from "./digest";

export interface Book {
  readonly sheets: readonly SheetInfo[];
  readonly names: readonly DefinedName[];
  /** Empty if no formula refers to a Table. */
  readonly tables: readonly TableInfo[];
  isInv(formula: string): boolean;
}

export interface Surroundings extends Book {
  isFrozen(ref: CellRef): boolean;
}

export async function readBook(workbook: Workbook, formulas: readonly string[]): Promise<Book> {
  const names = await workbook.names();
  const hasTables = formulas.some((formula) => formula.includes("["));
  return {
    sheets: await workbook.sheets(),
    names,
    tables: hasTables ? await workbook.tables() : [],
    isInv: invMatcherWith(names),
  };
}

/** Reads the sheets again, because some may have been renamed or added. */
export async function renewed(workbook: Workbook, around: Surroundings): Promise<Surroundings> {
  const sheets = await workbook.sheets();
  const before = new Map(around.sheets.map(({ id, name }) => [id, name]));
  const names = new Map(sheets.map(({ id, name }) => [name, before.get(id) ?? name]));
  return {
    ...around,
    sheets,
    isFrozen: (ref) => around.isFrozen({ ...ref, sheet: names.get(ref.sheet) ?? ref.sheet }),
  };
}

/** The areas to read for a formula's references, and the digest of their contents. */
export interface ReferenceReader {
  readonly areas: readonly Area[];
  /** @param contents formulas or values by cell */
  digestOf(contents: ReadonlyMap<string, CellValue>): string;
}

/**
 * Returns the reader for a formula. A cell with a formula counts by its formula, because its value changes. All formulas of INV
 * count the same, frozen or not. If a formula refers to nothing in its own row, the cells beside it count too; otherwise it
 * would look like another row's formula after a sort.
 */
export function referenceReader(cell: FormulaCell, around: Surroundings): ReferenceReader {
  const found = references(cell.formula);
  const areas = areasIn(found, cell, around.tables);
  const sides = isOwnRow(found, cell) ? [] : [besideLeft(cell), besideRight(cell)];
  return {
    areas: [...areas, ...sides].filter(({ sheet }) => around.sheets.some(({ name }) => name === sheet)),
    digestOf(contents) {
      const spellingOf = speller(contents, around);
      const label = sides.map((area) => written(area, spellingOf)).find((side) => side.length > 0) ?? [];
      return digest([...areas.map((area) => cellsOf(area).map(spellingOf)), label]);
    },
  };
}

export async function digestsOf(
  workbook: Workbook,
  readers: readonly ReferenceReader[],
): Promise<readonly string[]> {
  const contents = await readCells(
    workbook,
    readers.flatMap(({ areas }) => areas),
  );
  return readers.map((reader) => reader.digestOf(contents));
}

/** Returns the formulas or values in these areas, by cell. The sheets must exist. */
async function readCells(
  workbook: Workbook,
  areas: readonly Area[],
): Promise<ReadonlyMap<string, CellValue>> {
  const merged = mergedAreas(areas);
  const large = merged.filter(({ rows, cols }) => rows * cols > cellsAtOnce);
  const small = merged.filter(({ rows, cols }) => rows * cols <= cellsAtOnce);
  const contents: (readonly (readonly CellValue[])[])[] = [];
  for (const area of large) contents.push(await workbook.read(area, "formulas"));
  for (let from = 0; from < small.length;) {
    let [to, cells] = [from, 0];
    for (let next = small[to]; next !== undefined; next = small[to]) {
      cells += next.rows * next.cols;
      if (cells > cellsAtOnce) break;
      to += 1;
    }
    const { beside } = await workbook.exchange({ writes: [], beside: small.slice(from, to) });
    contents.push(...beside);
    from = to;
  }
  return byCell([...large, ...small], contents);
}

/** Limit of one batch. */
const cellsAtOnce = 20_000;

type Speller = (ref: CellRef) => CellValue;

function speller(contents: ReadonlyMap<string, CellValue>, { isInv, isFrozen }: Surroundings): Speller {
  return (ref) => {
    const content = contents.get(cellKey(ref)) ?? null;
    if (isFrozen(ref)) return "=INV";
    if (typeof content !== "string" || !content.startsWith("=")) return content;
    return isInv(content) ? "=INV" : toR1C1(content, ref);
  };
}

function written(area: Area, spellingOf: Speller): readonly CellValue[] {
  return cellsOf(area)
    .map(spellingOf)
    .filter((content) => content !== null && content !== "" && !String(content).startsWith("="));
}

/** Number of cells beside a formula that may label its row: those to its left, or, if these are blank, to its right. */
const cellsBeside = 8;

function besideLeft({ sheet, row, col }: CellRef): Area {
  const cols = Math.min(cellsBeside, col);
  return { sheet, row, col: col - cols, rows: 1, cols };
}

function besideRight({ sheet, row, col }: CellRef): Area {
  return { sheet, row, col: col + 1, rows: 1, cols: Math.min(cellsBeside, sheetCols - col - 1) };
}

type References = ReturnType<typeof references>;

function isOwnRow({ cells, thisRow }: References, { sheet, row }: CellRef): boolean {
  const isOwn = (area: Reference): boolean =>
    (area.sheet ?? sheet) === sheet && area.row <= row && row < area.row + area.rows;
  return thisRow.length > 0 || cells.some(isOwn);
}

function areasIn({ cells, thisRow }: References, at: CellRef, tables: readonly TableInfo[]): readonly Area[] {
  return [
    ...cells.map((reference) => areaOf(reference, at.sheet)),
    ...thisRow.flatMap((reference) => rowArea(reference, at, tables) ?? []),
  ];
}

/** The number of cells that INV compares in one large range, such as a whole column. */
const mostCellsOfRange = 5_000;

function areaOf({ sheet, row, col, rows, cols }: Reference, own: string): Area {
  const width = Math.min(cols, mostCellsOfRange);
  const height = Math.min(rows, Math.max(1, Math.floor(mostCellsOfRange / width)));
  return { sheet: sheet ?? own, row, col, rows: height, cols: width };
}

function rowArea({ table, column }: RowReference, at: CellRef, tables: readonly TableInfo[]): Area | null {
  const found = tables.find(({ name, area }) =>
    table === null ? contains(area, at) : name.toLowerCase() === table.toLowerCase(),
  );
  const index = found?.headers.findIndex((header) => header.toLowerCase() === column.toLowerCase()) ?? -1;
  if (found === undefined || index < 0) return null;
  return { sheet: found.area.sheet, row: at.row, col: found.area.col + index, rows: 1, cols: 1 };
}

/** Merges the areas into fewer ones that contain exactly the same cells. */
export function mergedAreas(areas: readonly Area[]): readonly Area[] {
  const cells = new Map<string, CellRef>();
  const seen = new Set<string>();
  for (const area of areas) {
    const key = areaKey(area);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const ref of cellsOf(area)) cells.set(cellKey(ref), ref);
  }
  return mergeCells(cells.values());
}

function areaKey(area: Area): string {
  return `${area.rows} ${area.cols} ${cellKey(area)}`;
}

export function byCell(
  areas: readonly Area[],
  contents: readonly (readonly (readonly CellValue[])[])[],
): ReadonlyMap<string, CellValue> {
  const found = new Map<string, CellValue>();
  for (const [index, { sheet, row, col }] of areas.entries()) {
    for (const [r, line] of (contents[index] ?? []).entries()) {
      for (const [c, value] of line.entries()) {
        found.set(cellKey({ sheet, row: row + r, col: col + c }), value);
      }
    }
  }
  return found;
}
