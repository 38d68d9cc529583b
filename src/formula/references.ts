/**
 * The references of a formula: which cells they name, the formula in R1C1, where filled-down formulas are equal, and the
 * formula as it reads in another cell. References to other workbooks stay as they are.
 */
import { areaOfCells, type CellArea, colOf, isFixed, respellCorners, rowOf } from "./cells";
import { columnName, sheetCols, sheetRows } from "./columns";
import { isSymbol, respelled, type Token, tokensOf } from "./tokens";

export interface Reference extends CellArea {
  /** As the formula spells it, with its sheet. */
  readonly text: string;
  /** Null for the formula's own sheet. */
  readonly sheet: string | null;
  /** `A1#`: all cells that the formula in A1 fills. */
  readonly isSpilled: boolean;
}

/** `[@GTIN]`, `Items[@[Item no.]]` or, as files have it, `Items[[#This Row],[Item no.]]`. */
export interface RowReference {
  readonly text: string;
  /** Null for the table that contains the formula. */
  readonly table: string | null;
  readonly column: string;
}

interface Position {
  readonly row: number;
  readonly col: number;
}

/** Returns the references of a formula in their order. */
export function references(formula: string): {
  cells: readonly Reference[];
  thisRow: readonly RowReference[];
} {
  const tokens = tokensOf(formula);
  const cells: Reference[] = [];
  const thisRow: RowReference[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const column = token.kind === "brackets" ? rowColumn(token.text) : null;
    if (column !== null) {
      const table = before?.kind === "name" ? before.text : null;
      thisRow.push({ text: (table ?? "") + token.text, table, column });
    }
    if (!isOwnCells(tokens, index)) continue;
    const area = areaOfCells(token.text);
    if (area === null) continue;
    const isSpilled = isSymbol(tokens[index + 1], "#");
    const prefix = before?.kind === "sheet" ? before.text : "";
    const text = `${prefix}${token.text}${isSpilled ? "#" : ""}`;
    cells.push({ ...area, text, sheet: prefix === "" ? null : sheetNamed(prefix), isSpilled });
  }
  return { cells, thisRow };
}

/** Returns the reference that is the whole text; null for any other text. */
export function referenceIn(text: string): Reference | null {
  const [only] = references(text).cells;
  return only?.text === text ? only : null;
}

/** Spells the cells of the formula's own workbook with `spell`; null leaves them as they are. */
export function respellReferences(
  formula: string,
  spell: (cells: string, sheet: string | null) => string | null,
): string {
  const tokens = tokensOf(formula);
  return respelled(tokens, ({ text }, index) => {
    if (!isOwnCells(tokens, index)) return undefined;
    const before = tokens[index - 1];
    return spell(text, before?.kind === "sheet" ? sheetNamed(before.text) : null) ?? undefined;
  });
}

/** Returns the formula in R1C1: distances for relative references, numbers for absolute ones. */
export function toR1C1(formula: string, at: Position): string {
  const spell =
    (name: string, origin: number, indexOf: (part: string) => number) => (part: string | undefined) => {
      if (part === undefined) return "";
      if (isFixed(part)) return `${name}${indexOf(part) + 1}`;
      return indexOf(part) === origin ? name : `${name}[${indexOf(part) - origin}]`;
    };
  const [row, col] = [spell("R", at.row, rowOf), spell("C", at.col, colOf)];
  return respellReferences(formula, (cells) =>
    respellCorners(cells, (each) => row(each.row) + col(each.col)),
  );
}

interface Move {
  readonly rows: number;
  readonly cols: number;
}

/**
 * Returns the formula as it reads when copied: relative references move, absolute ones stay, and a reference beyond the
 * sheet's edge becomes #REF!.
 */
export function movedFormula(formula: string, move: Move): string {
  return respellReferences(formula, (cells) => movedCells(cells, move, isFixed) ?? "#REF!");
}

/** Moves all parts of a reference except those for which `stays` is true; returns null beyond the sheet's edge. */
export function movedCells(
  cells: string,
  { rows, cols }: Move,
  stays: (part: string) => boolean,
): string | null {
  const spell =
    (by: number, size: number, name: (index: number) => string) => (part: string, index: number) => {
      if (stays(part)) return part;
      const to = index + by;
      return to >= 0 && to < size ? (isFixed(part) ? "$" : "") + name(to) : null;
    };
  const [toRow, toCol] = [spell(rows, sheetRows, rowName), spell(cols, sheetCols, columnName)];
  return respellCorners(cells, ({ row, col }) => {
    const parts = [col && toCol(col, colOf(col)), row && toRow(row, rowOf(row))];
    return parts.includes(null) ? null : parts.join("");
  });
}

function rowName(index: number): string {
  return String(index + 1);
}

/** Returns the sheet's name in a prefix such as `'It''s'!`. */
export function sheetNamed(prefix: string): string {
  return prefix
    .slice(0, -1)
    .replace(/^'(.*)'$/s, "$1")
    .replaceAll("''", "'");
}

/** Whether a prefix names another workbook or a path. No sheet's name contains these characters. */
export function isOfAnotherBook(prefix: string): boolean {
  return /[[\]/\\*?]/.test(sheetNamed(prefix));
}

function isOwnCells(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return tokens[index]?.kind === "cells" && !(before?.kind === "sheet" && isOfAnotherBook(before.text));
}

const thisRow = /^\[(?:@(?:\[((?:[^\][']|'.)+)\]|([^\][]+))|\[#This Row\],\[((?:[^\][']|'.)+)\])\]$/is;

/** Returns the column of a reference to this row of a table; null for other brackets. */
function rowColumn(brackets: string): string | null {
  const [, ...groups]: readonly (string | undefined)[] = thisRow.exec(brackets) ?? [];
  const column = groups.find((each) => each !== undefined);
  return column?.trim().replaceAll(/'(.)/gs, "$1") ?? null;
}
