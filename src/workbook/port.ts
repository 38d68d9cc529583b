/**
 * The open workbook, as INV needs it: one port, carried by Excel (through Office.js) and by the
 * browser workbook. Rows and columns count from 0, a sheet is its tab's name, every call is
 * asynchronous, and only plain data crosses (the two sides may live in different realms, where
 * `instanceof` fails). Refresh, freeze, templates and commands are built on these verbs alone.
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

/** What is selected: one area, or several (Ctrl-click) that may overlap, all of one sheet. */
export type SelectedAreas = readonly [Area, ...Area[]];

export interface FormulaCell extends CellRef {
  readonly formula: string;
}

export interface SheetInfo {
  /** Stays the same when the sheet is renamed; another in a copy of the file. */
  readonly id: string;
  readonly name: string;
  readonly visible: boolean;
  /** Its cells cannot be written. */
  readonly isProtected: boolean;
}

export interface NewSheet {
  readonly frozenRows?: number;
  readonly frozenCols?: number;
  /** Left out of the tabs and not shown; in Excel not even offered by Unhide. */
  readonly veryHidden?: boolean;
}

export interface SheetRename {
  readonly from: string;
  readonly to: string;
}

/** What an edit may have touched: the content of these areas, the name of a sheet, or anything (a sheet deleted). */
export type Edit = readonly Area[] | SheetRename | null;

/** What stands on a cell with a formula, and around it. */
export interface FormulaExtent extends CellRef {
  /** The area it fills: 1 by 1 unless the result spilled. */
  readonly rows: number;
  readonly cols: number;
  /** One of several cells that share an array formula (Ctrl+Shift+Enter), which no cell may leave alone. */
  readonly isSharedArray: boolean;
}

export interface TableInfo {
  readonly name: string;
  /** With its header row. */
  readonly area: Area;
  readonly headers: readonly string[];
}

/** A name that a person has given to a reference, a value or a LAMBDA. */
export interface DefinedName {
  readonly name: string;
  /** The sheet that alone knows it; null for a name of the whole workbook. */
  readonly sheet: string | null;
  /** What it stands for, with its `=`. */
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
  /** The sheet is added, and refused where there is one of that name by now. */
  readonly isNewSheet: boolean;
  readonly name: string;
  /** The first is the heading. Every string stays text. */
  readonly cells: readonly CellValue[];
  readonly headingFormat: CellFormat;
  readonly entryFormat: CellFormat;
  /** Cells below the last one that get the format of entries. */
  readonly roomToGrow: number;
  /**
   * What the name stands for, where the heading is here: functions by their English names, arguments parted by commas.
   */
  formulaFor(heading: CellRef): string;
}

/** Colours or bars that follow the cells' values. */
export type Highlight =
  | { readonly kind: "heat"; readonly colors: readonly [low: string, middle: string, high: string] }
  | { readonly kind: "bars"; readonly color: string }
  | { readonly kind: "text"; readonly equals: string; readonly fill: string; readonly color: string }
  /** Cells for which the formula is true; it is spelled for the first cell of the area. */
  | { readonly kind: "formula"; readonly formula: string; readonly fill: string; readonly color: string };

export interface ChartSpec {
  readonly kind: "column" | "line";
  readonly title: string;
  /** Headers in its first row, names in its first column. */
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
   * One undo in Excel too, where it can (ExcelApi 1.20). Excel may refuse the group in the middle of the work, which
   * then takes back what it did.
   */
  readonly asOneUndo?: boolean;
}

