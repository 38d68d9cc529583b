/**
 * Turns cells or typed lines into the rows of a template: finds which column contains stores and which GTINs, and what is wrong
 * with each bad row, before any request.
 */
import type { PlainValue } from "../../domain/bad-argument";
import { type InvError, isInvError } from "../../domain/errors";
import { parseGtin, parseStoreNumber } from "../../domain/identifiers";
import { findColumns } from "../../domain/validator/find-columns";
import type { Clock } from "../../engine/clock";
import type { Area, CellValue, Workbook } from "../port";
import { readFilled, selectedAreas } from "../selected-areas";
import { crossed } from "./crossed";
import type { Pair, TemplateRows } from "./fill";

const mostRowsRead = 40_000;
const mostCols = 40;

export interface GivenCells {
  /** Number of the first row, as the sheet shows it. */
  readonly firstRow: number;
  readonly cells: readonly (readonly CellValue[])[];
}

interface BadRow {
  readonly row: number;
  readonly reason: string;
}

export interface GivenRows extends TemplateRows {
  readonly bad: readonly BadRow[];
  /** Number of rows omitted because an earlier row has the same store and item. */
  readonly repeated: number;
  /** Stores and items without the other beside them, where other rows have both. Only a grid uses them. */
  readonly alone: readonly BadRow[];
}

/** Reads stores and items: in the same row they are pairs; in separate areas, every store combines with every item. */
export function readRows(given: readonly GivenCells[]): GivenRows {
  const bad: BadRow[] = [];
  const pairs = new Map<string, Pair>();
  const stores = new Set<number>();
  const items = new Set<string>();
  const alone: BadRow[] = [];
  let repeated = 0;
  for (const { firstRow, cells } of given) {
    const { store: storeCol, item: itemCol, firstRow: firstDataRow } = findColumns(cells);
    for (const [index, line] of cells.entries()) {
      const row = firstRow + index;
      if (index < firstDataRow || line.every(isBlank)) continue;
      const reason: string[] = [];
      const store = storeCol === null ? null : readOne(line[storeCol], parseStoreNumber, reason);
      const item = itemCol === null ? null : readOne(line[itemCol], (value) => parseGtin(value), reason);
      if (storeCol === null && itemCol === null) reason.push("neither a store number nor a GTIN");
      if (reason.length > 0) {
        bad.push({ row, reason: reason.join(" ") });
        continue;
      }
      if (store !== null) stores.add(store);
      if (item !== null) items.add(item);
      if (store === null || item === null) {
        alone.push({
          row,
          reason: item === null ? `store ${store} without a GTIN` : `${item} without a store`,
        });
        continue;
      }
      const key = `${store} ${item}`;
      if (pairs.has(key)) repeated += 1;
      else pairs.set(key, { store, item });
    }
  }
  const found = pairs.size > 0 ? [...pairs.values()] : crossed([...stores], [...items]);
  const left = pairs.size > 0 ? alone : [];
  return { pairs: found, stores: [...stores], items: [...items], bad, repeated, alone: left };
}

/** Splits lines as people type and paste them: at tabs, semicolons, commas or spaces. */
export function cellsOfText(text: string): GivenCells {
  const cells = text.split(/\r?\n/).map((line) => line.split(/[\t;, ]+/).map((part) => part.trim()));
  const width = cells.reduce((widest, line) => Math.max(widest, line.length), 1);
  return {
    firstRow: 1,
    cells: cells.map((line) => [...line, ...Array<null>(width - line.length).fill(null)]),
  };
}

export async function rowsOfSelection(workbook: Workbook, clock: Clock): Promise<GivenRows> {
  return readRows(await filledCells(workbook, await selectedAreas(workbook, clock)));
}

async function filledCells(workbook: Workbook, areas: readonly Area[]): Promise<readonly GivenCells[]> {
  const given: GivenCells[] = [];
  for (const area of areas) {
    const [rows, cols] = [Math.min(area.rows, mostRowsRead), Math.min(area.cols, mostCols)];
    given.push({ firstRow: area.row + 1, cells: await readFilled(workbook, { ...area, rows, cols }) });
  }
  return given;
}

function isBlank(cell: CellValue | undefined): boolean {
  return cell === null || cell === undefined || String(cell).trim() === "";
}

function readOne<T>(
  cell: CellValue | undefined,
  parse: (value: PlainValue) => T | InvError,
  reasons: string[],
): T | null {
  const read = parse(cell ?? "");
  if (!isInvError(read)) return read;
  reasons.push(read.message);
  return null;
}
