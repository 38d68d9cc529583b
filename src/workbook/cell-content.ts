/**
 * What a cell holds, with its kind: an error is told from a text that reads the same, and has its English
 * name whatever language the host speaks. Whoever writes values that were read keeps errors errors by it.
 */
import type { CellContent, CellError, CellValue } from "./port";

/** Errors that may be entered by themselves, as constants. */
const enterable: ReadonlySet<string> = new Set([
  "#N/A",
  "#VALUE!",
  "#REF!",
  "#NAME?",
  "#DIV/0!",
  "#NUM!",
  "#NULL!",
]);

/** By the kind that Office gives an error (Excel.ErrorCellValueType). */
const names: Readonly<Record<string, string>> = {
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
const known: ReadonlySet<string> = new Set(Object.values(names));

export function isError(content: CellContent | undefined): content is CellError {
  return typeof content === "object" && content !== null;
}

/** An empty cell, or a formula that gives "". */
export function isBlank(content: CellContent | undefined): boolean {
  return content === null || content === undefined || content === "";
}

/** An error is its name. */
export function withoutKind(content: CellContent): CellValue {
  return isError(content) ? content.error : content;
}

/** For hosts in which a text that reads like an error is one. */
export function withKind(value: CellValue): CellContent {
  return isErrorName(value) ? { error: value } : value;
}

export function isErrorName(value: unknown): value is string {
  return typeof value === "string" && known.has(value);
}

/** An error that stands in a cell without a formula. */
export function canStand(content: CellContent): boolean {
  return !isError(content) || enterable.has(content.error);
}

/** What a cell without its formula shows in its place: errors that cannot stand become #VALUE!. */
export function standing(content: CellContent): CellContent {
  return canStand(content) ? content : { error: "#VALUE!" };
}

/** The English name of Office's kind of error; undefined for one that is not known. */
export function errorNamed(kind: string): string | undefined {
  return names[kind];
}