export interface Workbook {
  sheets(): Promise<readonly SheetInfo[]>;
  /** Adds a sheet at the end and shows it; returns the name it took (numbered when the name is in use). */
  addSheet(name: string, options?: NewSheet): Promise<string>;
  /** Nothing where there is none of that name. */
  deleteSheet(name: string): Promise<void>;
  /** From A1 to the last cell that holds something; null for an empty sheet. */
  usedArea(sheet: string): Promise<Area | null>;
  /** `formulas` as Excel: the formula where there is one, else the value. Spilled cells are included in values. */
  read(area: Area, what: "values" | "formulas" | "text"): Promise<CellValue[][]>;
  /** The values with their kind, for whoever keeps them or compares what cells show. */
  contents(area: Area): Promise<CellContent[][]>;
  /** The same of many areas, in the order given and in few round trips, none of them large. */
  contentsOf(areas: readonly Area[]): Promise<CellContent[][][]>;
  /** A string that starts with `=` is a formula; every other string stays text (`00012345678905`). */
  write(area: Area, cells: readonly (readonly CellValue[])[]): Promise<void>;
  /**
   * As `write`, but every string stays text, one that starts with `=` too, and an error an error: for what others
   * have written.
   */
  writeText(area: Area, cells: readonly (readonly CellContent[])[]): Promise<void>;
  format(area: Area, format: CellFormat): Promise<void>;
  /** How the cells look, cell by cell, as far as `format` can say it. */
  formatsOf(area: Area): Promise<readonly (readonly CellFormat[])[]>;
  highlight(area: Area, rule: Highlight): Promise<void>;
  /** A note on the cell; nothing where the host has none. */
  note(cell: CellRef, text: string): Promise<void>;
  /** Makes the area, its first row the headers, a table that grows with new rows; nothing where the host has none. */
  addTable(area: Area, name: string): Promise<void>;
  tables(): Promise<readonly TableInfo[]>;
  /** Every defined name, hidden ones and those of a single sheet too. */
  names(): Promise<readonly DefinedName[]>;
  /**
   * Writes the column and gives it its name. The host finds the place in the very batch that writes there, so that two
   * people never write the same column, and the name follows its cells wherever somebody moves them meanwhile. Rejects
   * where the host does not take the name; then no cell is written.
   */
  addNamedColumn(column: NamedColumn): Promise<CellRef>;
  /** Hidden names of the workbook for blocks of cells, which the host moves and grows with the cells. */
  addHiddenNames(names: readonly HiddenName[]): Promise<void>;
  /** What the anchors' blocks hold; null for one that is gone. */
  anchoredCells(anchors: readonly Anchor[]): Promise<readonly (AnchoredCells | null)[]>;
  /**
   * In one batch finds the blocks, reads the cells about to be written, and then writes them: whatever anybody has
   * done to the workbook before is in what it resolves with. Rejects where an anchor is gone or its block was moved or
   * resized, before anything is written; where it rejects for another reason a part may have been written.
   */
  exchange(exchange: Exchange): Promise<Exchanged>;
  /** Names of the workbook, or of one sheet. Nothing for a name that there is not. */
  deleteNames(names: readonly string[], sheet?: string | null): Promise<void>;
  /** `General` where a cell has none of its own. */
  numberFormats(area: Area): Promise<string[][]>;
  /**
   * The number formats that the values of these cells bring along, in the order given: a function's time is shown as
   * a date. Null where the value brings none, or where the cell has a format of its own, which is the one shown.
   */
  broughtFormats(cells: readonly CellRef[]): Promise<readonly (string | null)[]>;
  /** False where the host draws none. */
  addChart(chart: ChartSpec): Promise<boolean>;
  /** What the formulas in these cells fill, in the order given. */
  extents(cells: readonly CellRef[]): Promise<readonly FormulaExtent[]>;
  /**
   * Every cell whose formula matches, hidden sheets included; read in chunks, never cell by cell. Within
   * areas where these are given, on sheets that need not exist any more.
   */
  findFormulas(matches: (formula: string) => boolean, within?: readonly Area[]): Promise<FormulaCell[]>;
  /**
   * Told from now on of what an edit may have changed or moved, after it. Calculated results are no edits.
   */
  onEdit(listener: (edit: Edit) => void): void;
  /**
   * Marks these cells dirty and has them calculated; in automatic mode all that depends on them too. The
   * calculation mode stays as it is, and formulas that depend on none of them stay alone.
   * Excel shows `#BUSY!` in them until their values come. The browser workbook shows the earlier values meanwhile,
   * unless `hidesValues`, and then `#BUSY!` too.
   */
  recalculate(cells: readonly CellRef[], options?: { readonly hidesValues: boolean }): Promise<void>;
  /**
   * Resolves when what functions have returned stands in their cells. Excel cannot tell: there it resolves at
   * once, and cells whose result is still on its way show `#BUSY!`.
   */
  calculated(): Promise<void>;
  /** What is selected now, and again at every change. Returns the way to stop. */
  onSelection(listener: (areas: SelectedAreas) => void): () => void;
  select(area: Area): Promise<void>;
  /** A setting that travels in the file. Null where there is none. */
  setting(key: string): Promise<string | null>;
  setSetting(key: string, value: string): Promise<void>;
  /** Groups the work: one undo step in the browser workbook; in Excel screen updating waits. */
  step<T>(work: () => Promise<T>, options?: StepOptions): Promise<T>;
}
