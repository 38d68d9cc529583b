/**
 * Which cells run when the host calculates. Reported for Office.js: `calculate` of a range reaches its cells and those
 * that refer to them directly, but no others. The application's recalculation follows every dirty cell to the end.
 * References are read from the formulas, on the same sheet only.
 */
import { columnName } from "../../src/formula/columns";
import type { HostSheet } from "./sheet";

/** `Range.calculate`. */
export function calculateCells(sheet: HostSheet, cells: readonly string[]): void {
  const dependents = dependentsOf(sheet);
  const reached = new Set([...cells, ...cells.flatMap((cell) => dependents.get(cell) ?? [])]);
  run(sheet, reached);
}

/** `Application.calculate("Recalculate")`. */
export function recalculate(sheet: HostSheet): void {
  const dependents = dependentsOf(sheet);
  const reached = new Set(sheet.waiting);
  for (const cell of reached) for (const next of dependents.get(cell) ?? []) reached.add(next);
  run(sheet, reached);
}

function run(sheet: HostSheet, cells: ReadonlySet<string>): void {
  for (const cell of cells) {
    sheet.waiting.delete(cell);
    sheet.ran.push(cell);
  }
}

/** For each cell, the cells whose formulas refer to it. */
function dependentsOf({ cells }: HostSheet): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const [row, line] of cells) {
    for (const [col, content] of line) {
      if (typeof content !== "string" || !content.startsWith("=")) continue;
      for (const [cell] of content.matchAll(/[A-Z]{1,3}\d+/g)) {
        const known = dependents.get(cell);
        const own = `${columnName(col)}${row + 1}`;
        if (known) known.push(own);
        else dependents.set(cell, [own]);
      }
    }
  }
  return dependents;
}
