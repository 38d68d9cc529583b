/**
 * A row or column of the host's sheet is inserted or deleted, as far as the tests need it: cells, what they show and
 * the names of cells move. Formulas keep their texts.
 */
import { columnName } from "../../src/formula/columns";
import type { Block } from "../../src/workbook/cell-areas";
import type { ExcelHost } from "./host";
import { placeOf } from "./names";
import type { HostObject } from "./rich-api";
import { type Cell, type HostSheet, parseBlock } from "./sheet";

interface Move {
  readonly what: "row" | "col";
  readonly at: number;
  /** -1 takes the line at `at` out. */
  readonly by: 1 | -1;
}

type Host = Pick<ExcelHost, "names">;

/** `getEntireRow` and `getEntireColumn` of a range, as far as lines are put in or taken out there. */
export function entireLines(host: Host, sheet: HostSheet, { row, col }: Block): HostObject {
  return {
    getEntireRow: () => ({ insert: () => moveLines(host, sheet, { what: "row", at: row, by: 1 }) }),
    getEntireColumn: () => ({
      insert: () => moveLines(host, sheet, { what: "col", at: col, by: 1 }),
      delete: () => moveLines(host, sheet, { what: "col", at: col, by: -1 }),
    }),
  };
}

function moveLines({ names }: Host, sheet: HostSheet, move: Move): void {
  const cells: [row: number, col: number, cell: Cell][] = [];
  for (const [row, line] of sheet.cells) {
    for (const [col, cell] of line) {
      if (!isTaken(move, row, col)) cells.push([...moved(move, row, col), cell]);
    }
  }
  sheet.cells.clear();
  for (const [row, col, cell] of cells) {
    const line = sheet.cells.get(row) ?? new Map<number, Cell>();
    sheet.cells.set(row, line.set(col, cell));
  }
  const shown = [...sheet.shown];
  sheet.shown.clear();
  for (const [address, cell] of shown) {
    const { row, col } = parseBlock(address);
    sheet.shown.set(relative(...moved(move, row, col)), cell);
  }
  for (const name of names) {
    const place = placeOf(name.formula);
    if (place?.sheet !== sheet.name) continue;
    const [row, col] = moved(move, place.block.row, place.block.col);
    name.formula = `='${sheet.name.replaceAll("'", "''")}'!$${columnName(col)}$${row + 1}`;
  }
}

function isTaken({ what, at, by }: Move, row: number, col: number): boolean {
  return by < 0 && (what === "row" ? row : col) === at;
}

function moved({ what, at, by }: Move, row: number, col: number): [row: number, col: number] {
  return what === "row" ? [row >= at ? row + by : row, col] : [row, col >= at ? col + by : col];
}

function relative(row: number, col: number): string {
  return `${columnName(col)}${row + 1}`;
}
