/**
 * The open workbook, as INV needs it. Two adapters implement this port: Excel (through Office.js) and the browser workbook.
 * Rows and columns count from 0. `sheet` is the name on the tab, or, for a sheet that INV has just added, its id: somebody may rename it
 * before INV has filled it. Only plain data crosses this port, because the two sides may be in different JavaScript realms, where
 * `instanceof` fails.
 */

export type CellValue = string | number | boolean | null;

/** A cell's error by its English name, whatever the host's language: `#N/A`. */
export interface CellError {
  readonly error: string;
}

/** A value with its kind: the text `#N/A` is a text, the error is a `CellError`. */
export type CellContent = CellValue | CellError;

export interface CellRef {
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
}

export interface Area extends CellRef {
  readonly rows: number;
  readonly cols: number;
}

/** The selection: one area, or several on one sheet (Ctrl-click), which may overlap. */
export type SelectedAreas = readonly [Area, ...Area[]];

export interface FormulaCell extends CellRef {
  readonly formula: string;
  /** Set if the host doesn't calculate the cell, because there are more than `mostInvCells`. */
  readonly isBeyondLimit?: true;
}

export interface SheetInfo {
  /** Stays the same when the sheet is renamed, but differs in a copy of the file. */
  readonly id: string;
  readonly name: string;
  readonly visible: boolean;
  /** Nobody can write to the sheet's cells. */
  readonly isProtected: boolean;
}

export interface NewSheet {
  readonly frozenRows?: number;
  readonly frozenCols?: number;
}

/** Cells that the host doesn't recalculate, and why not. */
export interface RefusedCells {
  readonly areas: readonly Area[];
  readonly reason: string;
}

/** A new sheet. It may come from another workbook, with values. */
interface SheetAddition {
  readonly added: string;
}

export interface SheetRename {
  readonly from: string;
  readonly to: string;
}

/** What an edit may have changed: these areas, the name of a sheet, or (null) anything, for example a deleted sheet. */
export type Edit = readonly Area[] | SheetRename | SheetAddition | null;

export interface FormulaExtent extends CellRef {
  /** The size of the area that the formula fills: 1 by 1 unless the result spilled. */
  readonly rows: number;
  readonly cols: number;
  /** The cell is one of several of an array formula (Ctrl+Shift+Enter), which Excel changes only together. */
  readonly isSharedArray: boolean;
}

export interface TableInfo {
  readonly name: string;
  /** Includes the header row. */
  readonly area: Area;
  readonly headers: readonly string[];
}

/** A name for a reference, a value or a LAMBDA. */
export interface DefinedName {
  readonly name: string;
  /** The sheet to which the name belongs; null for the whole workbook. */
  readonly sheet: string | null;
  /** Begins with `=`. */
  readonly formula: string;
}

export interface SheetCopy {
  /** The used area of the original when the copy was planned. */
  readonly area: Area;
  /** The name of the new sheet, which no sheet may have. */
  readonly to: string;
  /** Texts above the copied cells, one in each row; null for a blank row. */
  readonly above: readonly (string | null)[];
  /** Number formats of cells of the original that their values brought. */
  readonly formats: readonly { readonly ref: CellRef; readonly numberFormat: string }[];
  /** Cells of the original in which INV has returned an error. */
  readonly errors: readonly CellRef[];
}

export type Highlight =
  | { readonly kind: "heat"; readonly colors: readonly [low: string, middle: string, high: string] }
  | { readonly kind: "bars"; readonly color: string }
  /** Highlights cells for which the formula is true. The formula applies to the area's first cell. It has a fill, a colour, or both. */
  | {
      readonly kind: "formula";
      readonly formula: string;
      readonly fill?: string | undefined;
      readonly color?: string | undefined;
    };

/** A conditional format that a sheet has, whoever made it. */
export interface FoundHighlight {
  /** A formula applies to the first cell of the first area. */
  readonly areas: readonly Area[];
  /** Null if a `Highlight` can't express it. */
  readonly rule: Highlight | null;
  /** What people call it, in the singular: `icon set`. */
  readonly name: string;
}

export interface CellNote {
  readonly cell: CellRef;
  readonly text: string;
}

export interface ChartSpec {
  readonly kind: "column" | "line";
  readonly title: string;
  /** The first row contains headers, the first column names. */
  readonly data: Area;
  readonly over: Area;
}

export interface CellFormat {
  readonly numberFormat?: string;
  readonly bold?: boolean;
  /** `#rrggbb`. */
  readonly fill?: string;
  readonly color?: string;
  readonly align?: "left" | "center" | "right";
  readonly widthPx?: number;
}

