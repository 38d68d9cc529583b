/**
 * The look that the sample sheets share, over the workbook port: headers, inputs, notes, widths. Colours
 * are few: dark blue heads a table, blue on pale yellow is for the user to change, grey explains.
 */
import type { Area, CellFormat, CellValue, Workbook } from "../port";

export const looks = {
  header: { bold: true, fill: "#1f3a5f", color: "#ffffff" },
  label: { color: "#44546a" },
  input: { fill: "#fff7d6", color: "#1f4fbf" },
  note: { color: "#6b7785" },
} as const satisfies Record<string, CellFormat>;

export const formats = { quantity: "#,##0", time: "yyyy-mm-dd hh:mm" } as const;

/** A block of cells with its top left corner; every row as wide as the first. */
export async function writeBlock(
  workbook: Workbook,
  corner: { readonly sheet: string; readonly row: number; readonly col: number },
  cells: readonly (readonly CellValue[])[],
): Promise<Area> {
  const area = { ...corner, rows: cells.length, cols: cells[0]?.length ?? 0 };
  await workbook.write(area, cells);
  return area;
}

/** Widths of the first columns, in pixels. */
export async function setWidths(
  workbook: Workbook,
  sheet: string,
  widthsPx: readonly number[],
): Promise<void> {
  for (const [col, widthPx] of widthsPx.entries()) {
    await workbook.format({ sheet, row: 0, col, rows: 1, cols: 1 }, { widthPx });
  }
}
