/**
 * Reads the number formats that come with values in Excel. Such a format belongs to the value, not to the cell:
 * `Range.numberFormat` contains only the cell's, `valuesAsJson` (ExcelApi 1.16) the value's. If both exist, Excel shows the
 * cell's (documented for DoubleCellValue; office-js 6100 says to read both).
 */
import { type CellAnswers, askCells } from "./ask-cells";
import type { ExcelBatches } from "./excel-batches";
import type { CellRef } from "../port";

export async function broughtOfficeFormats(
  batches: ExcelBatches,
  cells: readonly CellRef[],
): Promise<readonly (string | null)[]> {
  if (!batches.supports("1.16")) return cells.map(() => null);
  return batches.run(async (context) => {
    const own = await askCells(context, cells, "numberFormat");
    const plain = cells.filter((ref) => own.get(ref) === "General");
    const values: CellAnswers = await askCells(context, plain, "valuesAsJson");
    return cells.map((ref) => formatOf(values.get(ref)));
  });
}

function formatOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null) return null;
  const format: unknown = Reflect.get(json, "numberFormat");
  return typeof format === "string" && format !== "" && format !== "General" ? format : null;
}
