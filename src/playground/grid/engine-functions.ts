/**
 * The functions the grid's formula engine is given: one per function of functions.json, and IFERROR,
 * IFNA, ISERROR and ISERR anew, because the engine's own take a pending value for an error and would
 * show a planner's fallback (often 0) while the true number is on its way.
 */
import type { Ctor } from "@univerjs/core";
import {
  type ArrayValueObject,
  BaseFunction,
  type BaseValueObject,
  BooleanValueObject,
  type ErrorValueObject,
  FunctionType,
  type IFunctionInfo,
} from "@univerjs/preset-sheets-core";
import type { Argument, CallResult, CellPlace } from "../cell-values";
import type { FunctionDescription, FunctionsFile } from "../functions-file";
import { arrayOf, fromEngine, isPendingError, pendingValue, toEngine } from "./engine-values";

export type EngineFunction = [Ctor<BaseFunction>, string];

/** What people type before the dot; functions.json leaves it to the manifest. */
const namespace = "INV";

type Evaluate = (
  description: FunctionDescription,
  place: CellPlace,
  given: readonly Argument[],
) => CallResult;

/** The add-in's functions, each handing its evaluated arguments to `evaluate`. */
export function addInFunctions(file: FunctionsFile, evaluate: Evaluate): EngineFunction[] {
  return file.functions.map((description) => {
    class AddInFunction extends BaseFunction {
      // The number of arguments is judged with the rest of them, so that its error has a reason.
      override minParams = -1;
      override maxParams = -1;

      override calculate(...given: BaseValueObject[]): BaseValueObject {
        const place = { sheetId: this.subUnitId ?? "", row: this.row, col: this.column };
        return toEngine(evaluate(description, place, given.map(fromEngine)));
      }
    }
    return [AddInFunction, functionName(description)];
  });
}

/** What the formula editor offers while a function is typed. */
export function functionInfos(file: FunctionsFile): IFunctionInfo[] {
  return file.functions.map((description) => ({
    functionName: functionName(description),
    functionType: FunctionType.User,
    description: description.description,
    abstract: description.description,
    functionParameter: description.parameters.map((parameter) => ({
      name: parameter.name,
      detail: parameter.description,
      example: "",
      require: parameter.optional ? 0 : 1,
      repeat: 0,
    })),
  }));
}

/** IFERROR, IFNA, ISERROR and ISERR that let a pending value through. */
export function patientFunctions(): EngineFunction[] {
  const isNa = (error: string) => error === "#N/A";
  return [
    [fallbackFunction(() => true), "IFERROR"],
    [fallbackFunction(isNa), "IFNA"],
    [testFunction(() => true), "ISERROR"],
    [testFunction((error) => !isNa(error)), "ISERR"],
  ];
}

function functionName(description: FunctionDescription): string {
  return `${namespace}.${description.name}`.toUpperCase();
}

function fallbackFunction(caught: (error: string) => boolean): Ctor<BaseFunction> {
  return class extends BaseFunction {
    override minParams = 2;
    override maxParams = 2;

    override calculate(value: BaseValueObject, fallback: BaseValueObject): BaseValueObject {
      const replaced = (one: BaseValueObject, row: number, col: number) =>
        one.isError() && caught(errorOf(one)) ? element(fallback, row, col) : one;
      return eachValue(value, replaced);
    }
  };
}

function testFunction(caught: (error: string) => boolean): Ctor<BaseFunction> {
  return class extends BaseFunction {
    override minParams = 1;
    override maxParams = 1;

    override calculate(value: BaseValueObject): BaseValueObject {
      return eachValue(value, (one) => BooleanValueObject.create(one.isError() && caught(errorOf(one))));
    }
  };
}

function eachValue(
  value: BaseValueObject,
  change: (one: BaseValueObject, row: number, col: number) => BaseValueObject,
): BaseValueObject {
  if (!value.isArray()) return isPendingError(value) ? value : change(value, 0, 0);
  const array = value as ArrayValueObject;
  const rows: BaseValueObject[][] = [];
  for (let row = 0; row < array.getRowCount(); row += 1) {
    const cells: BaseValueObject[] = [];
    for (let col = 0; col < array.getColumnCount(); col += 1) {
      const one = element(array, row, col);
      if (isPendingError(one)) return pendingValue();
      cells.push(change(one, row, col));
    }
    rows.push(cells);
  }
  const only = rows[0]?.[0];
  return rows.length === 1 && rows[0]?.length === 1 && only !== undefined ? only : arrayOf(rows);
}

/** One element of an array; an array of one row or column, or a single value, stretches. */
function element(value: BaseValueObject, row: number, col: number): BaseValueObject {
  if (!value.isArray()) return value;
  const array = value as ArrayValueObject;
  const atRow = array.getRowCount() === 1 ? 0 : row;
  const atCol = array.getColumnCount() === 1 ? 0 : col;
  return array.get(atRow, atCol) ?? toEngine({ kind: "value", value: null });
}

function errorOf(value: BaseValueObject): string {
  return (value as ErrorValueObject).getErrorType();
}
