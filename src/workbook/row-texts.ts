/**
 * The text in the same row of the sheet beside a cell, by which a person recognizes the line: the nearest one on the
 * left, otherwise on the right before the first blank cell: a block beside the table has labels. A text has a letter, so numbers of
 * stores and items don't count. Neither do INV's cells.
 */
import type { CellRegister } from "../cells/cell-register";
import { cellKey } from "./addresses";
import { bySheet, visitCells } from "./cell-areas";
import { isBlank } from "./cell-content";
import type { Area, CellRef, Workbook } from "./port";
import { invCellAt } from "./register-cells";

/** How far from the cells the text may be. */
const mostLeft = 40;
const mostRight = 10;
/** Rows with at most this many rows between them are read together. */
const mostGap = 20;
/** Reading more would delay the pane. Further cells have no text. */
const mostRead = 200_000;

/** Returns the text of each cell, in the same order; "" if there is none, or if the sheet can't be read. */
export async function rowTexts(
  { workbook, cells }: { readonly workbook: Pick<Workbook, "contentsOf">; readonly cells: CellRegister },
  refs: readonly CellRef[],
): Promise<readonly string[]> {
  const areas = withinLimit([...bySheet(refs)].flatMap(([sheet, sheetRefs]) => rowAreas(sheet, sheetRefs)));
  const contents = await workbook.contentsOf(areas).catch(() => []);
  const rows = new Map<string, FilledCell[]>();
  for (const [index, area] of areas.entries()) {
    visitCells(area, contents[index] ?? [], (content, ref) => {
      if (isBlank(content)) return;
      const isText = typeof content === "string" && /\p{L}/u.test(content) && !invCellAt(cells, ref);
      const row = rows.get(rowKey(ref)) ?? [];
      row.push({ col: ref.col, text: isText ? content.trim() : "" });
      rows.set(rowKey(ref), row);
    });
  }
  return refs.map((ref) => {
    const row = rows.get(rowKey(ref)) ?? [];
    const nearestLeft = row.findLast(({ col, text }) => col < ref.col && text !== "");
    return nearestLeft?.text ?? textOnRight(row, ref.col);
  });
}

interface FilledCell {
  readonly col: number;
  /** "" for numbers, items, and INV's cells. */
  readonly text: string;
}

function textOnRight(row: readonly FilledCell[], from: number): string {
  let last = from;
  for (const { col, text } of row) {
    if (col <= from) continue;
    if (col > last + 1) return "";
    if (text !== "") return text;
    last = col;
  }
  return "";
}

function rowAreas(sheet: string, refs: readonly CellRef[]): Area[] {
  const cols = refs.map(({ col }) => col);
  const col = Math.max(0, least(cols) - mostLeft);
  const width = -least(cols.map((each) => -each)) + mostRight + 1 - col;
  const rows = [...new Set(refs.map(({ row }) => row))].sort((a, b) => a - b);
  const areas: Area[] = [];
  for (const row of rows) {
    const last = areas.at(-1);
    if (last !== undefined && row <= last.row + last.rows + mostGap) {
      areas[areas.length - 1] = { ...last, rows: row + 1 - last.row };
    } else areas.push({ sheet, row, col, rows: 1, cols: width });
  }
  return areas;
}

function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

function withinLimit(areas: readonly Area[]): Area[] {
  let read = 0;
  return areas.filter(({ rows, cols }) => {
    const fits = read + rows * cols <= mostRead;
    if (fits) read += rows * cols;
    return fits;
  });
}

function rowKey({ sheet, row }: CellRef): string {
  return cellKey({ sheet, row, col: 0 });
}
