/**
 * The functions the grid's formula engine is given: one per function of functions.json, and IFERROR,
 * IFNA, ISERROR and ISERR anew, because the engine's own take a pending value for an error and would
 * show a planner's fallback (often 0) while the true number is on its way.
 */
import { BooleanNumber, type Ctor } from "@univerjs/core";
import {
  ArrayValueObject,
  BaseFunction,
  type BaseValueObject,
  BooleanValueObject,
  FunctionType,
  type IFunctionInfo,
  NullValueObject,
} from "@univerjs/preset-sheets-core";
import { type Argument, type CallResult, type CellPlace, pendingText } from "../../functions/cell-values";
import type { FunctionDescription, FunctionsFile } from "../../functions/functions-file";
import { arrayOf, errorOf, fromEngine, toEngine } from "./engine-values";

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
      example: parameter.name,
      require: parameter.optional ? BooleanNumber.FALSE : BooleanNumber.TRUE,
      repeat: BooleanNumber.FALSE,
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

/** As people type it, in capitals. */
export function functionName(description: FunctionDescription): string {
  return `${namespace}.${description.name}`.toUpperCase();
}

function fallbackFunction(caught: (error: string) => boolean): Ctor<BaseFunction> {
  return class extends BaseFunction {
    override minParams = 2;
    override maxParams = 2;

    override calculate(value: BaseValueObject, fallback: BaseValueObject): BaseValueObject {
      return eachValue(value, (one, row, col) => (isCaught(one, caught) ? element(fallback, row, col) : one));
    }
  };
}

function testFunction(caught: (error: string) => boolean): Ctor<BaseFunction> {
  return class extends BaseFunction {
    override minParams = 1;
    override maxParams = 1;

    override calculate(value: BaseValueObject): BaseValueObject {
      return eachValue(value, (one) => BooleanValueObject.create(isCaught(one, caught)));
    }
  };
}

function isCaught(value: BaseValueObject, caught: (error: string) => boolean): boolean {
  const error = errorOf(value);
  return error !== null && caught(error);
}

/** The change made to every value; a pending value anywhere makes the whole pending. */
function eachValue(
  value: BaseValueObject,
  change: (one: BaseValueObject, row: number, col: number) => BaseValueObject,
): BaseValueObject {
  if (!(value instanceof ArrayValueObject)) {
    return errorOf(value) === pendingText ? value : change(value, 0, 0);
  }
  const rows: BaseValueObject[][] = [];
  for (let row = 0; row < value.getRowCount(); row += 1) {
    const cells: BaseValueObject[] = [];
    for (let col = 0; col < value.getColumnCount(); col += 1) {
      const one = element(value, row, col);
      if (errorOf(one) === pendingText) return one;
      cells.push(change(one, row, col));
    }
    rows.push(cells);
  }
  const only = rows[0]?.[0];
  return rows.length === 1 && rows[0]?.length === 1 && only !== undefined ? only : arrayOf(rows);
}

/** One element of an array; an array of one row or column, or a single value, stretches. */
function element(value: BaseValueObject, row: number, col: number): BaseValueObject {
  if (!(value instanceof ArrayValueObject)) return value;
  const atRow = value.getRowCount() === 1 ? 0 : row;
  const atCol = value.getColumnCount() === 1 ? 0 : col;
  return value.get(atRow, atCol) ?? NullValueObject.create();
}
