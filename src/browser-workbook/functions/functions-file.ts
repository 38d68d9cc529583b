/**
 * Reads functions.json, which also describes the add-in's functions to Excel. The browser workbook registers exactly
 * these functions and has no list of its own.
 */
import { field, text } from "../json-fields";

export interface FunctionParameter {
  readonly name: string;
  readonly description: string;
  /** True if the parameter takes ranges (`any[][]`). Otherwise a range is refused, as in Excel. */
  readonly isMatrix: boolean;
  readonly optional: boolean;
}

export interface FunctionDescription {
  readonly id: string;
  /** What people type after the namespace. */
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
}

/** Returns the functions of a parsed functions.json. Throws if it is invalid. */
export function readFunctionsFile(json: unknown): readonly FunctionDescription[] {
  const list = field(json, "functions");
  if (!Array.isArray(list)) {
    throw new Error("functions.json holds no list of functions. Build the add-in again.");
  }
  return list.map(readFunction);
}

function readFunction(json: unknown): FunctionDescription {
  const id = text(field(json, "id"));
  const name = text(field(json, "name")) || id;
  const parameters = field(json, "parameters");
  if (id === "") throw new Error("functions.json holds a function without an id. Build the add-in again.");
  return {
    id,
    name,
    description: text(field(json, "description")),
    parameters: Array.isArray(parameters) ? parameters.map(readParameter) : [],
  };
}

function readParameter(json: unknown): FunctionParameter {
  const name = text(field(json, "name"));
  if (field(json, "type") !== "any") {
    throw new Error(`functions.json gives ${name} a type; INV's parameters are all of the type any.`);
  }
  return {
    name,
    description: text(field(json, "description")),
    isMatrix: field(json, "dimensionality") === "matrix",
    optional: field(json, "optional") === true,
  };
}
