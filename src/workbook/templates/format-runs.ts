/** Reads the look of a sheet in runs of equal cells, as far as the port describes it. */
import type { Area, CellFormat, Workbook } from "../port";

/** Number of rows whose formats are read one by one. All rows below get the formats of the last of these. */
const rowsRead = 60;

export interface FormatRun {
  readonly area: Area;
  readonly format: CellFormat;
}

/** Returns runs of rows that look the same, column by column, and the column widths separately. */
export async function formatRuns(
  workbook: Workbook,
  area: Area,
): Promise<{ readonly runs: readonly FormatRun[]; readonly widthsPx: readonly number[] }> {
  const read = Math.min(area.rows, rowsRead);
  const formats = await workbook.formatsOf({ ...area, rows: read });
  const runs: { area: { -readonly [K in keyof Area]: Area[K] }; format: CellFormat }[] = [];
  const widthsPx = (formats[0] ?? []).map(({ widthPx }) => widthPx ?? 0);
  for (let col = 0; col < area.cols; col += 1) {
    let before = "";
    for (let row = 0; row < read; row += 1) {
      const format = withoutWidth(formats[row]?.[col] ?? {});
      const text = JSON.stringify(format);
      const last = runs.at(-1);
      if (text === before && last) last.area.rows += 1;
      else {
        runs.push({ area: { ...area, row: area.row + row, col: area.col + col, rows: 1, cols: 1 }, format });
      }
      before = text;
    }
    const last = runs.at(-1);
    if (last) last.area.rows += area.rows - read;
  }
  return { runs: runs.filter(({ format }) => Object.keys(format).length > 0), widthsPx };
}

/** Removes the width, which belongs to a column and not to a cell. */
export function withoutWidth(format: CellFormat): CellFormat {
  return Object.fromEntries(Object.entries(format).filter(([name]) => name !== "widthPx"));
}
