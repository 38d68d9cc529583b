/**
 * The grid's functions that make arrays of any size out of two numbers, bounded. The engine builds 100 million values for
 * `MAKEARRAY(10000,10000,…)`, which no page survives. Here such an array is #NUM!, before it is built. Some also give #REF! where
 * the sheet happens to end; here they end where Excel's sheets do, and the sheet grows.
 */
import type { Ctor, Nullable } from "@univerjs/core";
import {
  type ArrayValueObject,
  type BaseFunction,
  type BaseValueObject,
  ErrorType,
  ErrorValueObject,
  functionLogical,
  functionLookup,
  functionMath,
  type FunctionVariantType,
} from "@univerjs/preset-sheets-core";
import { sheetCols, sheetRows } from "../../../formula/columns";
import type { EngineFunction } from "./engine-functions";

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
