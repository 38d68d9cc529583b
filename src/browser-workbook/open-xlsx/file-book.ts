/** The contents of a file as plain data, independent of the file format and of the grid. */
import type { CellValue } from "../../workbook/port";
import type { Rectangle } from "../univer/cell-reader";
import type { FileNote } from "./text-parts";
import type { FileStyle } from "./styles-part";

export interface FileCell {
  readonly row: number;
  readonly col: number;
  /** What the cell showed; null if it has to be calculated. */
  readonly value: CellValue;
  /** With its `=`. Present only if the file marks the cell as a formula. */
  readonly formula?: string;
  readonly spill?: { readonly rows: number; readonly cols: number };
  /** Index in the book's styles; 0 is the normal style. */
  readonly style: number;
}

export interface FileSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly cells: readonly FileCell[];
  readonly columns: readonly FileColumns[];
  readonly rows: readonly FileRow[];
  readonly frozenRows: number;
  readonly frozenCols: number;
  readonly merged: readonly Rectangle[];
  readonly notes: readonly FileNote[];
}

export interface FileColumns {
  readonly first: number;
  readonly last: number;
  /** In characters, the unit of files. */
  readonly width: number | null;
  readonly isHidden: boolean;
  readonly style: number;
}

export interface FileRow {
  readonly row: number;
  /** In points; null if the height follows from the contents. */
  readonly height: number | null;
  readonly isHidden: boolean;
}

export interface FileName {
  readonly name: string;
  /** With its `=`. */
  readonly formula: string;
  /** The sheet that is the name's scope; null for the whole workbook. */
  readonly sheet: string | null;
  readonly isHidden: boolean;
}

export interface FileBook {
  readonly sheets: readonly FileSheet[];
  readonly shownSheet: number;
  readonly styles: readonly FileStyle[];
  readonly names: readonly FileName[];
  readonly settings: ReadonlyMap<string, string>;
  /** Features of the file that the grid doesn't show, in words: `charts`. */
  readonly unshown: readonly string[];
}
