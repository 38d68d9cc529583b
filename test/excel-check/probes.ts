/** What the checks ask of Excel itself, beyond the port: INV needs none of it for its work. */
import type { Area, CellRef } from "../../src/workbook/port";

export interface ExcelProbes {
  /** Whether this Excel says that it has the requirement set. */
  supports(set: string, version: string): boolean;
  /** Whether `getRanges` takes two cells with this between them. */
  takesList(sheet: string, separator: string): Promise<boolean>;
  insertRow(cell: CellRef): Promise<void>;
  insertColumn(cell: CellRef): Promise<void>;
  deleteColumn(cell: CellRef): Promise<void>;
  /** Excel's own word for how the formula was saved. */
  isSavedAsArray(cell: CellRef): Promise<boolean>;
  /** Runs the work with the application in manual calculation, and puts the mode back. */
  inManualMode<T>(work: () => Promise<T>): Promise<T>;
  protect(sheet: string): Promise<void>;
  unprotect(sheet: string): Promise<void>;
  rename(sheet: string, name: string): Promise<void>;
  /** A visible name of the workbook for a formula. */
  addName(name: string, formula: string): Promise<void>;
  /** Saves a setting, reads it again, and takes it out: how Excel answered. */
  saveSetting(key: string, value: string): Promise<string>;
  /** Copies a sheet to the end of the tabs; the name it took. */
  copySheet(sheet: string): Promise<string>;
  /** Names of the workbook, for null, or of one sheet. */
  namesOf(sheet: string | null): Promise<readonly { readonly name: string; readonly formula: string }[]>;
  /** How many of the workbook's names come in a page of this size after so many others. */
  pageOfNames(top: number, skip: number): Promise<number>;
  /** Milliseconds of one round trip, the middle one of twenty. */
  roundTripMs(): Promise<number>;
  /** Writes the cell and then asks, in the same batch, for a sheet that is not there: the code of the refusal. */
  failAfterWrite(cell: CellRef): Promise<string>;
  /** Writes the cell in an undo group: the code with which Excel refuses it; null where it does not. */
  groupRefusal(cell: CellRef): Promise<string | null>;
  /** The decimal separator of the regional settings. */
  decimalSeparator(): Promise<string>;
  /** The address that Excel gives as selected. */
  selected(): Promise<Area>;
}
