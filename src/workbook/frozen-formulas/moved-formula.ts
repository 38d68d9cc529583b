/**
 * A formula as it would read had it stood in its cell while rows or columns were inserted: the frozen text
 * cannot follow them. Which of its references moved along is not known, so the few ways it may have gone are
 * given, and what the formula referred to tells which one is right.
 */
import { isFixed } from "../../formula/cells";
import { movedCells, respellReferences } from "../../formula/references";
import { tokensOf } from "../../formula/tokens";
import type { CellRef } from "../port";

/** The formula as it is, with what is relative moved along with its cell, and with everything moved. */
export function movedFormulas(formula: string, from: CellRef, to: CellRef): readonly string[] {
  const move = { rows: to.row - from.row, cols: to.col - from.col };
  if (move.rows === 0 && move.cols === 0) return [formula];
  const moved = (stays: (part: string) => boolean): string =>
    respellReferences(formula, (cells, sheet) => (sheet === null ? movedCells(cells, move, stays) : null));
  return [...new Set([formula, moved(isFixed), moved(() => false)])];
}

/** Hosts may spell a formula in other letter case, and spaces outside of text are nobody's meaning. */
export function spelling(formula: string): string {
  return tokensOf(formula)
    .map(({ kind, text }) => (kind === "text" ? text : kind === "space" ? "" : text.toUpperCase()))
    .join("");
}
