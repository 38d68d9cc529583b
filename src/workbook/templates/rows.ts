/**
 * From cells or typed lines to the rows of a template: which column holds stores and which GTINs (by
 * headers, else by what the cells look like), and what is wrong with each bad row, told before any call.
 */
import type { Plain } from "../../domain/bad-argument";
import { type InvError, isInvError } from "../../domain/errors";
import { parseGtin } from "../../domain/gtin";
import { parseStoreNumber } from "../../domain/store-number";
import type { CellValue } from "../port";
import type { Pair, TemplateRows } from "./fill";

/** Cells of one selected area. */
export interface GivenCells {
  /** Row number of the first of them, as the sheet shows it. */
  readonly firstRow: number;
  readonly cells: readonly (readonly CellValue[])[];
}

export interface BadRow {
  readonly row: number;
  readonly reason: string;
}

export interface GivenRows extends TemplateRows {
  readonly bad: readonly BadRow[];
  /** Rows left out because the same store and item came before. */
  readonly repeated: number;
}

const storeHeader = /^(?:stores?|store[ _]?(?:number|no|nbr|id)s?\.?|store_nbr)$/i;
const itemHeader =
  /^(?:gtins?|upcs?|eans?|items?|item[ _]?(?:gtin|upc)|barcodes?|product[ _]?(?:code|gtin))$/i;

/** Stores and items in the same rows are pairs; apart from each other, every store goes with every item. */
export function readRows(given: readonly GivenCells[]): GivenRows {
  const bad: BadRow[] = [];
  const pairs = new Map<string, Pair>();
  const stores = new Set<number>();
  const items = new Set<string>();
  let repeated = 0;
  for (const { firstRow, cells } of given) {
    const { store: storeCol, item: itemCol, headerRows } = columnsOf(cells);
    for (const [index, line] of cells.entries()) {
      const row = firstRow + index;
      if (index < headerRows || line.every(isBlank)) continue;
      const reason: string[] = [];
      const store = storeCol === null ? null : readOne(line[storeCol], parseStoreNumber, reason);
      const item = itemCol === null ? null : readOne(line[itemCol], (value) => parseGtin(value), reason);
      if (storeCol === null && itemCol === null) reason.push("neither a store number nor a GTIN");
      if (reason.length > 0) {
        bad.push({ row, reason: reason.join("; ") });
        continue;
      }
      if (store !== null) stores.add(store);
      if (item !== null) items.add(item);
      if (store === null || item === null) continue;
      const key = `${store} ${item}`;
      if (pairs.has(key)) repeated += 1;
      else pairs.set(key, { store, item });
    }
  }
  const found = pairs.size > 0 ? [...pairs.values()] : crossed([...stores], [...items]);
  return { pairs: found, stores: [...stores], items: [...items], bad, repeated };
}

/** Every store with every item. */
export function crossed(stores: readonly number[], items: readonly string[]): Pair[] {
  return stores.flatMap((store) => items.map((item) => ({ store, item })));
}

/** Lines as people type and paste them: columns by tab, semicolon, comma or space. */
export function cellsOfText(text: string): GivenCells {
  const cells = text.split(/\r?\n/).map((line) => line.split(/[\t;, ]+/).map((part) => part.trim()));
  const width = Math.max(1, ...cells.map((line) => line.length));
  return {
    firstRow: 1,
    cells: cells.map((line) => [...line, ...Array<null>(width - line.length).fill(null)]),
  };
}

interface Columns {
  readonly store: number | null;
  readonly item: number | null;
  readonly headerRows: number;
}

function columnsOf(cells: readonly (readonly CellValue[])[]): Columns {
  const width = cells[0]?.length ?? 0;
  const headerAt = cells.slice(0, 5).findIndex((line) => line.some((cell) => isHeader(cell)));
  const header = cells[headerAt]?.map((cell) => String(cell ?? "").trim()) ?? [];
  const body = cells.slice(headerAt + 1);
  const byHeader = (pattern: RegExp) => header.findIndex((name) => pattern.test(name));
  const columns = Array.from({ length: width }, (_, col) => col);
  const share = (col: number, isKind: (value: Plain) => boolean): number => {
    const values = body.map((line) => line[col] ?? null).filter((cell) => !isBlank(cell));
    return values.length === 0
      ? 0
      : values.filter((cell) => cell !== null && isKind(cell)).length / values.length;
  };
  const byLook = (isKind: (value: Plain) => boolean): number =>
    columns.reduce(
      (best, col) => (share(col, isKind) > (best < 0 ? 0.4 : share(best, isKind)) ? col : best),
      -1,
    );
  const store = firstFound(byHeader(storeHeader), () =>
    byLook((value) => !isInvError(parseStoreNumber(value))),
  );
  const item = firstFound(byHeader(itemHeader), () => byLook((value) => !isInvError(parseGtin(value))));
  return { store, item, headerRows: headerAt + 1 };
}

function firstFound(index: number, otherwise: () => number): number | null {
  const found = index >= 0 ? index : otherwise();
  return found >= 0 ? found : null;
}

function isHeader(cell: CellValue): boolean {
  return typeof cell === "string" && (storeHeader.test(cell.trim()) || itemHeader.test(cell.trim()));
}

function isBlank(cell: CellValue | undefined): boolean {
  return cell === null || cell === undefined || String(cell).trim() === "";
}

function readOne<T>(
  cell: CellValue | undefined,
  parse: (value: Plain) => T | InvError,
  reasons: string[],
): T | null {
  const read = parse(cell ?? "");
  if (!isInvError(read)) return read;
  reasons.push(read.message);
  return null;
}
