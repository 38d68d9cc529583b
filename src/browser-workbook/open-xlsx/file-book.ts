/** What a file holds, as plain data: nothing of the file's format, and nothing of the grid's. */
import type { CellValue } from "../../workbook/port";
import type { Rectangle } from "../univer/cell-reader";
import type { FileNote } from "./notes-part";
import type { FileStyle } from "./styles-part";

export interface FileCell {
  readonly row: number;
  readonly col: number;
  /** What the cell showed; null where it is to be calculated. */
  readonly value: CellValue;
  /** With its `=`; only where the file says that the cell is one. */
  readonly formula?: string;
  /** How far the formula has spilled. */
  readonly spill?: { readonly rows: number; readonly cols: number };
  /** Place in the book's styles; 0 is the normal one. */
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

/** Columns beside each other that are alike. */
export interface FileColumns {
  readonly first: number;
  readonly last: number;
  /** In characters, as files count. */
  readonly width: number | null;
  readonly isHidden: boolean;
  readonly style: number;
}

export interface FileRow {
  readonly row: number;
  /** In points; null where it follows from what is in it. */
  readonly height: number | null;
  readonly isHidden: boolean;
}

export interface FileName {
  readonly name: string;
  /** With its `=`. */
  readonly formula: string;
  /** The sheet that alone knows it. */
  readonly sheet: string | null;
  readonly isHidden: boolean;
}

export interface FileBook {
  readonly sheets: readonly FileSheet[];
  /** The place of the sheet that was shown. */
  readonly shownSheet: number;
  readonly styles: readonly FileStyle[];
  readonly names: readonly FileName[];
  /** INV's own. */
  readonly settings: ReadonlyMap<string, string>;
  /** What the file has and the grid doesn't show, in words: `charts`. */
  readonly left: readonly string[];
}
