/** Reads cell styles that the port doesn't have, and hidden rows and columns, for a download. */
import { BooleanNumber, type IStyleData, WrapStrategy } from "@univerjs/core";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { FileStyle } from "../../open-xlsx/styles-part";
import { fileBorders } from "./borders";

export type MoreStyle = Pick<FileStyle, "wrap" | "borders">;

export interface MoreStyles {
  readonly cells: readonly { readonly row: number; readonly col: number; readonly style: MoreStyle }[];
  readonly hiddenRows: readonly number[];
  readonly hiddenCols: readonly number[];
}

export function moreStyles(sheet: FWorksheet): MoreStyles {
  const styles = sheet.getWorkbook().getStyles();
  const cells: { row: number; col: number; style: MoreStyle }[] = [];
  sheet
    .getSheet()
    .getCellMatrix()
    .forValue((row, col, cell) => {
      const style = moreStyle(styles.getStyleByCell(cell) ?? {});
      if (Object.keys(style).length > 0) cells.push({ row, col, style });
    });
  const { rowData, columnData } = sheet.getSheet().getConfig();
  return { cells, hiddenRows: hiddenIn(rowData), hiddenCols: hiddenIn(columnData) };
}

function moreStyle({ tb, bd }: IStyleData): MoreStyle {
  const borders = fileBorders(bd);
  return {
    ...(tb === WrapStrategy.WRAP ? { wrap: true } : {}),
    ...(borders === undefined ? {} : { borders }),
  };
}

function hiddenIn(lines: Readonly<Record<number, { readonly hd?: BooleanNumber } | null>>): number[] {
  return Object.entries(lines).flatMap(([index, line]) =>
    line?.hd === BooleanNumber.TRUE ? [Number(index)] : [],
  );
}
