/**
 * Rows: the cells or lines that a person gives as stores and items, and which column of them is what. Reads the values as the functions
 * do, and says what is wrong with each bad row, before any request.
 */
import { cleanText } from "../../domain/clean-text";
import { InvError, isInvError } from "../../domain/errors";
import { readGtin, readStore } from "../../domain/identifiers";
import { count } from "../../domain/number-words";
import { type ColumnKind, columnKinds, type Columns, findColumns } from "../../domain/validator/find-columns";
import type { Clock } from "../../engine/clock";
import { bounds } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { Area, CellRef, CellValue, Workbook } from "../port";
import { readFilled, selectedAreas } from "../selected-areas";
import { crossed } from "./crossed";
import type { Pair, TemplateRows } from "./fill";

const mostRows = 200_000;
const mostCols = 60;
/** What is read around a single row, to find its columns. */
const headingRows = 10;
const rowsAbove = 60;
const rowsBelow = 5;

type Lines = readonly (readonly CellValue[])[];

/** A list with its headings. */
export interface GivenCells {
  /** Where the list is in the workbook; null for typed lines. */
  readonly area: Area | null;
  readonly cells: Lines;
}

/** What Rows shows: a list, its headings, and the column of each kind. */
export interface RowsPart extends GivenCells {
  readonly headings: readonly string[];
  readonly isFilled: readonly boolean[];
  /** The first of `cells` below the headings. */
  readonly firstDataRow: number;
  readonly columns: Columns;
}

interface BadRow {
  readonly row: number;
  readonly reason: string;
}

export interface GivenRows extends TemplateRows {
  /** Names of stores and items, by store number and GTIN. */
  readonly names: ReadonlyMap<string, string>;
  /** The store numbers and GTINs to which rows give different names. `names` has the last one. */
  readonly severalNames: ReadonlySet<string>;
  readonly bad: readonly BadRow[];
  /** Number of rows omitted because an earlier row has the same store and item. */
  readonly repeated: number;
}

/** Chooses the columns of these kinds, as far as there is no doubt. */
export function partOf(given: GivenCells, kinds: readonly ColumnKind[] = columnKinds): RowsPart {
  const { headings, isFilled, firstRow, ...found } = findColumns(given.cells);
  return { ...given, headings, isFilled, firstDataRow: firstRow, columns: onlyKinds(found, kinds) };
}

function onlyKinds(columns: Columns, kinds: readonly ColumnKind[]): Columns {
  const columnOf = (kind: ColumnKind) => (kinds.includes(kind) ? columns[kind] : null);
  return {
    store: columnOf("store"),
    item: columnOf("item"),
    storeName: columnOf("storeName"),
    itemName: columnOf("itemName"),
  };
}

/** Reads stores and items: in the same part they are pairs; in separate parts, every store combines with every item. */
export function readRows(parts: readonly RowsPart[]): GivenRows {
  const bad: BadRow[] = [];
  const pairs = new Map<string, Pair>();
  const stores = new Set<number>();
  const items = new Set<string>();
  const names = new Map<string, string>();
  const severalNames = new Set<string>();
  const keepName = (id: number | string | null, cell: CellValue): void => {
    const name = cleanText(String(cell ?? ""));
    if (id === null || name === "") return;
    if ((names.get(String(id)) ?? name) !== name) severalNames.add(String(id));
    names.set(String(id), name);
  };
  let repeated = 0;
  for (const { area, firstDataRow, cells, columns } of parts) {
    const has = { store: columns.store !== null, item: columns.item !== null };
    if (!has.store && !has.item) continue;
    for (const [index, line] of cells.entries()) {
      const at = (kind: ColumnKind): CellValue => line[columns[kind] ?? -1] ?? null;
      const store = readStore(at("store"));
      const item = readGtin(at("item"));
      if (index < firstDataRow || (store === null && item === null)) continue;
      const reasons = [
        has.store ? reasonAgainst("store", store) : null,
        has.item ? reasonAgainst("item", item) : null,
      ].filter((reason) => reason !== null);
      if (isInvError(store) || isInvError(item) || reasons.length > 0) {
        bad.push({ row: (area?.row ?? 0) + index + 1, reason: reasons.join(" ") });
        continue;
      }
      if (store !== null) stores.add(store);
      if (item !== null) items.add(item);
      keepName(store, at("storeName"));
      keepName(item, at("itemName"));
      if (store === null || item === null) continue;
      const key = `${store} ${item}`;
      if (pairs.has(key)) repeated += 1;
      else pairs.set(key, { store, item });
    }
  }
  const found = parts.length > 1 ? crossed([...stores], [...items]) : [...pairs.values()];
  return { pairs: found, stores: [...stores], items: [...items], names, severalNames, bad, repeated };
}

