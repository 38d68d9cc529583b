/**
 * Converts a formula's arguments to a function's parameters, as Excel does. An omitted argument becomes null. A single
 * value for a range parameter becomes a range of one cell. A range for a single-value parameter gives #CALC!. An error
 * becomes Excel's error value.
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
  callArguments: readonly Argument[],
): PreparedCall {
  const isWaiting = callArguments.some((argument) =>
    contents(argument).some((one) => isFault(one) && one.error === pendingText),
  );
  if (isWaiting) return { fault: fault(pendingText) };
  if (callArguments.length > description.parameters.length) return { fault: tooMany(description) };
  const parameters: (Parameter | Parameter[][])[] = [];
  for (const [index, parameter] of description.parameters.entries()) {
    const argument = callArguments[index] ?? null;
    const isOmitted = index >= callArguments.length;
    if (isOmitted && !parameter.optional) return { fault: missing(description, parameter) };
    const isRange = isRows(argument) && !(argument.length === 1 && argument[0]?.length === 1);
    if (isRange && !parameter.isMatrix) {
      return { fault: fault("#CALC!", `${parameter.name} takes one value, not a range. Give one cell.`) };
    }
    parameters.push(isOmitted ? null : convert(argument, parameter));
  }
  return { parameters };
}

function convert(argument: Argument, parameter: FunctionParameter): Parameter | Parameter[][] {
  if (!isRows(argument)) {
    // An empty argument between two commas is null, whatever the parameter's shape.
    if (argument === null && parameter.optional) return null;
    return parameter.isMatrix ? [[convertOne(argument)]] : convertOne(argument);
  }
  if (!parameter.isMatrix) return convertOne(argument[0]?.[0] ?? null);
  // Blank cells in a range arrive as empty text.
  return argument.map((row) => row.map((content) => convertOne(content ?? "")));
}

function convertOne(content: CellInput): Parameter {
  return isFault(content) ? errorValue(content) : content;
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

function missing(description: FunctionDescription, parameter: FunctionParameter): CellFault {
  return fault("#VALUE!", `INV.${description.name} needs ${parameter.name}, which is missing.`);
}

function tooMany(description: FunctionDescription): CellFault {
  const limit = description.parameters.length;
  const allowed = limit === 0 ? "no arguments" : `at most ${limit} ${limit === 1 ? "argument" : "arguments"}`;
  return fault("#VALUE!", `INV.${description.name} takes ${allowed}.`);
}
