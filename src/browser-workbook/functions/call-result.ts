/**
 * Converts what a custom function returned or threw to what its cell shows, as Excel's runtime does. Errors
 * come from another realm (see `cell-values.ts`), so their code decides, not their class. Nothing here
 * throws: every outcome becomes a result, so no cell waits forever.
 */
import { type CallResult, type ResultContent, type CellFault, fault } from "./cell-values";

export const errorCodes = {
  invalidValue: "#VALUE!",
  notAvailable: "#N/A",
  divisionByZero: "#DIV/0!",
  invalidNumber: "#NUM!",
  nullReference: "#NULL!",
  invalidName: "#NAME?",
  invalidReference: "#REF!",
} as const;

/** `CustomFunctions.Error` of the browser workbook: a code for the cell and a reason for the person. */
export class CustomFunctionError extends Error {
  constructor(
    readonly code: string,
    message?: string,
  ) {
    super(message ?? "");
  }
}

export function readResult(returned: unknown): CallResult {
  if (!Array.isArray(returned)) return { kind: "value", value: readContent(returned) };
  const rows = (returned as readonly unknown[]).map((row) =>
    Array.isArray(row) ? (row as readonly unknown[]).map(readContent) : [readContent(row)],
  );
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) return { kind: "value", value: fault("#CALC!", "The function returned no rows.") };
  const only = rows[0]?.[0];
  if (rows.length === 1 && width === 1 && only !== undefined) return { kind: "value", value: only };
  return { kind: "rows", rows: rows.map((row) => [...row, ...blanks(width - row.length)]) };
}

export function readThrown(thrown: unknown): CallResult {
  const fromFunction = readFault(thrown);
  return {
    kind: "value",
    value: fromFunction ?? fault("#VALUE!", "The function failed and gave no reason."),
  };
}

function readContent(value: unknown): ResultContent {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  // Excel shows 0 for null; functions return an empty text for a blank cell.
  if (value === null || value === undefined) return 0;
  if (typeof value === "number" && !Number.isNaN(value)) {
    return fault("#NUM!", "The function returned a number that is too large.");
  }
  const read = readFault(value) ?? readFormatted(value);
  return read ?? fault("#VALUE!", "The function returned a value that no cell can show.");
}

/** Expects `{ type: "Double", basicType: "Double", basicValue, numberFormat }`. */
function readFormatted(value: unknown): ResultContent | null {
  if (typeof value !== "object" || value === null) return null;
  const number: unknown = Reflect.get(value, "basicValue");
  const format: unknown = Reflect.get(value, "numberFormat");
  if (Reflect.get(value, "basicType") !== "Double" || typeof number !== "number") return null;
  return typeof format === "string" ? { number, format } : readContent(number);
}

function readFault(value: unknown): CellFault | null {
  if (typeof value !== "object" || value === null) return null;
  const code: unknown = Reflect.get(value, "code");
  const message: unknown = Reflect.get(value, "message");
  if (typeof code !== "string" || !Object.values<string>(errorCodes).includes(code)) return null;
  // Excel accepts #NAME? and #REF! only from formulas; from a function they become #VALUE!.
  const error = code === errorCodes.invalidName || code === errorCodes.invalidReference ? "#VALUE!" : code;
  return fault(error, typeof message === "string" && message !== "" ? message : null);
}

function blanks(count: number): ResultContent[] {
  return new Array<ResultContent>(count).fill("");
}
