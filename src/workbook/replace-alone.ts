/**
 * Implements `replace` with the other methods of the port. Use it only for a host in which nobody else changes anything between
 * a read and the next write: the browser workbook.
 */
import { cellKey } from "./addresses";
import { mergeCells, rowsOf } from "./cell-areas";
import {
  cannotReplace,
  isDifferent,
  needsGeneral,
  type Obstacle,
  type PlannedCell,
  plannedCells,
} from "./cell-changes";
import type { Area, CellValue, FoundContent, Workbook } from "./port";

export interface AloneHost extends Pick<Workbook, "read" | "write" | "format" | "formatsOf" | "step"> {
  /** Why the area can't be written; null if it can. */
  obstacleIn(area: Area): Obstacle | null;
}

export function replaceAlone(host: () => AloneHost): Workbook["replace"] {
  return async (area, changes, { allOrNothing = false } = {}) => {
    const { read, format, formatsOf, step, obstacleIn } = host();
    const obstacle = obstacleIn(area);
    if (obstacle !== null) throw cannotReplace(area, obstacle);
    const formats = await formatsOf(area);
    const before = await read(area, "formulas");
    const contentOf = ({ ref }: PlannedCell): CellValue =>
      before[ref.row - area.row]?.[ref.col - area.col] ?? null;
    const planned = plannedCells(area, changes);
    const differing = planned
      .filter((cell) => isDifferent(cell, contentOf(cell)))
      .map((cell): FoundContent => ({ cell: cell.ref, content: contentOf(cell) }));
    const rows = new Set(differing.map(({ cell }) => cell.row));
    const written = planned.filter(({ ref, to }) => to !== undefined && !rows.has(ref.row));
    if (written.length === 0 || (allOrNothing && differing.length > 0)) {
      return { cells: 0, differing, overwritten: [] };
    }
    const isText = ({ ref }: PlannedCell): boolean =>
      formats[ref.row - area.row]?.[ref.col - area.col]?.numberFormat === "@";
    await step(async () => {
      const asText = written.filter((cell) => needsGeneral(cell.to) && isText(cell));
      for (const part of areasOf(asText)) await format(part, { numberFormat: "General" });
      try {
        await writeEach(host(), written, ({ to }) => to ?? null);
      } catch (error) {
        // Report the original error; a failed rollback must not replace it.
        await writeEach(host(), written, contentOf).catch(() => undefined);
        throw error;
      }
    });
    return { cells: written.length, differing, overwritten: [] };
  };
}

async function writeEach(
  { write }: AloneHost,
  cells: readonly PlannedCell[],
  contentOf: (cell: PlannedCell) => CellValue,
): Promise<void> {
  const contents = new Map(cells.map((cell) => [cellKey(cell.ref), contentOf(cell)]));
  for (const area of areasOf(cells)) await write(area, rowsOf(area, contents));
}

function areasOf(cells: readonly PlannedCell[]): readonly Area[] {
  return mergeCells(cells.map(({ ref }) => ref));
}
