/** What a download contains, as plain data, independent of the file format and of the grid. Rows and columns count from 0. */
import type { CellArea } from "../../formula/cells";
import type { CellContent } from "../../workbook/port";

export interface FileBook {
  readonly sheets: readonly FileSheet[];
  /** Index of the sheet that is in view when the file opens. */
  readonly shownSheet: number;
}

export interface FileSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly frozenRows: number;
  readonly frozenCols: number;
  readonly defaultWidthPx: number;
  /** The columns that differ from the default, in order. */
  readonly columns: readonly FileColumn[];
  readonly merged: readonly CellArea[];
  readonly notes: readonly { readonly row: number; readonly col: number; readonly text: string }[];
  /** Reads the rows with cells or with a format, in order, while they are iterated. */
  rows(): Iterable<FileRow>;
}

export interface FileColumn {
  readonly col: number;
  /** Null if the column has the default width. */
  readonly widthPx: number | null;
  readonly isHidden: boolean;
  readonly style: FileStyle | null;
}

export interface FileRow {
  readonly row: number;
  /** Null if the height follows from the contents. */
  readonly heightPx: number | null;
  readonly isHidden: boolean;
  /** In order. */
  readonly cells: readonly FileCell[];
}

export interface FileCell {
  readonly col: number;
  readonly content: CellContent;
  /** Cells of the same format may share one object, which then is looked up once. */
  readonly style: FileStyle | null;
}

export interface FileStyle {
  readonly numberFormat?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** `#1F3A5F`, `#abc` or `rgb(1, 2, 3)`. */
  readonly color?: string;
  readonly fill?: string;
  readonly align?: "left" | "center" | "right";
  readonly wraps?: boolean;
  readonly borders?: FileBorders;
}

/** In the order of the file format. */
export const borderSides = ["left", "right", "top", "bottom"] as const;

export type FileBorders = Partial<
  Record<(typeof borderSides)[number], { readonly kind: string; readonly color: string }>
>;
