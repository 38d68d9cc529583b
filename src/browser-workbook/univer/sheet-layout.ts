/** The layout of a sheet, which the port can only write: frozen panes, notes, borders, merged and hidden cells. */
import { BooleanNumber } from "@univerjs/core";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { ISheetNote } from "@univerjs/preset-sheets-note";
import type { Rectangle } from "./cell-reader";

import type { Grid } from "./create-grid";
import { type FileBorders, fileBorders } from "./styles/borders";

const noteWidthPx = 240;
const noteHeightPx = 100;

export interface SheetLayout {
  readonly frozenRows: number;
  readonly frozenCols: number;
  readonly notes: readonly { readonly row: number; readonly col: number; readonly text: string }[];
  readonly merged: readonly Rectangle[];
  readonly bordered: readonly { readonly row: number; readonly col: number; readonly borders: FileBorders }[];
  readonly hiddenRows: readonly number[];
  readonly hiddenCols: readonly number[];
}

export function layoutOf(grid: Grid, name: string): SheetLayout {
  const sheet = grid.api.getActiveWorkbook()?.getSheetByName(name);
  if (!sheet) throw new Error(`There is no sheet named ${name}. It may have been renamed or deleted.`);
  const { rowData, columnData } = sheet.getSheet().getConfig();
  return {
    frozenRows: sheet.getFrozenRows(),
    frozenCols: sheet.getFrozenColumns(),
    notes: sheet.getNotes().map(({ row, col, note }) => ({ row, col, text: note })),
    merged: sheet.getMergeData().map((range) => ({
      ...{ row: range.getRow(), col: range.getColumn(), rows: range.getHeight(), cols: range.getWidth() },
    })),
    bordered: borderedCells(sheet),
    hiddenRows: hiddenIn(rowData),
    hiddenCols: hiddenIn(columnData),
  };
}

function borderedCells(sheet: FWorksheet): SheetLayout["bordered"] {
  const styles = sheet.getWorkbook().getStyles();
  const bordered: SheetLayout["bordered"][number][] = [];
  sheet
    .getSheet()
    .getCellMatrix()
    .forValue((row, col, cell) => {
      const borders = fileBorders(styles.getStyleByCell(cell)?.bd);
      if (borders !== null) bordered.push({ row, col, borders });
    });
  return bordered;
}

function hiddenIn(lines: Readonly<Record<number, { readonly hd?: BooleanNumber } | null>>): number[] {
  return Object.entries(lines).flatMap(([index, line]) =>
    line?.hd === BooleanNumber.TRUE ? [Number(index)] : [],
  );
}

export function noteAt(row: number, col: number, text: string): ISheetNote {
  return {
    id: `inv-${row}-${col}`,
    row,
    col,
    note: text,
    width: noteWidthPx,
    height: noteHeightPx,
    show: false,
  };
}
