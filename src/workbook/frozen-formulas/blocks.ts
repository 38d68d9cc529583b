/**
 * Reading and writing many areas in few verbs: single cells are merged into blocks, areas that a formula
 * spilled over stand alone. Whoever asks gets an area's cells back by its first cell.
 */
import { cellKey } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import type { Area, CellContent, CellRef, Workbook } from "../port";

export type CellRows = readonly (readonly CellContent[])[];

/** Cells per write, so that a person who cancels or an Excel that refuses loses little. */
const rowsAtOnce = 5_000;

/** The cells of every area, by the key of its first cell. */
export async function readAreas(
  workbook: Workbook,
  areas: readonly Area[],
  what: "contents" | "formulas" | "numberFormats",
): Promise<ReadonlyMap<string, CellRows>> {
  const found = new Map<string, CellRows>();
  const read = (area: Area): Promise<CellRows> =>
    what === "formulas" ? workbook.read(area, what) : workbook[what](area);
  for (const { block, sheet } of singleBlocks(areas)) {
    const cells = await read({ sheet, ...block });
    for (const [r, row] of cells.entries()) {
      for (const [c, value] of row.entries()) {
        found.set(cellKey({ sheet, row: block.row + r, col: block.col + c }), [[value]]);
      }
    }
  }
  for (const area of areas.filter(isLarge)) found.set(cellKey(area), await read(area));
  return found;
}

export interface AreaWrite<Content extends CellContent = CellContent> {
  readonly area: Area;
  readonly cells: readonly (readonly Content[])[];
}

/** Writes each area's own cells; one after the other, so that what fails is known. */
export async function writeAreas<Content extends CellContent>(
  changes: readonly AreaWrite<Content>[],
  write: (area: Area, cells: readonly (readonly (Content | null)[])[]) => Promise<void>,
): Promise<void> {
  const cells = new Map(changes.map((change) => [cellKey(change.area), change.cells]));
  for (const { block, sheet } of singleBlocks(changes.map(({ area }) => area))) {
    const valueAt = (ref: CellRef): Content | null => cells.get(cellKey(ref))?.[0]?.[0] ?? null;
    const matrix = Array.from({ length: block.rows }, (_, r) =>
      Array.from({ length: block.cols }, (_unused, c) =>
        valueAt({ sheet, row: block.row + r, col: block.col + c }),
      ),
    );
    for (let from = 0; from < matrix.length; from += rowsAtOnce) {
      const part = matrix.slice(from, from + rowsAtOnce);
      await write({ sheet, ...block, row: block.row + from, rows: part.length }, part);
    }
  }
  for (const change of changes.filter(({ area }) => isLarge(area))) await write(change.area, change.cells);
}

function isLarge({ rows, cols }: Area): boolean {
  return rows > 1 || cols > 1;
}

function singleBlocks(areas: readonly Area[]) {
  const singles = areas.filter((area) => !isLarge(area));
  return [...bySheet(singles)].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, block })),
  );
}
