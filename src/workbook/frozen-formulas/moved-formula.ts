/**
 * A formula as it would read had it stood in its cell while rows or columns were inserted: the frozen text
 * cannot follow them. Which of its references moved along is not known, so the few ways it may have gone are
 * given, and what the formula referred to tells which one is right.
 */
import { columnIndex, columnName } from "../../formula/columns";
import type { CellRef } from "../port";
import { replaceReferences } from "../references";

/** The formula as it is, with what is relative moved along with its cell, and with everything moved. */
export function movedFormulas(formula: string, from: CellRef, to: CellRef): readonly string[] {
  const [rows, cols] = [to.row - from.row, to.col - from.col];
  if (rows === 0 && cols === 0) return [formula];
  const moved = (isMoved: (part: string) => boolean): string =>
    replaceReferences(formula, (reference) =>
      reference.includes("!") ? reference : shift(reference, { rows, cols, isMoved }),
    );
  return [...new Set([formula, moved((part) => !part.startsWith("$")), moved(() => true)])];
}

interface Shift {
  readonly rows: number;
  readonly cols: number;
  isMoved(part: string): boolean;
}

function shift(reference: string, { rows, cols, isMoved }: Shift): string {
  return reference.replaceAll(/\$?[A-Za-z]+|\$?\d+/g, (part) => {
    if (!isMoved(part)) return part;
    const [, absolute = "", name = ""] = /^(\$?)(.+)$/.exec(part) ?? [];
    const isRow = /\d/.test(name);
    const next = isRow ? Number(name) + rows : columnIndex(name) + cols;
    if (next < (isRow ? 1 : 0)) return part;
    return absolute + (isRow ? String(next) : columnName(next));
  });
}
