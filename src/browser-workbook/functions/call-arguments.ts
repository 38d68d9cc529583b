/**
 * Converts a formula's arguments to a function's parameters, as Excel does. An omitted argument becomes null. A single
 * value for a range parameter becomes a range of one cell. A range for a single-value parameter gives #CALC!, and only
 * `any` parameters receive errors. Types follow functions.json.
 */
import { type Argument, type CellInput, type CellFault, fault, isFault, pendingText } from "./cell-values";
import type { FunctionDescription, FunctionParameter } from "./functions-file";

interface ErrorCellValue {
  readonly type: "Error";
  readonly basicType: "Error";
  readonly basicValue: string;
  readonly errorType: string;
}

type Parameter = string | number | boolean | null | ErrorCellValue;
export type Parameters = readonly (Parameter | Parameter[][])[];

export type PreparedCall = { readonly parameters: Parameters } | { readonly fault: CellFault };

export function prepareArguments(
  description: FunctionDescription,
  given: readonly Argument[],
  errorsReachFunctions: boolean,
): PreparedCall {
  const waiting = given.some((argument) =>
    contents(argument).some((one) => isFault(one) && one.error === pendingText),
  );
  if (waiting) return { fault: fault(pendingText) };
  if (given.length > description.parameters.length) return { fault: tooMany(description) };
  const prepared: (Parameter | Parameter[][])[] = [];
  for (const [index, parameter] of description.parameters.entries()) {
    const argument = given[index] ?? null;
    const omitted = index >= given.length;
    if (omitted && !parameter.optional) return { fault: missing(description, parameter) };
    const one = omitted ? null : convert(argument, parameter, errorsReachFunctions);
    if (isStop(one)) return { fault: one.stop };
    prepared.push(one);
  }
  return { parameters: prepared };
}

interface Stop {
  readonly stop: CellFault;
}

function isStop(value: unknown): value is Stop {
  return typeof value === "object" && value !== null && "stop" in value;
}

function convert(
  argument: Argument,
  parameter: FunctionParameter,
  errorsReach: boolean,
): Parameter | Parameter[][] | Stop {
  if (!isRows(argument)) {
    // An empty argument between two commas is null, whatever the parameter's shape.
    if (argument === null && parameter.optional) return null;
    const one = convertOne(argument, parameter, errorsReach);
    return parameter.matrix && !isStop(one) ? [[one]] : one;
  }
  if (!parameter.matrix) {
    const single = argument.length === 1 && argument[0]?.length === 1 ? (argument[0][0] ?? null) : undefined;
    if (single === undefined) {
      return { stop: fault("#CALC!", `${parameter.name} takes one value, not a range. Give one cell.`) };
    }
    return convertOne(single, parameter, errorsReach);
  }
  const rows: Parameter[][] = [];
  for (const row of argument) {
    const cells: Parameter[] = [];
    for (const content of row) {
      // Blank cells in a range arrive as empty text.
      const one = convertOne(content ?? "", parameter, errorsReach);
      if (isStop(one)) return one;
      cells.push(one);
    }
    rows.push(cells);
  }
  return rows;
}

function convertOne(
  content: CellInput,
  parameter: FunctionParameter,
  errorsReach: boolean,
): Parameter | Stop {
  if (isFault(content)) {
    return errorsReach && parameter.type === "any" ? errorValue(content) : { stop: content };
  }
  switch (parameter.type) {
    case "any":
      return content;
    case "string":
      return typeof content === "boolean" ? String(content).toUpperCase() : String(content ?? "");
    case "number": {
      const number = content === "" ? Number.NaN : Number(content ?? 0);
      return Number.isFinite(number) ? number : wrongType(parameter, "a number");
    }
    case "boolean": {
      if (typeof content !== "string") return Boolean(content);
      const word = content.trim().toUpperCase();
      return word === "TRUE" || word === "FALSE" ? word === "TRUE" : wrongType(parameter, "TRUE or FALSE");
    }
  }
}

const errorTypes: Readonly<Record<string, string>> = {
  "#N/A": "NotAvailable",
  "#VALUE!": "Value",
  "#DIV/0!": "Div0",
  "#NUM!": "Num",
  "#NULL!": "Null",
  "#NAME?": "Name",
  "#REF!": "Ref",
  "#SPILL!": "Spill",
  "#CALC!": "Calc",
};

function errorValue(content: CellFault): ErrorCellValue {
  const errorType = errorTypes[content.error] ?? "Value";
  return { type: "Error", basicType: "Error", basicValue: content.error, errorType };
}

function isRows(argument: Argument): argument is readonly (readonly CellInput[])[] {
  return Array.isArray(argument);
}

function contents(argument: Argument): readonly CellInput[] {
  return isRows(argument) ? argument.flat() : [argument];
}

function wrongType(parameter: FunctionParameter, expected: string): Stop {
  return { stop: fault("#VALUE!", `${parameter.name} must be ${expected}.`) };
}

function missing(description: FunctionDescription, parameter: FunctionParameter): CellFault {
  return fault("#VALUE!", `INV.${description.name} needs ${parameter.name}, which is missing.`);
}

function tooMany(description: FunctionDescription): CellFault {
  const most = description.parameters.length;
  const words = most === 0 ? "no arguments" : `at most ${most} ${most === 1 ? "argument" : "arguments"}`;
  return fault("#VALUE!", `INV.${description.name} takes ${words}.`);
}
