/**
 * Functions for the grid's formula engine: one for each function of functions.json, INV's own IFERROR, IFNA, ISERROR,
 * ISERR and TODAY, and limits for some of the engine's. The engine's first four treat a pending value as an error, and
 * would show a planner's fallback (often 0) while the number is on its way. Its TODAY is the day in UTC, although its
 * NOW is local.
 */
import { BooleanNumber, type Ctor, type Nullable } from "@univerjs/core";
import {
  ArrayValueObject,
  BaseFunction,
  type BaseValueObject,
  BooleanValueObject,
  ErrorType,
  ErrorValueObject,
  functionLogical,
  functionLookup,
  functionMath,
  FunctionType,
  type FunctionVariantType,
  type IFunctionInfo,
  NullValueObject,
  NumberValueObject,
} from "@univerjs/preset-sheets-core";
import { serialFromMs } from "../../../domain/dates";
import { sheetCols, sheetRows } from "../../../formula/columns";
import { type Argument, type CallResult, type CellPlace, pendingText } from "../../functions/cell-values";
import type { FunctionDescription } from "../../functions/functions-file";
import { arrayOf, errorOf, fromEngine, toEngine } from "./engine-values";

export type EngineFunction = [Ctor<BaseFunction>, string];

/** The part before the dot. functions.json leaves it to the manifest. */
const namespace = "INV";

type Evaluate = (
  description: FunctionDescription,
  place: CellPlace,
  callArguments: readonly Argument[],
) => CallResult;

/** The add-in's functions. Each passes its evaluated arguments to `evaluate`. */
export function addInFunctions(
  descriptions: readonly FunctionDescription[],
  evaluate: Evaluate,
): EngineFunction[] {
  return descriptions.map((description) => {
    class AddInFunction extends BaseFunction {
      // `evaluate` checks the number of arguments, so that the error has a reason.
      override minParams = -1;
      override maxParams = -1;

      override calculate(...args: BaseValueObject[]): BaseValueObject {
        const place = { sheetId: this.subUnitId ?? "", row: this.row, col: this.column };
        const plain = args.map((value) => fromEngine(value));
        return toEngine(evaluate(description, place, plain));
      }
    }
    return [AddInFunction, functionName(description)];
  });
}

/** What the formula editor suggests while a person types. */
export function functionInfos(descriptions: readonly FunctionDescription[]): IFunctionInfo[] {
  return descriptions.map((description) => ({
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

/** IFERROR, IFNA, ISERROR and ISERR, which return a pending value as it is. */
export function pendingAwareFunctions(): EngineFunction[] {
  const isNa = (error: string) => error === "#N/A";
  return [
    [fallbackFunction(() => true), "IFERROR"],
    [fallbackFunction(isNa), "IFNA"],
    [testFunction(() => true), "ISERROR"],
    [testFunction((error) => !isNa(error)), "ISERR"],
  ];
}

/** TODAY, the day on the person's clock. */
export function clockFunctions(): EngineFunction[] {
  class Today extends BaseFunction {
    override minParams = 0;
    override maxParams = 0;

    override calculate(): BaseValueObject {
      const now = new Date();
      const day = serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
      return NumberValueObject.create(day, "yyyy-mm-dd");
    }
  }
  return [[Today, "TODAY"]];
}

/** The name that people type, in capitals. */
function functionName(description: FunctionDescription): string {
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

/** Applies the change to every value; if one value is pending, the result is pending. */
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

/** Which arguments give the rows and the columns, and how many values there may be. */
const limits: Readonly<
  Record<string, { readonly rows: number; readonly cols: number; readonly maxValues: number }>
> = {
  SEQUENCE: { rows: 0, cols: 1, maxValues: 1_000_000 },
  RANDARRAY: { rows: 0, cols: 1, maxValues: 1_000_000 },
  EXPAND: { rows: 1, cols: 2, maxValues: 1_000_000 },
  MUNIT: { rows: 0, cols: 0, maxValues: 1_000_000 },
  // Each of its values is a calculation.
  MAKEARRAY: { rows: 0, cols: 1, maxValues: 100_000 },
};

/**
 * The grid's functions that make arrays of any size out of two numbers, bounded. The engine builds 100 million values for
 * `MAKEARRAY(10000,10000,…)`, which no page survives. Here such an array is #NUM!, before it is built. Some also give #REF! where
 * the sheet happens to end; here they end where Excel's sheets do, and the sheet grows.
 */
export function boundedFunctions(): EngineFunction[] {
  const functions = [...functionMath, ...functionLookup, ...functionLogical] as [
    Ctor<BaseFunction>,
    string,
  ][];
  return Object.entries(limits).map(([name, { rows, cols, maxValues }]) => {
    const found = functions.find(([, its]) => its === name);
    if (found === undefined) throw new Error(`This version of the grid has no function ${name}.`);
    class Bounded extends found[0] {
      override setSheetRowColumnCount(): void {
        super.setSheetRowColumnCount(sheetRows, sheetCols);
      }

      override calculate(...args: BaseValueObject[]): ReturnType<BaseFunction["calculate"]> {
        const size = largest(args[rows]) * largest(args[cols]);
        return size > maxValues ? ErrorValueObject.create(ErrorType.NUM) : super.calculate(...args);
      }
    }
    return [Bounded, name];
  });
}

/** The largest number in the argument; 1 if it is omitted. */
function largest(argument: FunctionVariantType | undefined): number {
  if (!argument?.isValueObject()) return 1;
  let size = 1;
  const look = (value: Nullable<BaseValueObject>): void => {
    if (value?.isNumber()) size = Math.max(size, Number(value.getValue()));
  };
  if (argument.isArray()) (argument as ArrayValueObject).iterator((value) => look(value));
  else look(argument as BaseValueObject);
  return size;
}
