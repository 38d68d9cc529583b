/** Copies and deletes the host's sheets with their names, and finds ranges from other ranges. */
import type { Block } from "./block";
import { freeSheetName } from "../../src/workbook/sheet-names";
import type { ExcelHost } from "./host";
import { placeOf } from "./names";
import { type HostObject, refuse } from "./rich-api";
import { type HostSheet, newSheet } from "./sheet";

type Host = Pick<ExcelHost, "names" | "sheets">;

/** The copy has its own names for its cells (documented). */
export function copySheet({ names, sheets }: Host, sheet: HostSheet): HostSheet {
  const taken = sheets.map(({ name }) => name);
  const twin = { ...newSheet(freeSheetName(sheet.name, taken)), shows: sheet.shows };
  for (const [row, line] of sheet.cells) twin.cells.set(row, new Map(line));
  sheets.push(twin);
  const own = names.filter(({ scope, formula }) => scope === null && placeOf(formula)?.sheet === sheet.name);
  for (const each of own) {
    const formula = each.formula.replace(`'${sheet.name}'!`, `'${twin.name}'!`);
    names.push({ ...each, scope: twin, formula });
  }
  return twin;
}

export function deleteSheet({ names, sheets }: Host, sheet: HostSheet): void {
  sheets.splice(sheets.indexOf(sheet), 1);
  for (const each of names.filter(({ scope }) => scope === sheet)) names.splice(names.indexOf(each), 1);
}

export function clearCells(sheet: HostSheet, block: Block): void {
  if (sheet.isProtected) refuse("AccessDenied");
  for (let row = block.row; row < block.row + block.rows; row += 1) {
    for (let col = block.col; col < block.col + block.cols; col += 1) sheet.cells.get(row)?.delete(col);
  }
}

interface Given {
  readonly block: Block;
  readonly sheet: HostSheet;
}

export function rangesAround({ block, sheet }: Given, rangeAt: (block: Block) => HostObject): HostObject {
  return {
    getIntersection: (other: Given) =>
      rangeAt((other.sheet === sheet ? commonBlock(block, other.block) : null) ?? refuse("ItemNotFound")),
    getLastCell: () =>
      rangeAt({ row: block.row + block.rows - 1, col: block.col + block.cols - 1, rows: 1, cols: 1 }),
    getCell: (row: number, col: number) =>
      rangeAt({ row: block.row + row, col: block.col + col, rows: 1, cols: 1 }),
    getColumn: (col: number) => rangeAt({ ...block, col: block.col + col, cols: 1 }),
    getRow: (row: number) => rangeAt({ ...block, row: block.row + row, rows: 1 }),
    getBoundingRect: (other: { readonly block: Block }) => rangeAt(boundsOf(block, other.block)),
    getLastColumn: () => rangeAt({ ...block, col: block.col + block.cols - 1, cols: 1 }),
    getColumnsAfter: (cols: number) => rangeAt({ ...block, col: block.col + block.cols, cols }),
    getOffsetRange: (rows: number, cols: number) =>
      rangeAt({ ...block, row: block.row + rows, col: block.col + cols }),
    getResizedRange: (rows: number, cols: number) =>
      rangeAt({ ...block, rows: block.rows + rows, cols: block.cols + cols }),
  };
}

export function commonBlock(one: Block, other: Block): Block | null {
  const row = Math.max(one.row, other.row);
  const col = Math.max(one.col, other.col);
  const rows = Math.min(one.row + one.rows, other.row + other.rows) - row;
  const cols = Math.min(one.col + one.cols, other.col + other.cols) - col;
  return rows > 0 && cols > 0 ? { row, col, rows, cols } : null;
}

function boundsOf(one: Block, other: Block): Block {
  const row = Math.min(one.row, other.row);
  const col = Math.min(one.col, other.col);
  const rows = Math.max(one.row + one.rows, other.row + other.rows) - row;
  const cols = Math.max(one.col + one.cols, other.col + other.cols) - col;
  return { row, col, rows, cols };
}
