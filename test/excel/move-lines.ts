/**
 * Inserts and deletes rows and columns of the host's sheet as Excel does. Cells, formats, and what formulas show and have
 * spilled move. Names and references in formulas follow their cells and grow if a line is inserted inside them. They
 * become #REF! if all their cells are gone.
 */
import { columnName } from "../../src/formula/columns";
import type { Block } from "./block";
import { respellReferences } from "../../src/formula/references";
import type { ExcelHost } from "./host";
import type { HostObject } from "./rich-api";
import { type Cell, type HostSheet, parseBlock } from "./sheet";

export interface Move {
  readonly what: "row" | "col";
  readonly at: number;
  /** -1 deletes the line at `at`. */
  readonly by: 1 | -1;
}

type Host = Pick<ExcelHost, "names" | "sheets">;

/** `getEntireRow` and `getEntireColumn` of a range, for inserting and deleting lines. */
export function entireLines(host: Host, sheet: HostSheet, { row, col, rows }: Block): HostObject {
  return {
    getEntireRow: () => ({
      insert() {
        for (let count = 0; count < rows; count += 1) moveLines(host, sheet, { what: "row", at: row, by: 1 });
      },
    }),
    getEntireColumn: () => ({
      insert: () => moveLines(host, sheet, { what: "col", at: col, by: 1 }),
      delete: () => moveLines(host, sheet, { what: "col", at: col, by: -1 }),
    }),
  };
}

export function moveLines({ names, sheets }: Host, sheet: HostSheet, move: Move): void {
  const cells = [...sheet.cells].flatMap(([row, line]) =>
    [...line].flatMap(([col, cell]): [Block, Cell][] => {
      const block = moved(move, { row, col, rows: 1, cols: 1 });
      return block === null ? [] : [[block, cell]];
    }),
  );
  sheet.cells.clear();
  for (const [{ row, col }, cell] of cells) {
    const line = sheet.cells.get(row) ?? new Map<number, Cell>();
    sheet.cells.set(row, line.set(col, cell));
  }
  moveKeys(sheet.shown, move);
  moveKeys(sheet.spills, move);
  sheet.formats.splice(
    0,
    Infinity,
    ...sheet.formats.flatMap(({ block, ...format }) => {
      const next = moved(move, block);
      return next === null ? [] : [{ ...format, block: next }];
    }),
  );
  for (const { rule } of sheet.formatting as { rule?: { block: Block | null; formula?: string } }[]) {
    if (!rule?.block) continue;
    rule.block = moved(move, rule.block);
    const own = { from: sheet.name, of: sheet.name };
    if (rule.formula !== undefined) rule.formula = following(rule.formula, move, own);
  }
  for (const each of sheets) {
    for (const line of each.cells.values()) {
      for (const [col, cell] of line) {
        if (typeof cell !== "string" || !cell.startsWith("=")) continue;
        line.set(col, following(cell, move, { from: each.name, of: sheet.name }));
      }
    }
  }
  for (const name of names) name.formula = following(name.formula, move, { from: "", of: sheet.name });
}

function moveKeys<T>(map: Map<string, T>, move: Move): void {
  const all = [...map];
  map.clear();
  for (const [address, value] of all) {
    const block = moved(move, parseBlock(address));
    if (block !== null) map.set(`${columnName(block.col)}${block.row + 1}`, value);
  }
}

/** The block after the move, or null if nothing of it is left. */
function moved({ what, at, by }: Move, block: Block): Block | null {
  const [first, count] = what === "row" ? [block.row, block.rows] : [block.col, block.cols];
  const isBefore = by === 1 ? at <= first : at < first;
  const isInside = by === 1 ? at > first && at < first + count : at >= first && at < first + count;
  const from = isBefore ? first + by : first;
  const size = isInside ? count + by : count;
  if (size === 0) return null;
  return what === "row" ? { ...block, row: from, rows: size } : { ...block, col: from, cols: size };
}

/** The formula with its references to the sheet as they are after the move. */
function following(
  formula: string,
  move: Move,
  sheets: { readonly from: string; readonly of: string },
): string {
  return respellReferences(formula, (area, named) => {
    const corners = [...area.matchAll(/(\$?)([A-Z]+)(\$?)(\d+)/g)];
    if ((named ?? sheets.from) !== sheets.of || corners.length === 0) return null;
    const block = moved(move, parseBlock(area.replaceAll("$", "")));
    if (block === null) return "#REF!";
    const ends = [
      { row: block.row, col: block.col },
      { row: block.row + block.rows - 1, col: block.col + block.cols - 1 },
    ];
    const spelt = corners.map(([, c = "", , r = ""], index) => {
      const { row = 0, col = 0 } = ends[index] ?? {};
      return `${c}${columnName(col)}${r}${row + 1}`;
    });
    return spelt.join(":");
  });
}
