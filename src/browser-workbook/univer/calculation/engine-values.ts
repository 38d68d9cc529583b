/**
 * Converts cell values to and from the engine's. Text stays text: a GTIN such as 00012345678905 becomes the engine's text
 * type and is never parsed.
 */
import type { Nullable } from "@univerjs/core";
import {
  ArrayValueObject,
  type BaseValueObject,
  BooleanValueObject,
  ERROR_TYPE_SET,
  ErrorValueObject,
  NullValueObject,
  NumberValueObject,
  StringValueObject,
} from "@univerjs/preset-sheets-core";
import {
  type Argument,
  type CallResult,
  type ResultContent,
  type CellInput,
  fault,
  type FormattedNumber,
  isFault,
  pendingText,
} from "../../functions/cell-values";

/** Makes Excel's #BUSY! an error of the engine, which passes through operators and references. Its own is #GETTING_DATA. */
export function addPendingErrorType(): void {
  (ERROR_TYPE_SET as Set<string>).add(pendingText);
}

/** Converts an evaluated argument to plain data. */
export function fromEngine(value: BaseValueObject): Argument {
  if (!(value instanceof ArrayValueObject)) return contentOf(value);
  const rows: CellInput[][] = [];
  for (let row = 0; row < value.getRowCount(); row += 1) {
    const cells: CellInput[] = [];
    for (let col = 0; col < value.getColumnCount(); col += 1) cells.push(contentOf(value.get(row, col)));
    rows.push(cells);
  }
  return rows;
}

/** Converts the result of a call; rows spill. */
export function toEngine(result: CallResult): BaseValueObject {
  if (result.kind === "value") return valueOf(result.value);
  return arrayOf(result.rows.map((row) => row.map(valueOf)));
}

export function arrayOf(rows: BaseValueObject[][]): ArrayValueObject {
  return ArrayValueObject.create({
    calculateValueList: rows,
    rowCount: rows.length,
    columnCount: rows[0]?.length ?? 0,
    unitId: "",
    sheetId: "",
    row: -1,
    column: -1,
  });
}

/** The error as cells show it; null for any other value. */
export function errorOf(value: BaseValueObject): string | null {
  return value instanceof ErrorValueObject ? value.getErrorType() : null;
}

/** Makes an error of the engine from the text that cells show. */
export function errorValue(error: string): ErrorValueObject {
  return (ErrorValueObject as { create(error: string): ErrorValueObject }).create(error);
}

function contentOf(value: Nullable<BaseValueObject>): CellInput {
  if (!value || value.isNull()) return null;
  const error = errorOf(value);
  if (error !== null) return fault(error);
  return value.isLambda() ? fault("#VALUE!") : value.getValue();
}

function valueOf(content: ResultContent): BaseValueObject {
  if (isFault(content)) return errorValue(content.error);
  switch (typeof content) {
    case "number":
      return NumberValueObject.create(content);
    case "string":
      return StringValueObject.create(content);
    case "boolean":
      return BooleanValueObject.create(content);
    default:
      return content === null ? NullValueObject.create() : formattedNumber(content);
  }
}

/** The engine applies the format to a cell without its own. */
function formattedNumber({ number, format }: FormattedNumber): BaseValueObject {
  const value = NumberValueObject.create(number);
  value.setPattern(format);
  return value;
}
