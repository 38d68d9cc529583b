/**
 * The references in a formula: where they stand, which cells they name, and the same formula in R1C1,
 * where filled-down formulas read alike. Text in quotes holds none; names, functions and references of
 * another workbook are left as they are. Touches no workbook.
 */
import { columnIndex, columnName, sheetCols, sheetRows } from "../formula/columns";
import type { CellRef } from "./port";

export interface Reference {
  /** As the formula spells it, its sheet included. */
  readonly text: string;
  /** Null: the formula's own sheet. */
  readonly sheet: string | null;
  /** Whole rows and columns reach to the last one. */
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** `[@GTIN]` or `Items[@[Item no.]]`: this row's cell in a column of a table. */
export interface RowReference {
  readonly text: string;
  /** Null: the table that the formula stands in. */
  readonly table: string | null;
  readonly column: string;
}

const text = /"(?:[^"]|"")*"/.source;
const rowReference =
  /(?<table>[\p{L}_][\p{L}\p{N}_.]*)?\[@(?:\[(?<quoted>(?:[^\][']|'.)+)\]|(?<column>[^\][]+))\]/u.source;
const bracketed = /\[(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*\](?:[\p{L}\p{N}_.]*'?!\$?[A-Z]{1,3}\$?\d+)?/u
  .source;
const sheet = /(?:'(?<quotedSheet>(?:[^']|'')+)'|(?<bareSheet>[\p{L}_][\p{L}\p{N}_.]*))!/u.source;
const cell = (name: string) => `(?<${name}C>\\$?[A-Za-z]{1,3})(?<${name}R>\\$?\\d{1,7})`;
const area = `${cell("from")}(?::${cell("to")})?`;
const columns = String.raw`(?<leftC>\$?[A-Za-z]{1,3}):(?<rightC>\$?[A-Za-z]{1,3})`;
const rows = String.raw`(?<topR>\$?\d{1,7}):(?<bottomR>\$?\d{1,7})`;
const notAfter = String.raw`(?<![\p{L}\p{N}_.$\\])`;
const notBefore = String.raw`(?![\p{L}\p{N}_.(!\\])`;
const token = new RegExp(
  `${text}|${notAfter}${rowReference}|${bracketed}|${notAfter}(?:${sheet})?(?:${area}|${columns}|${rows})${notBefore}`,
  "gu",
);

type Groups = Readonly<Record<string, string | undefined>>;

/** In the order they stand in the formula. */
export function references(formula: string): {
  cells: readonly Reference[];
  thisRow: readonly RowReference[];
} {
  const cells: Reference[] = [];
  const thisRow: RowReference[] = [];
  for (const match of formula.matchAll(token)) {
    const groups: Groups = match.groups ?? {};
    const column = groups["quoted"] ?? groups["column"];
    if (column !== undefined) {
      const name = column.trim().replaceAll(/'(.)/g, "$1");
      thisRow.push({ text: match[0], table: groups["table"] ?? null, column: name });
      continue;
    }
    const corners = cornersOf(groups);
    if (corners !== null) cells.push({ text: match[0], sheet: sheetOf(groups), ...corners });
  }
  return { cells, thisRow };
}

/** The formula of this cell in R1C1: relative references by their distance, absolute ones by their number. */
export function toR1C1(formula: string, at: Pick<CellRef, "row" | "col">): string {
  return formula.replaceAll(token, (match: string, ...rest: unknown[]) => {
    const groups = (rest.at(-1) ?? {}) as Groups;
    if (cornersOf(groups) === null) return match;
    const prefix = sheetPrefix(match);
    const r = (part: string | undefined) => (part === undefined ? "" : rowPart(part, at.row));
    const c = (part: string | undefined) => (part === undefined ? "" : colPart(part, at.col));
    const { fromR, fromC, toR, toC, leftC, rightC, topR, bottomR } = groups;
    if (leftC !== undefined) return `${prefix}${c(leftC)}:${c(rightC)}`;
    if (topR !== undefined) return `${prefix}${r(topR)}:${r(bottomR)}`;
    const first = `${prefix}${r(fromR)}${c(fromC)}`;
    return toR === undefined ? first : `${first}:${r(toR)}${c(toC)}`;
  });
}

/** The formula as it reads so many rows further down: relative references move along, absolute ones stay. */
export function movedDown(formula: string, rows: number): string {
  return formula.replaceAll(token, (match: string, ...rest: unknown[]) => {
    const groups = (rest.at(-1) ?? {}) as Groups;
    if (cornersOf(groups) === null) return match;
    const prefix = sheetPrefix(match);
    const cells = match.slice(prefix.length);
    return prefix + cells.replaceAll(/(?<![$\d])\d+/g, (digits) => String(Number(digits) + rows));
  });
}

/** The formula with each reference to cells replaced by what this gives for it, its sheet included. */
export function replaceReferences(formula: string, replace: (reference: string) => string): string {
  return formula.replaceAll(token, (match: string, ...rest: unknown[]) => {
    return cornersOf((rest.at(-1) ?? {}) as Groups) === null ? match : replace(match);
  });
}

/** The reference to a cell that stays the same wherever the formula stands, seen from a sheet. */
export function absoluteAddress({ sheet: name, row, col }: CellRef, from: string): string {
  const cell = `$${columnName(col)}$${row + 1}`;
  return name === from ? cell : `'${name.replaceAll("'", "''")}'!${cell}`;
}

function sheetPrefix(reference: string): string {
  return /^(?:'(?:[^']|'')+'|[^!':]+)!/u.exec(reference)?.[0] ?? "";
}

function rowPart(part: string, from: number): string {
  const row = Number(part.replace("$", "")) - 1;
  if (part.startsWith("$")) return `R${row + 1}`;
  return row === from ? "R" : `R[${row - from}]`;
}

function colPart(part: string, from: number): string {
  const col = columnIndex(part.replace("$", ""));
  if (part.startsWith("$")) return `C${col + 1}`;
  return col === from ? "C" : `C[${col - from}]`;
}

function sheetOf({ quotedSheet, bareSheet }: Groups): string | null {
  return quotedSheet?.replaceAll("''", "'") ?? bareSheet ?? null;
}

function cornersOf(groups: Groups): Omit<Reference, "text" | "sheet"> | null {
  const { fromC, fromR, toC = fromC, toR = fromR, leftC, rightC, topR, bottomR } = groups;
  if (leftC !== undefined && rightC !== undefined) return block(span(colOf(leftC), colOf(rightC)), null);
  if (topR !== undefined && bottomR !== undefined) return block(null, span(rowOf(topR), rowOf(bottomR)));
  if (fromC === undefined || fromR === undefined || toC === undefined || toR === undefined) return null;
  return block(span(colOf(fromC), colOf(toC)), span(rowOf(fromR), rowOf(toR)));
}

type Span = readonly [first: number, count: number];

/** Null where a column or row is beyond the sheet's last: then it is a name. */
function block(cols: Span | null, rows: Span | null): Omit<Reference, "text" | "sheet"> | null {
  const [col, width] = cols ?? [0, sheetCols];
  const [row, height] = rows ?? [0, sheetRows];
  if (col + width > sheetCols || row + height > sheetRows || row < 0) return null;
  return { row, col, rows: height, cols: width };
}

function span(a: number, b: number): Span {
  return [Math.min(a, b), Math.abs(a - b) + 1];
}

function colOf(part: string): number {
  return columnIndex(part.replace("$", ""));
}

function rowOf(part: string): number {
  return Number(part.replace("$", "")) - 1;
}
