/**
 * The lists of a workbook that the template form offers: named ranges of one column or row, and columns of Excel Tables. INV keeps no
 * lists of its own: it reads them where they are, every time, because no event reports a changed name.
 */
import { cleanText } from "../../domain/clean-text";
import { isInvError } from "../../domain/errors";
import { parseGtin, parseStoreNumber } from "../../domain/identifiers";
import { findColumns } from "../../domain/validator/find-columns";
import { referenceIn } from "../../formula/references";
import { withoutKind } from "../cell-content";
import type { Area, CellValue, DefinedName, Workbook } from "../port";
import { readFilled } from "../selected-areas";

export type ListKind = "stores" | "items";

export interface CellList {
  /** As a formula spells it: `Stores_North` or `Planning[Store]`. */
  readonly text: string;
  /** Null if the first cells are neither stores nor items. */
  readonly kind: ListKind | null;
  /** Its cells without a heading. */
  readonly area: Area;
}

type NamedArea = Pick<CellList, "text" | "area">;

/** Enough to recognize a column, and few enough to read them at every new selection. */
const headRows = 60;
/** Limits retries, because somebody may move cells between two round trips. */
const mostAttempts = 3;

export async function readLists(workbook: Workbook): Promise<readonly CellList[]> {
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  const named = namedAreas(await workbook.names()).filter(({ area }) => sheets.has(area.sheet));
  return [...(await listsIn(workbook, named)), ...(await tableLists(workbook))];
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

/** Returns the visible names of the workbook for a part of one column or row. */
function namedAreas(names: readonly DefinedName[]): NamedArea[] {
  return names.flatMap(({ name, sheet, formula }) => {
    // Hidden names and Excel's own, such as the print area.
    if (sheet !== null || /^_|^Print_/i.test(name)) return [];
    const only = referenceIn(formula.slice(1));
    if (only === null || only.isSpilled || only.sheet === null) return [];
    const { row, col, rows, cols } = only;
    return (rows === 1) === (cols === 1)
      ? []
      : [{ text: name, area: { sheet: only.sheet, row, col, rows, cols } }];
  });
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
