/**
 * Reads what INV cells show: the cell of each formula and the cells that it fills, in few areas. Above a limit it reads nothing,
 * because the comparison would cost more than it is worth.
 */
import { functionFacts } from "../../domain/functions";
import type { Clock } from "../../engine/clock";
import { callsIn, invFunctionNamed, invFunctionsIn } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";
import { cellKey, cellsOf } from "../addresses";
import { areasAround } from "../cell-areas";
import { inTimeSlices } from "../in-time-slices";
import type { Area, CellContent, Workbook } from "../port";
import type { RefreshCell } from "../refresh/scopes";
import { mostValues } from "./report";

export interface ShownCell {
  readonly cell: RefreshCell;
  /** The cells that the formula fills. */
  readonly area: Area;
  /** Row by row. */
  readonly values: readonly CellContent[];
}

interface Host {
  readonly workbook: Pick<Workbook, "extents" | "contentsOf">;
  readonly clock: Clock;
}

/** Reads cells that haven't moved once more. */
export function readAgain(host: Host, before: readonly ShownCell[]): Promise<readonly ShownCell[] | null> {
  return readShownCells(
    host,
    before.map(({ cell, area }) => (mayResize(cell.ref.formula, area) ? { cell } : { cell, area })),
  );
}

/** Returns whether the formula may fill other cells than before although it asks for the same. */
function mayResize(formula: string, { rows, cols }: Area): boolean {
  const isTable = invFunctionsIn(formula).some((name) => functionFacts[name]?.rows !== undefined);
  return isTable || (rows * cols > 1 && !isPlainGrid(formula));
}

/** Returns whether each place of the result shows the answer to its own query: nothing sorts, filters or sums it. */
export function isPlainGrid(formula: string): boolean {
  return (
    !invFunctionsIn(formula).some((name) => functionFacts[name]?.rows === "other") &&
    callsIn(tokensOf(formula)).every(({ name }) => invFunctionNamed(name) !== null || name === "IFNA")
  );
}

/** Reads all cells that a formula fills, or only this area. Returns null if there are too many values. */
export async function readShownCells(
  { workbook, clock }: Host,
  given: readonly { readonly cell: RefreshCell; readonly area?: Area }[],
): Promise<readonly ShownCell[] | null> {
  if (given.length > mostValues) return null;
  const unknown = given.filter(({ area }) => area === undefined).map(({ cell }) => cell.ref);
  const found = unknown.length === 0 ? [] : await workbook.extents(unknown);
  let next = 0;
  const extents = given.map(({ cell, area }) => {
    return area ?? found[next++] ?? { ...cell.ref, rows: 1, cols: 1 };
  });
  if (extents.reduce((sum, { rows, cols }) => sum + rows * cols, 0) > mostValues) return null;
  const singles = extents.filter(isSingle);
  const spilled = extents.filter((extent) => !isSingle(extent));
  const areas: readonly Area[] = [...areasAround(singles), ...spilled];
  const contents = areas.length === 0 ? [] : await workbook.contentsOf(areas);

  const byCell = new Map<string, CellContent>();
  const rows = areas.flatMap(({ sheet, row, col }, index) =>
    (contents[index] ?? []).map((line, r) => ({ sheet, row: row + r, col, line })),
  );
  await inTimeSlices(clock, rows, ({ sheet, row, col, line }) => {
    for (const [c, content] of line.entries()) byCell.set(cellKey({ sheet, row, col: col + c }), content);
  });
  const shown: ShownCell[] = [];
  await inTimeSlices(clock, [...extents.entries()], ([index, { sheet, row, col, rows: height, cols }]) => {
    const { cell } = given[index] as { readonly cell: RefreshCell };
    const area = { sheet, row, col, rows: height, cols };
    shown.push({ cell, area, values: cellsOf(area).map((ref) => byCell.get(cellKey(ref)) ?? null) });
  });
  return shown;
}

function isSingle({ rows, cols }: { readonly rows: number; readonly cols: number }): boolean {
  return rows * cols === 1;
}
