/**
 * The open workbook, as INV needs it. Two adapters implement this port: Excel (through Office.js) and the browser workbook.
 * Rows and columns count from 0, and a sheet is the name of its tab. Only plain data crosses, because the two sides may be
 * in different realms, where `instanceof` fails.
 */

export type CellValue = string | number | boolean | null;

/** An error of a cell by its English name, whatever language the host speaks: `#N/A`. */
export interface CellError {
  readonly error: string;
}

/** A value with its kind: the text `#N/A` is text, the error is an error. */
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

/** The selection: one area, or several of one sheet (Ctrl-click), which may overlap. */
export type SelectedAreas = readonly [Area, ...Area[]];

export interface FormulaCell extends CellRef {
  readonly formula: string;
}

export interface SheetInfo {
  /** Stays the same when the sheet is renamed; another in a copy of the file. */
  readonly id: string;
  readonly name: string;
  readonly visible: boolean;
  /** Nobody can write its cells. */
  readonly isProtected: boolean;
}

export interface NewSheet {
  readonly frozenRows?: number;
  readonly frozenCols?: number;
  /** Has no tab. Excel's Unhide doesn't offer it either. */
  readonly veryHidden?: boolean;
}

export interface SheetRename {
  readonly from: string;
  readonly to: string;
}

/** What an edit may have changed: these areas, the name of a sheet, or (null) anything, such as a deleted sheet. */
export type Edit = readonly Area[] | SheetRename | null;

/** A cell with a formula, and the cells that the formula fills. */
export interface FormulaExtent extends CellRef {
  /** The area it fills: 1 by 1 unless the result spilled. */
  readonly rows: number;
  readonly cols: number;
  /** One of several cells of an array formula (Ctrl+Shift+Enter), which Excel changes only together. */
  readonly isSharedArray: boolean;
}

export interface TableInfo {
  readonly name: string;
  /** With its header row. */
  readonly area: Area;
  readonly headers: readonly string[];
}

/** A name of a reference, a value or a LAMBDA. */
export interface DefinedName {
  readonly name: string;
  /** The sheet to which the name belongs; null for the whole workbook. */
  readonly sheet: string | null;
  /** Begins with `=`. */
  readonly formula: string;
}

export interface HiddenName {
  readonly name: string;
  readonly area: Area;
}

/** A hidden name, by which a block of cells is found wherever it has moved, and however it has grown. */
export interface Anchor {
  readonly name: string;
  /** The copied sheet whose own twin of the name is meant; null for the name of the workbook. */
  readonly sheet: string | null;
}

/** A cell's formula, null where it has none, what it shows, and its number format. */
export interface HeldCell {
  readonly formula: string | null;
  readonly content: CellContent;
  readonly numberFormat: string;
}

/** What a cell becomes: its formula where that isn't null, else its content. A format of null stays as it is. */
export interface NewCell {
  readonly formula: string | null;
  readonly content: CellContent;
  readonly numberFormat: string | null;
}

export interface AnchoredCells {
  /** Where the anchor's whole block is now. */
  readonly block: Area;
  readonly cells: readonly (readonly HeldCell[])[];
}

/** A part of an anchor's block that is read and then written. A null leaves a cell as it is. */
export interface AnchoredWrite {
  readonly anchor: Anchor;
  /** Where the whole block was when this was planned. Where it isn't there any more, nothing of the batch is written. */
  readonly block: Area;
  readonly area: Area;
  readonly cells: readonly (readonly (NewCell | null)[])[];
}

export interface Exchange {
  readonly writes: readonly AnchoredWrite[];
  /** Areas whose formulas are read in the same batch. */
  readonly beside: readonly Area[];
}

/** What the workbook held right before the writes of a batch. */
export interface Exchanged {
  readonly writes: readonly (readonly (readonly HeldCell[])[])[];
  readonly beside: readonly (readonly (readonly CellValue[])[])[];
}

/** A column of its own, right of everything on its sheet, with a name that people see and use. */
export interface NamedColumn {
  readonly sheet: string;
  /** Adds the sheet; fails if it exists by then. */
  readonly isNewSheet: boolean;
  readonly name: string;
  /** The first is the heading. Every string stays text. */
  readonly cells: readonly CellValue[];
  readonly headingFormat: CellFormat;
  readonly entryFormat: CellFormat;
  /** Blank cells below the last one that get the format of entries too. */
  readonly roomToGrow: number;
  /**
   * Returns the formula of the name for a heading in this cell: English function names, commas between arguments.
   */
  formulaFor(heading: CellRef): string;
}

/** Conditional formatting. */
export type Highlight =
  | { readonly kind: "heat"; readonly colors: readonly [low: string, middle: string, high: string] }
  | { readonly kind: "bars"; readonly color: string }
  | { readonly kind: "text"; readonly equals: string; readonly fill: string; readonly color: string }
  /** Highlights cells for which the formula is true. The formula is that of the area's first cell. */
  | { readonly kind: "formula"; readonly formula: string; readonly fill: string; readonly color: string };

