/** Writes styles that the port doesn't have, and hidden rows and columns, with the library for .xlsx files. */
import type { Border, Worksheet } from "exceljs";
import type { MoreStyles, MoreStyle } from "../univer/styles/more-styles";
import { argb } from "./colors";

export function addMoreStyles(sheet: Worksheet, { cells, hiddenRows, hiddenCols }: MoreStyles): void {
  for (const { row, col, style } of cells) {
    const cell = sheet.getCell(row + 1, col + 1);
    const { wrap, borders } = style;
    if (wrap) cell.alignment = { ...(cell.alignment as typeof cell.alignment | undefined), wrapText: true };
    if (borders !== undefined) cell.border = fileBorder(borders);
  }
  for (const row of hiddenRows) sheet.getRow(row + 1).hidden = true;
  for (const col of hiddenCols) sheet.getColumn(col + 1).hidden = true;
}

function fileBorder(borders: NonNullable<MoreStyle["borders"]>): Record<string, Partial<Border>> {
  return Object.fromEntries(
    Object.entries(borders).map(([side, { style, color }]) => {
      const written = color === null ? null : argb(color);
      const kind = style as Border["style"];
      return [side, { style: kind, ...(written === null ? {} : { color: { argb: written } }) }];
    }),
  );
}
