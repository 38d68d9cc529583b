/**
 * What passes between the grid and the custom functions: cell values, cell errors with their reason,
 * and the result of a call. Plain data only, because the functions live in the pane's frame, another
 * realm, where `instanceof` fails. Knows neither the grid's engine nor the DOM.
 */

export type Scalar = string | number | boolean | null;

/** An Excel error as the cell shows it, with the text a person gets when they ask why. */
export interface CellFault {
  readonly error: string;
  readonly reason: string | null;
}

/** A number that brings the format to show it with, as Excel's data type does. */
export interface FormattedNumber {
  readonly number: number;
  readonly format: string;
}

/** What a cell gives to a formula. */
export type CellInput = Scalar | CellFault;

/** What a function gives to a cell. */
export type ResultContent = CellInput | FormattedNumber;

/** An argument of a formula: one value, or the values of a range as rows. */
export type Argument = CellInput | readonly (readonly CellInput[])[];

/** What a call ends with: one value, or rows that spill. */
export type CallResult =
  | { readonly kind: "value"; readonly value: ResultContent }
  | { readonly kind: "rows"; readonly rows: readonly (readonly ResultContent[])[] };

/** A cell, by the grid's own id of its sheet, so that renaming a sheet changes nothing. */
export interface CellPlace {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
}

/** Shown while a call is under way, as in Excel. */
export const pendingText = "#BUSY!";

export function isFault(content: ResultContent): content is CellFault {
  return typeof content === "object" && content !== null && "error" in content;
}

export function fault(error: string, reason: string | null = null): CellFault {
  return { error, reason };
}

/** One text per cell, for use as a key. */
export function placeKey(place: CellPlace): string {
  return `${place.sheetId}:${place.row}:${place.col}`;
}
