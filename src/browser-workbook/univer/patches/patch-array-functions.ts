/**
 * `BaseFunction.calculate` of the functions that make arrays of any size out of two numbers. The engine builds 100 million
 * values for `MAKEARRAY(10000,10000,…)`, which no page survives. Here such an array is #NUM!, before it is built.
 * `setSheetRowColumnCount`: some give #REF! where the sheet happens to end; here it ends where Excel's do, and grows.
 */
import type { Nullable } from "@univerjs/core";
import {
  type ArrayValueObject,
  type BaseValueObject,
  ErrorType,
  ErrorValueObject,
  type FunctionVariantType,
  IFunctionService,
} from "@univerjs/preset-sheets-core";
import { sheetCols, sheetRows } from "../../../formula/columns";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

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

export function patchArrayFunctions({ injector }: Pick<Grid, "injector">): void {
  const functions = injector.get(IFunctionService);
  for (const [name, { rows, cols, maxValues }] of Object.entries(limits)) {
    const executor = functions.getExecutor(name);
    if (!executor) throw new Error(`This version of the grid has no function ${name}, which INV bounds.`);
    replaceMember(executor, { of: name, member: "setSheetRowColumnCount" }, (set) => () => {
      set(sheetRows, sheetCols);
    });
    replaceMember(executor, { of: name, member: "calculate" }, (calculate) => (...args) => {
      const size = largest(args[rows]) * largest(args[cols]);
      return size > maxValues ? ErrorValueObject.create(ErrorType.NUM) : calculate(...args);
    });
  }
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
