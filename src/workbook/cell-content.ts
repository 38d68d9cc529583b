/**
 * The content of a cell with its kind: an error differs from a text that looks like one, and stays an error when it is written
 * again. Errors have their English names in every language of the host.
 */
import type { CellContent, CellError, CellValue } from "./port";

/** Errors that a person can type into a cell. */
const enterable: ReadonlySet<string> = new Set([
  "#N/A",
  "#VALUE!",
  "#REF!",
  "#NAME?",
  "#DIV/0!",
  "#NUM!",
  "#NULL!",
]);

/** Names of errors by Office's kind of error (Excel.ErrorCellValueType). */
const namesByKind: Readonly<Record<string, string>> = {
  NotAvailable: "#N/A",
  Value: "#VALUE!",
  Ref: "#REF!",
  Name: "#NAME?",
  Div0: "#DIV/0!",
  Num: "#NUM!",
  Null: "#NULL!",
  Busy: "#BUSY!",
  GettingData: "#GETTING_DATA",
  Spill: "#SPILL!",
  Calc: "#CALC!",
  Connect: "#CONNECT!",
  Blocked: "#BLOCKED!",
  Field: "#FIELD!",
  External: "#EXTERNAL!",
};
const errorNames: ReadonlySet<string> = new Set(Object.values(namesByKind));

export function isError(content: CellContent | undefined): content is CellError {
  return typeof content === "object" && content !== null;
}

export function isBlank(content: CellContent | undefined): boolean {
  return content === null || content === undefined || content === "";
}

export function withoutKind(content: CellContent): CellValue {
  return isError(content) ? content.error : content;
}

/** Converts a value in hosts where a text that looks like an error is an error. */
export function withKind(value: CellValue): CellContent {
  return isErrorName(value) ? { error: value } : value;
}

export function isErrorName(value: unknown): value is string {
  return typeof value === "string" && errorNames.has(value);
}

export function isEnterable(content: CellContent): boolean {
  return !isError(content) || enterable.has(content.error);
}

/** Returns what a cell contains after its formula is removed: an error that nobody can type becomes #VALUE!. */
export function withoutFormula(content: CellContent): CellContent {
  return isEnterable(content) ? content : { error: "#VALUE!" };
}

export function errorNamed(kind: string): string | undefined {
  return namesByKind[kind];
}
