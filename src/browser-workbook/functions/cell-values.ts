/**
 * The data that the grid and the custom functions exchange: cell values, cell errors with their reason, and results of
 * calls. Plain data only, because the functions run in the pane's frame, another realm, where `instanceof` fails.
 * Independent of the grid's engine and the DOM.
 */

export type Scalar = string | number | boolean | null;

export interface CellFault {
  readonly error: string;
  readonly reason: string | null;
}

/** A number with its number format, as in Excel's data type. */
export interface FormattedNumber {
  readonly number: number;
  readonly format: string;
}

export type CellInput = Scalar | CellFault;

export type ResultContent = CellInput | FormattedNumber;

export type Argument = CellInput | readonly (readonly CellInput[])[];

/** The result of a call: one value, or rows that spill. */
export type CallResult =
  | { readonly kind: "value"; readonly value: ResultContent }
  | { readonly kind: "rows"; readonly rows: readonly (readonly ResultContent[])[] };

/** A cell, by the grid's id of its sheet, so that renaming the sheet changes nothing. */
export interface CellPlace {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
}

/** Shown while a call is in progress, as in Excel. */
export const pendingText = "#BUSY!";

export function isFault(content: ResultContent): content is CellFault {
  return typeof content === "object" && content !== null && "error" in content;
}

export function fault(error: string, reason: string | null = null): CellFault {
  return { error, reason };
}

export function placeKey(place: CellPlace): string {
  return `${place.sheetId}:${place.row}:${place.col}`;
}
