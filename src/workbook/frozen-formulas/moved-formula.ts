/**
 * Moves a frozen formula as Excel would have moved it with its cell. INV doesn't know which references moved too, so it tries
 * the few possibilities; the cells that the formula refers to show the right one.
 */
import { isFixed } from "../../formula/cells";
import { movedCells, respellReferences } from "../../formula/references";
import { tokensOf } from "../../formula/tokens";
import type { CellRef } from "../port";

/** Returns the formula unchanged, with relative references moved, and with all references moved. */
export function movedFormulas(formula: string, from: CellRef, to: CellRef): readonly string[] {
  const move = { rows: to.row - from.row, cols: to.col - from.col };
  if (move.rows === 0 && move.cols === 0) return [formula];
  const moved = (stays: (part: string) => boolean): string =>
    respellReferences(formula, (cells, sheet) => (sheet === null ? movedCells(cells, move, stays) : null));
  return [...new Set([formula, moved(isFixed), moved(() => false)])];
}

/** Returns a spelling for comparing formulas: hosts change letter case, and spaces outside of text have no meaning. */
export function spelling(formula: string): string {
  return tokensOf(formula)
    .map(({ kind, text }) => (kind === "text" ? text : kind === "space" ? "" : text.toUpperCase()))
    .join("");
}
