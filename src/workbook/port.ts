/**
 * The open workbook, as INV needs it: one port, carried by Excel (through Office.js) and by the
 * browser workbook. Rows and columns count from 0, a sheet is its tab's name, every call is
 * asynchronous, and only plain data crosses (the two sides may live in different realms, where
 * `instanceof` fails). Freeze, templates and ribbon commands will be built on the same verbs.
 */

export type CellValue = string | number | boolean | null;

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
  readonly name: string;
  readonly visible: boolean;
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
  sheets(): Promise<readonly SheetInfo[]>;
  /** Adds a sheet at the end and shows it; returns the name it took (numbered when the name is in use). */
  addSheet(name: string, options?: { readonly frozenRows?: number }): Promise<string>;
  /** `formulas` as Excel: the formula where there is one, else the value. Spilled cells are included in values. */
  read(area: Area, what: "values" | "formulas" | "text"): Promise<CellValue[][]>;
  /** A string that starts with `=` is a formula; every other string stays text (`00012345678905`). */
  write(area: Area, cells: readonly (readonly CellValue[])[]): Promise<void>;
  format(area: Area, format: CellFormat): Promise<void>;
  /**
   * Every cell whose formula matches, hidden sheets included; read in chunks, never cell by cell. Within
   * areas where these are given, on sheets that need not exist any more.
   */
  findFormulas(matches: (formula: string) => boolean, within?: readonly Area[]): Promise<FormulaCell[]>;
  /**
   * Told from now on of the areas whose content an edit may have changed or moved; null where that may be
   * anywhere (a sheet deleted or renamed). Calculated results are no edits.
   */
  onEdit(listener: (areas: readonly Area[] | null) => void): void;
  /** Marks exactly these cells dirty and calculates them; calculation mode and other formulas stay alone. */
  recalculate(cells: readonly CellRef[]): Promise<void>;
  /** What is selected now, and again at every change. Returns the way to stop. */
  onSelection(listener: (areas: SelectedAreas) => void): () => void;
  select(area: Area): Promise<void>;
  /** A setting that travels in the file. Null where there is none. */
  setting(key: string): Promise<string | null>;
  setSetting(key: string, value: string): Promise<void>;
  /** Groups the work: one undo step in the browser workbook; in Excel screen updating waits. */
  step<T>(work: () => Promise<T>): Promise<T>;
}
