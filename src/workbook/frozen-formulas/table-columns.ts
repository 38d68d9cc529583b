/**
 * Cells that a thaw leaves stay as they were: in a Table, Excel fills a column's formula over what stands in its
 * other cells when one of them gets a formula (office-js issues 5909, 6745 and 2093). So all cells of the tables'
 * columns that get formulas are read before and after, and what was filled is written back.
 */
import { cellKey, cellsOf, contains } from "../addresses";
import type { Area, CellContent, CellRef, Workbook } from "../port";
import { type AreaWrite, readAreas, writeAreas } from "./blocks";

/** One cell as it was before. */
interface Before {
  readonly area: Area;
  /** The formula where there was one. */
  readonly content: CellContent;
}

export type TableColumns = readonly Before[];

/** @param targets areas that get formulas */
export async function readTableColumns(workbook: Workbook, targets: readonly Area[]): Promise<TableColumns> {
  const columns = new Map<string, Area>();
  for (const { area } of targets.length === 0 ? [] : await workbook.tables()) {
    for (const { col } of targets.filter((target) => contains(area, target))) {
      columns.set(`${col} ${cellKey(area)}`, { ...area, col, cols: 1 });
    }
  }
  const written = new Set(targets.map(cellKey));
  const others = [...columns.values()]
    .flatMap(cellsOf)
    .filter((ref) => !written.has(cellKey(ref)))
    .map(single);
  const formulas = await readAreas(workbook, others, "formulas");
  const contents = await readAreas(workbook, others, "contents");
  return others.map((area) => {
    const formula = formulas.get(cellKey(area))?.[0]?.[0] ?? null;
    return { area, content: isFormula(formula) ? formula : (contents.get(cellKey(area))?.[0]?.[0] ?? null) };
  });
}

/** Writes back what now holds a formula that it did not hold. */
export async function restoreTableColumns(workbook: Workbook, columns: TableColumns): Promise<void> {
  const now = await readAreas(
    workbook,
    columns.map(({ area }) => area),
    "formulas",
  );
  const filled = columns.filter(({ area, content }) => {
    const held = now.get(cellKey(area))?.[0]?.[0];
    return isFormula(held) && held !== content;
  });
  // Formulas first: in the column of a Table they may be filled once more.
  const formulas = filled.flatMap(({ area, content }): AreaWrite<string>[] =>
    typeof content === "string" && isFormula(content) ? [{ area, cells: [[content]] }] : [],
  );
  const values = filled.flatMap(({ area, content }) =>
    isFormula(content) ? [] : [{ area, cells: [[content]] }],
  );
  await writeAreas(formulas, (area, cells) => workbook.write(area, cells));
  await writeAreas(values, (area, cells) => workbook.writeText(area, cells));
}

function single(ref: CellRef): Area {
  return { ...ref, rows: 1, cols: 1 };
}

function isFormula(content: unknown): content is string {
  return typeof content === "string" && content.startsWith("=");
}
