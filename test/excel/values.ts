/** What a range's cells show, as each of Office's properties tells it. */
import type { Block } from "../../src/workbook/cell-areas";
import { type Culture, errorKinds } from "./culture";
import { type Cell, contents, type HostSheet, isErrorCell } from "./sheet";

interface Shown {
  readonly values: unknown[][];
  readonly text: unknown[][];
  readonly valueTypes: unknown[][];
  readonly valuesAsJson: unknown[][];
}

export function shownBy(sheet: HostSheet, block: Block, culture: Culture): Shown {
  const map = (spell: (cell: Cell) => unknown): unknown[][] =>
    contents(sheet, block, "values").map((row) => row.map(spell));
  const plain = (cell: Cell): unknown =>
    isErrorCell(cell) ? (culture.errors[cell.error] ?? cell.error) : cell;
  return {
    get values() {
      return map(plain);
    },
    get text() {
      return map((cell) => String(plain(cell)));
    },
    get valueTypes() {
      return map(typeOf);
    },
    get valuesAsJson() {
      return map((cell) =>
        isErrorCell(cell)
          ? { type: "Error", basicType: "Error", basicValue: cell.error, errorType: errorKinds[cell.error] }
          : { type: typeOf(cell), basicType: typeOf(cell), basicValue: cell },
      );
    },
  };
}

/** `Excel.RangeValueType`. */
function typeOf(cell: Cell): string {
  if (isErrorCell(cell)) return "Error";
  if (cell === "") return "Empty";
  if (typeof cell === "number") return "Double";
  return typeof cell === "string" ? "String" : "Boolean";
}
