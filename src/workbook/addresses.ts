/**
 * Converts cell addresses between three notations: references of the port (rows and columns from 0), the addresses that Excel
 * passes to functions (`Sheet1!A1`, `'My sheet'!A1`), and plain areas (`B2:C5`).
 */
import type { CellArea } from "../formula/cells";
import { columnIndex, columnName } from "../formula/columns";
import type { Area, CellRef, SheetRename } from "./port";

/** Returns `B2:C5`, or `B2` for a single cell, without the sheet. */
export function areaAddress(area: CellArea): string {
  const first = `${columnName(area.col)}${area.row + 1}`;
  if (area.rows === 1 && area.cols === 1) return first;
  return `${first}:${columnName(area.col + area.cols - 1)}${area.row + area.rows}`;
}

/**
 * Returns the two notations that a host may use for a cell. Only examples document which sheet names Excel quotes, so try both
 * when you look up an address.
 */
export function cellAddresses(ref: CellRef): readonly [bare: string, quoted: string] {
  const cell = `${columnName(ref.col)}${ref.row + 1}`;
  return [`${ref.sheet}!${cell}`, quotedAddress(ref.sheet, cell)];
}

/** Returns the known notation of the cell's address; the one without quotes if neither is known. */
export function addressIn(isKnown: (address: string) => boolean, ref: CellRef): string {
  const cell = `${columnName(ref.col)}${ref.row + 1}`;
  const bare = `${ref.sheet}!${cell}`;
  if (isKnown(bare)) return bare;
  const quoted = quotedAddress(ref.sheet, cell);
  return isKnown(quoted) ? quoted : bare;
}

export function renamedAddress(address: string, { from, to }: SheetRename): string {
  const [bare, quoted] = [`${from}!`, quotedAddress(from, "")];
  const start = address.startsWith(bare) ? bare : address.startsWith(quoted) ? quoted : null;
  return start === null ? address : functionAddress(to, address.slice(start.length));
}

/** Returns the address as Excel passes it to a function: with quotes around the sheet's name if a formula needs them. */
export function functionAddress(sheet: string, cell: string): string {
  const looksLikeCell = /^[A-Za-z]{1,3}\d+$/.test(sheet) || /^R\d*C\d*$/i.test(sheet);
  const isBare = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) && !looksLikeCell;
  return isBare ? `${sheet}!${cell}` : quotedAddress(sheet, cell);
}

function quotedAddress(sheet: string, cell: string): string {
  return `'${sheet.replaceAll("'", "''")}'!${cell}`;
}

const addressPattern = /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Za-z]{1,3})\$?(\d{1,7})$/;

/** Parses the address of one cell with its sheet. Returns null for anything else. */
export function parseCellAddress(address: string): CellRef | null {
  const [, quoted, bare, letters, digits] = addressPattern.exec(address) ?? [];
  const sheet = quoted?.replaceAll("''", "'") ?? bare;
  if (sheet === undefined || letters === undefined) return null;
  const row = Number(digits) - 1;
  return row < 0 ? null : { sheet: sheet.replace(/^\[[^\]]*\]/, ""), row, col: columnIndex(letters) };
}

/** Returns a unique key of the cell, for maps and sets. */
export function cellKey(ref: CellRef): string {
  return `${ref.row},${ref.col},${ref.sheet}`;
}

export function contains(area: Area, ref: CellRef): boolean {
  return (
    area.sheet === ref.sheet &&
    ref.row >= area.row &&
    ref.row < area.row + area.rows &&
    ref.col >= area.col &&
    ref.col < area.col + area.cols
  );
}

export function cellsOf({ sheet, row, col, rows, cols }: Area): CellRef[] {
  return Array.from({ length: rows * cols }, (_, index) => ({
    sheet,
    row: row + Math.floor(index / cols),
    col: col + (index % cols),
  }));
}