function reasonAgainst(name: string, read: number | string | InvError | null): string | null {
  if (read === null) return `The ${name} is blank.`;
  return isInvError(read) ? read.message : null;
}

/**
 * Splits lines as people type and paste them: cells of a sheet at tabs, lines with semicolons only there, so that blank cells and
 * decimal commas don't move the others, and other lines at commas or spaces.
 */
export function cellsOfText(text: string): GivenCells {
  const isOfSheet = text.includes("\t");
  const separatorOf = (line: string) => (isOfSheet ? "\t" : line.includes(";") ? ";" : /[, ]+/);
  const cells = text.split(/\r?\n/).map((line) => line.split(separatorOf(line)).map((part) => part.trim()));
  const width = cells.reduce((widest, line) => Math.max(widest, line.length), 1);
  return {
    area: null,
    cells: cells.map((line) => [...line, ...Array<null>(width - line.length).fill(null)]),
  };
}

/** Returns the selected cells, or the list of the sheet if a single cell is selected. */
export async function selectedCells(workbook: Workbook, clock: Clock): Promise<GivenCells> {
  const [first, ...others] = await selectedAreas(workbook, clock);
  const selected = others.reduce(bounds, first);
  const { sheet, rows, cols } = selected;
  return readList(
    workbook,
    rows * cols === 1 ? { sheet, row: 0, col: 0, rows: mostRows + 1, cols: mostCols } : selected,
  );
}

/** Reads the cells of a list again, which a person may have corrected. Keeps the chosen columns. */
export async function readAgain(workbook: Workbook, part: RowsPart): Promise<RowsPart> {
  if (part.area === null) return part;
  return { ...partOf(await readList(workbook, part.area)), columns: part.columns };
}

async function readList(workbook: Workbook, area: Area): Promise<GivenCells> {
  const cols = Math.min(area.cols, mostCols);
  const cells = await readFilled(workbook, { ...area, rows: Math.min(area.rows, mostRows + 1), cols });
  if (cells.findLastIndex((line) => !line.every(isBlank)) >= mostRows) {
    throw new InvError("not-possible", `INV reads at most ${count(mostRows)} rows of a list. Select fewer.`);
  }
  return { area, cells };
}

/** Returns the row of the selected cell, with the columns of the list that it is in. */
export async function selectedRow(workbook: Workbook, { sheet, row }: CellRef): Promise<RowsPart> {
  const top = Math.max(0, row - rowsAbove);
  const area = { sheet, row: top, col: 0, rows: row - top + 1 + rowsBelow, cols: mostCols };
  const headings =
    top === 0 ? [] : await workbook.read({ ...area, row: 0, rows: Math.min(top, headingRows) }, "values");
  const around = await workbook.read(area, "values");
  const list = partOf({ area: null, cells: [...headings, ...around] });
  const isHeading = headings.length + row - top < list.firstDataRow;
  return {
    ...list,
    area: { ...area, row, rows: 1 },
    firstDataRow: 0,
    cells: isHeading ? [] : [around[row - top] ?? []],
  };
}
