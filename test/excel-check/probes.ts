/** Direct queries to Excel that only the checks need. INV itself uses only the port. */
import type { Area, CellRef } from "../../src/workbook/port";

export interface ExcelProbes {
  /** Whether this Excel reports the requirement set. */
  supports(set: string, version: string): boolean;
  insertRow(cell: CellRef): Promise<void>;
  /** Whether Excel reports the formula as saved as an array formula. */
  isSavedAsArray(cell: CellRef): Promise<boolean>;
  /** Runs the work in manual calculation mode, then restores the mode. */
  inManualMode<T>(work: () => Promise<T>): Promise<T>;
  protect(sheet: string): Promise<void>;
  unprotect(sheet: string): Promise<void>;
  rename(sheet: string, name: string): Promise<void>;
  /** Adds a visible defined name to the workbook. */
  addName(name: string, formula: string): Promise<void>;
  /** Deletes a name of the workbook. Does nothing if it doesn't exist. */
  deleteName(name: string): Promise<void>;
  /** Saves a setting, reads it again and removes it. Returns Excel's answer. */
  saveSetting(key: string, value: string): Promise<string>;
  /** Names of one sheet, or of the workbook if `sheet` is null. */
  namesOf(sheet: string | null): Promise<readonly { readonly name: string; readonly formula: string }[]>;
  /** Number of the workbook's names on a page of `top` names after `skip` others. */
  pageOfNames(top: number, skip: number): Promise<number>;
  /** Writes the cell in an undo group. Returns Excel's error code, or null if Excel accepts it. */
  groupRefusal(cell: CellRef): Promise<string | null>;
  /** The selection that Excel reports. */
  selected(): Promise<Area>;
}
