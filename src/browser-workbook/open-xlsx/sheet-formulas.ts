/**
 * Decides what the grid gets of a sheet's formulas: each cell's own formula, and no values in the cells of its spill. A
 * formula that is left out gives its value. An INV formula whose value only says that INV was missing is calculated.
 */
import { isInvFormula } from "../../formula/calls";
import { readFileSpelling } from "../../formula/file-spelling";
import { tokensOf } from "../../formula/tokens";
import { sheetCols } from "../../formula/columns";
import { findOutsideAccess, type Surroundings } from "../../formula/outside-access";
import { movedFormula } from "../../formula/references";
import type { Rectangle } from "../univer/cell-reader";
import type { ReadLimits } from "./read-limits";
import type { FileCell } from "./file-book";
import type { RawCell, RawFormula } from "./sheet-part";

export interface SheetFormulas {
  readonly limits: ReadLimits;
  readonly surroundings: Surroundings;
  leaveOut(why: LeftOutReason | "whatIf"): void;
}

export function fileCells(
  cells: readonly RawCell[],
  { limits, surroundings, leaveOut }: SheetFormulas,
): FileCell[] {
  const origins = new Map<string, RawCell & { formula: RawFormula }>();
  for (const cell of cells) {
    const { formula } = cell;
    if (formula === null) continue;
    if (formula.kind === "shared" && formula.text !== "") origins.set(formula.shared, { ...cell, formula });
  }

  function formulaOf(cell: RawCell, formula: RawFormula): string | null {
    const text = formula.kind === "shared" && formula.text === "" ? sharedText(cell, formula) : formula.text;
    if (formula.kind === "table") leaveOut("whatIf");
    if (formula.kind === "table" || text === "") return null;
    const converted = gridFormula(text, surroundings);
    if ("formula" in converted) {
      limits.add("characters", converted.formula.length);
      return converted.formula;
    }
    leaveOut(converted.leftOut);
    return null;
  }

  function sharedText({ row, col }: RawCell, { shared }: RawFormula): string {
    const origin = origins.get(shared);
    return origin === undefined
      ? ""
      : movedFormula(origin.formula.text, { rows: row - origin.row, cols: col - origin.col });
  }

  /** Cells of spills. The grid fills them itself; if an array formula is left out, they keep their values. */
  const emptied = new Set<number>();
  const results: FileCell[] = [];
  for (const cell of cells) {
    const { row, col, value, style, formula } = cell;
    const text = formula === null ? null : formulaOf(cell, formula);
    if (formula === null || text === null) {
      results.push({ row, col, value, style });
      continue;
    }
    const area = formula.kind === "array" ? formula.area : null;
    const isLarger = area !== null && area.rows * area.cols > 1;
    if (isLarger) {
      limits.add("spilled cells", area.rows * area.cols);
      for (const key of keysOf(area)) if (key !== keyOf(row, col)) emptied.add(key);
    }
    const isMissing = value === "#NAME?" && isInvFormula(text);
    results.push({
      ...{ row, col, style, formula: text, value: isMissing ? null : value },
      ...(isLarger ? { spill: { rows: area.rows, cols: area.cols } } : {}),
    });
  }
  return emptied.size === 0
    ? results
    : results.map((cell) =>
        emptied.has(keyOf(cell.row, cell.col)) && cell.formula === undefined
          ? { ...cell, value: null }
          : cell,
      );
}

function* keysOf({ row, col, rows, cols }: Rectangle): Iterable<number> {
  for (let r = row; r < row + rows; r += 1) for (let c = col; c < col + cols; c += 1) yield keyOf(r, c);
}

function keyOf(row: number, col: number): number {
  return row * sheetCols + col;
}

/**
 * Why a formula is left out: it reaches outside the workbook, or refers to columns of a table, which the grid doesn't
 * have.
 */
export type LeftOutReason = "outside" | "table";

/**
 * Returns the formula with its `=`, or the reason for leaving it out.
 * @param formula as the file has it, without `=`
 */
export function gridFormula(
  formula: string,
  surroundings: Surroundings,
): { readonly formula: string } | { readonly leftOut: LeftOutReason } {
  const spelled = `=${readFileSpelling(formula)}`;
  if (findOutsideAccess(spelled, surroundings) !== null) return { leftOut: "outside" };
  const tokens = tokensOf(spelled);
  const hasTable = tokens.some(
    ({ kind }, index) => kind === "brackets" && tokens[index - 1]?.kind === "name",
  );
  return hasTable ? { leftOut: "table" } : { formula: spelled };
}