export interface Workbook {
  /** How many cells with INV formulas the host calculates. The others show an error. Null if it has no limit. */
  readonly mostInvCells: number | null;
  /** Calls the listener with the cells beyond that limit, after each calculation that has found some, and once when there are none left. */
  onBeyondLimit(listener: (cells: readonly CellRef[]) => void): void;
  sheets(): Promise<readonly SheetInfo[]>;
  /** Adds a sheet at the end, with a number added to its name if that was in use. Returns its id. `buildSheet` fills and shows it. */
  addSheet(name: string, options?: NewSheet): Promise<string>;
  /** Does nothing if the sheet doesn't exist. */
  deleteSheet(id: string): Promise<void>;
  /** Returns the area from A1 to the last cell that isn't empty; null for an empty sheet. */
  usedArea(sheet: string): Promise<Area | null>;
  /** Reads cells. For a cell without a formula, `formulas` returns its value, as Excel does. Spilled cells have only values. */
  read(area: Area, what: "values" | "formulas" | "text"): Promise<CellValue[][]>;
  /** Returns the values of many areas, in the same order, with their kind: an error differs from a text that looks like one. */
  contentsOf(areas: readonly Area[]): Promise<CellContent[][][]>;
  /**
   * Writes cells. A string stays text (`00012345678905`), and an error stays an error. A string that starts with `=` is a formula,
   * except `asText`, which is for values that others have written.
   */
  write(
    area: Area,
    cells: readonly (readonly CellContent[])[],
    options?: { readonly asText: boolean },
  ): Promise<void>;
  format(area: Area, format: CellFormat): Promise<void>;
  /** Returns the format of each cell, as far as `CellFormat` can express it. */
  formatsOf(area: Area): Promise<readonly (readonly CellFormat[])[]>;
  /**
   * Copies each sheet to a new one, with its values, formats, conditional formats, widths, hidden rows and columns and frozen panes, and
   * without formulas. All copies are made or none: rejects if a sheet was resized meanwhile (in Excel, where others may edit), if cells
   * wait for a value, or if the workbook is protected.
   */
  copyWithValues(copies: readonly SheetCopy[]): Promise<void>;
  /** Adds a conditional format. It takes precedence over those that the cells have. */
  highlight(area: Area, rule: Highlight): Promise<void>;
  /** Returns the sheet's conditional formats, in the order in which `highlight` would add them again. */
  highlightsOf(sheet: string): Promise<readonly FoundHighlight[]>;
  /** Adds a note to the cell, if the host has notes. */
  note(cell: CellRef, text: string): Promise<void>;
  /** Returns the sheet's notes. */
  notesOf(sheet: string): Promise<readonly CellNote[]>;
  /** Turns the area into a table that grows with new rows, if the host has tables. The first row contains the headers. */
  addTable(area: Area, name: string): Promise<void>;
  tables(): Promise<readonly TableInfo[]>;
  /** Returns all defined names, including hidden ones and those of a single sheet. */
  names(): Promise<readonly DefinedName[]>;
  /** Returns the own number formats of these cells, in the same order; `General` for none. */
  numberFormats(cells: readonly CellRef[]): Promise<readonly string[]>;
  /**
   * Returns the number formats that belong to the values of these cells, in the same order. For example, a time that a function
   * returns has the format of a date. Returns null if the value has none, or if the cell has its own format, which takes
   * precedence.
   */
  broughtFormats(cells: readonly CellRef[]): Promise<readonly (string | null)[]>;
  /** Resolves with false if the host has no charts. */
  addChart(chart: ChartSpec): Promise<boolean>;
  /** Returns the cells that the formulas in these cells fill, in the same order. */
  extents(cells: readonly CellRef[]): Promise<readonly FormulaExtent[]>;
  /** Returns for each row of the area whether it is hidden, by a filter or by a person. */
  hiddenRows(area: Area): Promise<readonly boolean[]>;
  /**
   * Finds every cell whose formula matches, including hidden sheets. Reads in chunks, never cell by cell. `within` limits the
   * search to areas, whose sheets may have been deleted.
   */
  findFormulas(matches: (formula: string) => boolean, within?: readonly Area[]): Promise<FormulaCell[]>;
  /**
   * Calls the listener after every edit, with what the edit may have changed or moved. Calculated results are not edits. Returns the
   * unsubscribe function.
   */
  onEdit(listener: (edit: Edit) => void): () => void;
  /**
   * Recalculates these cells and, in automatic mode, all that depend on them. Other formulas and the calculation mode stay
   * unchanged. Excel shows `#BUSY!` in the cells until their values arrive. The browser workbook shows the earlier values until
   * then, or also `#BUSY!` with `hidesValues`. Returns the cells that the host refuses, for example on a protected sheet; rejects
   * if it refuses all of them.
   */
  recalculate(
    cells: readonly CellRef[],
    options?: { readonly hidesValues: boolean },
  ): Promise<readonly RefusedCells[]>;
  /**
   * Resolves when the cells show what their functions have returned. Excel can't report this: there it resolves at once, and
   * cells without their result show `#BUSY!`.
   */
  calculated(): Promise<void>;
  /** Calls the listener with the selection, now and after every change. Returns the unsubscribe function. */
  onSelection(listener: (areas: SelectedAreas) => void): () => void;
  select(area: Area): Promise<void>;
  /** Returns a setting from the file; null if the file doesn't contain it. */
  setting(key: string): Promise<string | null>;
  setSetting(key: string, value: string): Promise<void>;
  /**
   * Groups the work into one undo step in the browser workbook. In Excel it pauses screen updating, and sends the writes
   * together that the work makes through the workbook it gets. With `asOneUndo` it is one undo step in Excel too (needs
   * ExcelApi 1.20). Excel may refuse the group in the middle of the work, which must then roll back.
   */
  step<T>(work: (workbook: Workbook) => Promise<T>, options?: { readonly asOneUndo?: boolean }): Promise<T>;
}
