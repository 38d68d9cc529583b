/**
 * What a formula asks for and refers to, as the ledger remembers it: for people its store and item, the first two
 * arguments of its first INV call; for a thaw, digests of the cells it refers to and of what names its row and column. A
 * frozen row that was sorted or overwritten since has others, and its formula is then not put back there.
 * Cells are read once for many formulas; what cannot be looked up (a defined name) stands as it is spelt.
 */
import { argumentTexts, callsIn, invFunctionNamed } from "../../formula/calls";
import { sheetCols } from "../../formula/columns";
import { tokensOf } from "../../formula/tokens";
import { cellKey, cellsOf, contains } from "../addresses";
import { mergeCells, bySheet } from "../cell-areas";
import { digest } from "./digest";
import type { Area, CellRef, CellValue, FormulaCell, TableInfo, Workbook } from "../port";
import { invMatcher } from "../formula-search";
import { type Reference, references, type RowReference, toR1C1 } from "../../formula/references";

export interface FrozenItem {
  readonly store: string;
  readonly item: string;
}

/** Of one large range so many cells are compared; a range of a whole column is no more. */
const mostCellsOfRange = 5_000;

/** In the order of the formulas. */
export async function subjectsOf(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
): Promise<readonly FrozenItem[]> {
  const tables = formulas.some(({ formula }) => formula.includes("[")) ? await workbook.tables() : [];
  const asked = formulas.map((cell) =>
    firstArguments(cell.formula).map((text) => partOf(text, cell, tables)),
  );
  const values = await readAll(
    workbook,
    asked.flat().flatMap(({ areas }) => areas),
  );
  return asked.map(([store, item]) => ({ store: textOf(store, values), item: textOf(item, values) }));
}

/** What a formula refers to, as areas to read and as a digest of what they hold. */
export interface ReferenceReader {
  readonly areas: readonly Area[];
  /** @param contents formulas or values by cell */
  digestOf(contents: ReadonlyMap<string, CellValue>): string;
}

/**
 * Readers of all cells that each formula refers to. A cell with a formula counts by that formula, not by what it
 * shows today; one of INV, and one that is frozen, by that alone. A formula that refers to nothing in its own row
 * could not be told from another row's after sorting: there what is written beside it counts too.
 */
export async function referenceReaders(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
  isFrozen: (ref: CellRef) => boolean,
): Promise<readonly ReferenceReader[]> {
  if (formulas.length === 0) return [];
  const tables = formulas.some(({ formula }) => formula.includes("[")) ? await workbook.tables() : [];
  const isInv = await invMatcher(workbook);
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  return formulas.map((cell) => {
    const areas = partOf(cell.formula, cell, tables).areas;
    const sides = refersToItsRow(cell) ? [] : [besideLeft(cell), besideRight(cell)];
    return {
      areas: [...areas, ...sides].filter(({ sheet }) => sheets.has(sheet)),
      digestOf(contents) {
        const spellingOf = speller(contents, { isInv, isFrozen });
        const label = sides.map((area) => written(area, spellingOf)).find((side) => side.length > 0) ?? [];
        return digest([...areas.map((area) => cellsOf(area).map(spellingOf)), label]);
      },
    };
  });
}

/** The digests of what the formulas refer to now. */
export async function referencesOf(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
  isFrozen: (ref: CellRef) => boolean,
): Promise<readonly string[]> {
  const readers = await referenceReaders(workbook, formulas, isFrozen);
  const contents = await readAll(
    workbook,
    readers.flatMap(({ areas }) => areas),
    "formulas",
  );
  return readers.map((reader) => reader.digestOf(contents));
}

/**
 * A digest of what is written at the top of each formula's column: by its address alone a formula could not be told
 * from that of a column that has come to stand there.
 */
export async function headsOf(
  workbook: Workbook,
  formulas: readonly FormulaCell[],
  isFrozen: (ref: CellRef) => boolean,
): Promise<readonly string[]> {
  const tops = formulas.map(({ sheet, row, col }): Area => ({
    sheet,
    row: 0,
    col,
    rows: Math.min(row, headRows),
    cols: 1,
  }));
  const isInv = await invMatcher(workbook);
  const spellingOf = speller(await readAll(workbook, tops, "formulas"), { isInv, isFrozen });
  return tops.map((top) => digest([written(top, spellingOf)]));
}

/** A column's head stands in one of the first rows. */
const headRows = 8;

type Speller = (ref: CellRef) => CellValue;

interface Spelling {
  isInv(formula: string): boolean;
  isFrozen(ref: CellRef): boolean;
}