export interface ChartSpec {
  readonly kind: "column" | "line";
  readonly title: string;
  /** Its first row contains headers, its first column names. */
  readonly data: Area;
  /** The chart covers these cells. */
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

export interface StepOptions {
  /**
   * One undo step in Excel too (needs ExcelApi 1.20). Excel may refuse the group in the middle of the work, which must then
   * roll back.
   */
  readonly asOneUndo?: boolean;
}

export interface Workbook {
  sheets(): Promise<readonly SheetInfo[]>;
  /** Adds a sheet at the end and shows it; returns its name, with a number if the name was in use. */
  addSheet(name: string, options?: NewSheet): Promise<string>;
  /** Does nothing if there is no such sheet. */
  deleteSheet(name: string): Promise<void>;
  /** From A1 to the last cell that isn't empty; null for an empty sheet. */
  usedArea(sheet: string): Promise<Area | null>;
  /** `formulas` returns values for cells without a formula, as Excel does. Spilled cells have values only. */
  read(area: Area, what: "values" | "formulas" | "text"): Promise<CellValue[][]>;
  /** Values with their kind: an error differs from a text that looks like one. */
  contents(area: Area): Promise<CellContent[][]>;
  /** The same for many areas, in the same order, in few round trips of limited size. */
  contentsOf(areas: readonly Area[]): Promise<CellContent[][][]>;
  /** A string that starts with `=` is a formula; every other string stays text (`00012345678905`). */
  write(area: Area, cells: readonly (readonly CellValue[])[]): Promise<void>;
  /**
   * As `write`, but every string stays text, even with `=` at its start, and an error stays an error. For values that others
   * have written.
   */
  writeText(area: Area, cells: readonly (readonly CellContent[])[]): Promise<void>;
  format(area: Area, format: CellFormat): Promise<void>;
  /** The format of each cell, as far as `CellFormat` can express it. */
  formatsOf(area: Area): Promise<readonly (readonly CellFormat[])[]>;
  highlight(area: Area, rule: Highlight): Promise<void>;
  /** Adds a note to the cell, if the host has notes. */
  note(cell: CellRef, text: string): Promise<void>;
  /** Makes the area a table that grows with new rows, if the host has tables. The first row contains the headers. */
  addTable(area: Area, name: string): Promise<void>;
  tables(): Promise<readonly TableInfo[]>;
  /** Every defined name, hidden ones and those of a single sheet too. */
  names(): Promise<readonly DefinedName[]>;
  /**
   * Writes the column and adds its name. The host finds the place in the batch that writes there, so two people never write
   * the same column. The name follows its cells if somebody moves them meanwhile. Rejects if the host refuses the name; then
   * no cell is written.
   */
  addNamedColumn(column: NamedColumn): Promise<CellRef>;
  /** Adds hidden names for blocks of cells. The host moves and grows them with the cells. */
  addHiddenNames(names: readonly HiddenName[]): Promise<void>;
  /** Reads the anchors' blocks, and areas; null for a deleted anchor. */
  anchoredCells(blocks: readonly (Anchor | Area)[]): Promise<readonly (AnchoredCells | null)[]>;
  /**
   * Finds the blocks, reads the cells that it will write, and writes them, all in one batch, so the result contains every
   * earlier change. Rejects before it writes anything if an anchor is gone or its block was moved or resized. If it rejects
   * for another reason, a part may have been written.
   */
  exchange(exchange: Exchange): Promise<Exchanged>;
  /** Deletes names of the workbook, or of one sheet; skips names that don't exist. */
  deleteNames(names: readonly string[], sheet?: string | null): Promise<void>;
  /** `General` for a cell without a format of its own. */
  numberFormats(area: Area): Promise<string[][]>;
  /**
   * The number formats that belong to the values of these cells, in the same order: the time that a function returns is shown
   * as a date. Null if the value has none, or if the cell has a format of its own, which takes precedence.
   */
  broughtFormats(cells: readonly CellRef[]): Promise<readonly (string | null)[]>;
  /** Resolves with false if the host has no charts. */
  addChart(chart: ChartSpec): Promise<boolean>;
  /** The cells that the formulas in these cells fill, in the same order. */
  extents(cells: readonly CellRef[]): Promise<readonly FormulaExtent[]>;
  /**
   * Finds every cell whose formula matches, on hidden sheets too; reads in chunks, never cell by cell. `within` limits the
   * search to areas, whose sheets may be gone.
   */
  findFormulas(matches: (formula: string) => boolean, within?: readonly Area[]): Promise<FormulaCell[]>;
  /**
   * Calls the listener after every edit, with what it may have changed or moved. Calculated results are not edits.
   */
  onEdit(listener: (edit: Edit) => void): void;
  /**
   * Recalculates these cells and, in automatic mode, all that depend on them. Other formulas and the calculation mode stay as
   * they are. Excel shows `#BUSY!` in the cells until their values come. The browser workbook shows the earlier values
   * meanwhile, or with `hidesValues` `#BUSY!` too.
   */
  recalculate(cells: readonly CellRef[], options?: { readonly hidesValues: boolean }): Promise<void>;
  /**
   * Resolves when the cells show what their functions have returned. Excel can't tell: there it resolves at once, and cells
   * without their result show `#BUSY!`.
   */
  calculated(): Promise<void>;
  /** Calls the listener with the selection, now and after every change. Returns a function that stops it. */
  onSelection(listener: (areas: SelectedAreas) => void): () => void;
  select(area: Area): Promise<void>;
  /** A setting that the file contains; null if it doesn't. */
  setting(key: string): Promise<string | null>;
  setSetting(key: string, value: string): Promise<void>;
  /** Groups the work: one undo step in the browser workbook; in Excel screen updating waits. */
  step<T>(work: () => Promise<T>, options?: StepOptions): Promise<T>;
}
