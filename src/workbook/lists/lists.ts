/**
 * The lists of a workbook: stores or items that a formula reaches by a name. A list is a name that `list-formula` writes, a named
 * range of one column or row, or a column of an Excel Table. INV keeps no lists of its own: it reads them where they are, every
 * time, because no event reports a changed name.
 */
import { cleanText } from "../../domain/clean-text";
import { isInvError } from "../../domain/errors";
import { parseGtin, parseStoreNumber } from "../../domain/identifiers";
import { findColumns } from "../../domain/validator/find-columns";
import { referenceIn } from "../../formula/references";
import { withoutKind } from "../cell-content";
import type { Area, CellValue, DefinedName, Workbook } from "../port";
import { readFilled } from "../selected-areas";
import { listRange } from "./list-formula";

export type ListKind = "stores" | "items";

export interface CellList {
  /** As a formula spells it: `Stores_North` or `Planning[Store]`. */
  readonly text: string;
  /** Null if the first cells are neither stores nor items. */
  readonly kind: ListKind | null;
  /** Its cells without a heading. A list that grows ends after its last possible entry. */
  readonly area: Area;
}

export interface NamedCells {
  readonly lists: readonly CellList[];
  /** Returns the cells of a name or of a Table's column; null for any other text. */
  areaOf(text: string): Area | null;
  /** Returns whether the name is of a single cell, whose value applies to every row. */
  isSingle(text: string): boolean;
}

type NamedArea = Pick<CellList, "text" | "area">;

/** Enough to recognize a column, and few enough to read them at every new selection. */
const headRows = 60;
/** Limits retries, because somebody may move cells between two round trips. */
const mostAttempts = 3;

/** Reads the names that a formula on this sheet sees. The sheet's own names take precedence over the workbook's. */
export async function readNamedCells(workbook: Workbook, sheet: string | null): Promise<NamedCells> {
  const names = await workbook.names();
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  const named = namedAreas(names, sheet).filter(({ area }) => sheets.has(area.sheet));
  const lists = await listsIn(workbook, named.filter(isList));
  const tables = await tableLists(workbook);
  const byText = new Map([...named, ...tables].map(({ text, area }) => [text.toLowerCase(), area]));
  const growing = new Set(
    names.filter(({ formula }) => listRange(formula) !== null).map(({ name }) => name.toLowerCase()),
  );
  const areaOf = (text: string): Area | null => byText.get(text.toLowerCase()) ?? null;
  return {
    lists: [...lists, ...tables],
    areaOf,
    isSingle(text) {
      const area = areaOf(text);
      return area?.rows === 1 && area.cols === 1 && !growing.has(text.toLowerCase());
    },
  };
}

export async function readLists(workbook: Workbook): Promise<readonly CellList[]> {
  return (await readNamedCells(workbook, null)).lists;
}

/** Returns the filled cells of the list, wherever they are by now; null if nothing has this name any more. */
export async function readEntries(
  workbook: Workbook,
  text: string,
): Promise<{ readonly area: Area; readonly entries: readonly CellValue[] } | null> {
  const find = async () => (await readLists(workbook)).find((each) => each.text === text)?.area ?? null;
  let area = await find();
  for (let attempt = 1; area !== null; attempt += 1) {
    const entries = (await readFilled(workbook, area)).flat();
    // If the cells have moved since the names were read, these are the values of other cells.
    const now = await find();
    if (attempt === mostAttempts || JSON.stringify(now) === JSON.stringify(area)) return { area, entries };
    area = now;
  }
  return null;
}

/**
 * Returns the names of stores and items, by store number and GTIN: those in the column to the right of a list, if its heading says
 * that it contains names.
 */
export async function readNamesBeside(workbook: Workbook): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { area, kind } of await readLists(workbook)) {
    if (kind === null || area.cols > 1 || area.row === 0) continue;
    const [heading, ...rows] = await readFilled(workbook, {
      ...area,
      ...{ row: area.row - 1, rows: area.rows + 1, cols: 2 },
    });
    if (!/name|desc/i.test(String(heading?.[1] ?? ""))) continue;
    for (const [value = null, beside = null] of rows) {
      const entry = kind === "stores" ? parseStoreNumber(value ?? "") : parseGtin(value ?? "");
      const name = cleanText(String(beside ?? ""));
      if (!isInvError(entry) && name !== "") found.set(String(entry), name);
    }
  }
  return found;
}

function namedAreas(names: readonly DefinedName[], sheet: string | null): NamedArea[] {
  const seen = names.filter((each) => each.sheet === null || each.sheet === sheet);
  // Hidden names and Excel's own, such as the print area.
  const own = seen.filter(({ name }) => !/^_|^Print_/i.test(name));
  return own
    .sort((a, b) => Number(a.sheet !== null) - Number(b.sheet !== null))
    .flatMap(({ name, formula }) => {
      const area = areaNamed(formula);
      return area === null ? [] : [{ text: name, area }];
    });
}

function areaNamed(formula: string): Area | null {
  const range = listRange(formula);
  if (range !== null) {
    const { heading, endRow } = range;
    return { ...heading, row: heading.row + 1, rows: Math.max(1, endRow - heading.row - 1), cols: 1 };
  }
  const only = referenceIn(formula.slice(1));
  if (only === null || only.isSpilled || only.sheet === null) return null;
  const { sheet, row, col, rows, cols } = only;
  return { sheet, row, col, rows, cols };
}

function isList({ area: { rows, cols } }: NamedArea): boolean {
  return (rows === 1) !== (cols === 1);
}

async function listsIn(workbook: Workbook, named: readonly NamedArea[]): Promise<readonly CellList[]> {
  const heads = named.map(({ area }) => ({ ...area, rows: Math.min(area.rows, headRows) }));
  const contents = await workbook.contentsOf(heads);
  return named.map((each, index) => {
    const values = (contents[index] ?? []).flat().map(withoutKind);
    const { store, item } = findColumns(values.filter((value) => value !== null).map((value) => [value]));
    return { ...each, kind: store !== null ? "stores" : item !== null ? "items" : null };
  });
}

/** Returns the columns of Tables that contain stores or items. The whole Table decides: a quantity looks like a store. */
async function tableLists(workbook: Workbook): Promise<readonly CellList[]> {
  const tables = await workbook.tables();
  if (tables.length === 0) return [];
  const contents = await workbook.contentsOf(
    tables.map(({ area }) => ({ ...area, rows: Math.min(area.rows, headRows) })),
  );
  return tables.flatMap(({ name, area, headers }, index) => {
    const rows = (contents[index] ?? []).map((row) => row.map(withoutKind));
    const { store, item } = findColumns(rows);
    const cells = { ...area, row: area.row + 1, rows: Math.max(1, area.rows - 1), cols: 1 };
    const column = (at: number | null, kind: ListKind): readonly CellList[] => {
      const header = at === null ? undefined : headers[at];
      // Other signs need an escape in a formula.
      if (at === null || header === undefined || !/^[^\][#@']+$/.test(header)) return [];
      return [{ text: `${name}[${header}]`, kind, area: { ...cells, col: area.col + at } }];
    };
    return [...column(store, "stores"), ...column(item, "items")];
  });
}