function speller(contents: ReadonlyMap<string, CellValue>, { isInv, isFrozen }: Spelling): Speller {
  return (ref) => {
    const content = contents.get(cellKey(ref)) ?? null;
    if (isFrozen(ref)) return "=INV";
    if (typeof content !== "string" || !content.startsWith("=")) return content;
    return isInv(content) ? "=INV" : toR1C1(content, ref);
  };
}

/** Without formulas. */
function written(area: Area, spellingOf: Speller): readonly CellValue[] {
  return cellsOf(area)
    .map(spellingOf)
    .filter((content) => content !== null && content !== "" && !String(content).startsWith("="));
}

/** So many cells beside a formula may name its row: those before it, or, where nothing is written there, after. */
const cellsBeside = 8;

function besideLeft({ sheet, row, col }: CellRef): Area {
  const cols = Math.min(cellsBeside, col);
  return { sheet, row, col: col - cols, rows: 1, cols };
}

function besideRight({ sheet, row, col }: CellRef): Area {
  return { sheet, row, col: col + 1, rows: 1, cols: Math.min(cellsBeside, sheetCols - col - 1) };
}

/** Sorting would bring other cells there. */
export function refersToItsRow({ formula, sheet, row }: FormulaCell): boolean {
  const { cells, thisRow } = references(formula);
  const isOwn = (area: Reference): boolean =>
    (area.sheet ?? sheet) === sheet && area.row <= row && row < area.row + area.rows;
  return thisRow.length > 0 || cells.some(isOwn);
}

interface Part {
  readonly text: string;
  readonly areas: readonly Area[];
  /** The whole argument is one cell. */
  readonly isCell: boolean;
}

/** Store and item as the formula spells them; a formula without such a call is its own subject. */
export function firstArguments(formula: string): readonly [store: string, item: string] {
  const tokens = tokensOf(formula);
  const [first] = callsIn(tokens)
    .filter(({ name }) => invFunctionNamed(name) !== null)
    .sort((a, b) => a.nameIndex - b.nameIndex);
  if (first === undefined) return [formula, ""];
  const [store = "", item = ""] = argumentTexts(tokens, first);
  return [store, item];
}

function partOf(text: string, at: CellRef, tables: readonly TableInfo[]): Part {
  const found = references(text);
  const areas = [
    ...found.cells.map((reference) => areaOf(reference, at.sheet)),
    ...found.thisRow.flatMap((reference) => rowArea(reference, at, tables) ?? []),
  ];
  const [only] = [...found.cells, ...found.thisRow];
  const [area] = areas;
  return {
    text,
    areas,
    isCell: areas.length === 1 && only?.text === text && area?.rows === 1 && area.cols === 1,
  };
}

function areaOf({ sheet, row, col, rows, cols }: Reference, own: string): Area {
  const width = Math.min(cols, mostCellsOfRange);
  return {
    sheet: sheet ?? own,
    row,
    col,
    rows: Math.min(rows, Math.max(1, Math.floor(mostCellsOfRange / width))),
    cols: width,
  };
}

function rowArea({ table, column }: RowReference, at: CellRef, tables: readonly TableInfo[]): Area | null {
  const found = tables.find(({ name, area }) =>
    table === null ? contains(area, at) : name.toLowerCase() === table.toLowerCase(),
  );
  const index = found?.headers.findIndex((header) => header.toLowerCase() === column.toLowerCase()) ?? -1;
  if (found === undefined || index < 0) return null;
  return { sheet: found.area.sheet, row: at.row, col: found.area.col + index, rows: 1, cols: 1 };
}

function textOf(part: Part | undefined, values: ReadonlyMap<string, CellValue>): string {
  if (part === undefined || part.areas.length === 0) return part?.text ?? "";
  const cells = part.areas.map((area) => cellsOf(area).map((ref) => values.get(cellKey(ref)) ?? null));
  if (part.isCell) return String(cells[0]?.[0] ?? "");
  return `${part.text.slice(0, 80)} ${digest(cells)}`;
}

/** Few areas that hold exactly the cells of these. */
export function mergedAreas(areas: readonly Area[]): readonly Area[] {
  const cells = new Map<string, CellRef>();
  for (const area of new Map(areas.map((each) => [JSON.stringify(each), each])).values()) {
    for (const ref of cellsOf(area)) cells.set(cellKey(ref), ref);
  }
  return [...bySheet(cells.values())].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, ...block })),
  );
}

/** What was read of each area, by cell. */
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

async function readAll(
  workbook: Workbook,
  areas: readonly Area[],
  what: "values" | "formulas" = "values",
): Promise<ReadonlyMap<string, CellValue>> {
  const names = new Set((await workbook.sheets()).map(({ name }) => name));
  const merged = mergedAreas(areas.filter(({ sheet }) => names.has(sheet)));
  const contents: CellValue[][][] = [];
  for (const area of merged) contents.push(await workbook.read(area, what));
  return byCell(merged, contents);
}
