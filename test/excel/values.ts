/**
 * What a range's cells show in each of Office's properties. Only `valuesAsJson` contains a format that a value brings
 * (documented for DoubleCellValue; office-js 6100). The cell shows this format if its own format is General.
 */
import type { Block } from "./block";
import { type Culture, errorKinds } from "./culture";
import { numberFormats } from "./formatting";
import { type Cell, contents, type HostSheet, isErrorCell, isFormattedCell } from "./sheet";

interface Shown {
  readonly values: unknown[][];
  readonly text: unknown[][];
  readonly valueTypes: unknown[][];
  readonly valuesAsJson: unknown[][];
}

export function shownBy(sheet: HostSheet, block: Block, culture: Culture): Shown {
  const map = (spell: (cell: Cell) => unknown): unknown[][] =>
    contents(sheet, block, "values").map((row) => row.map(spell));
  const plain = (cell: Cell): unknown => {
    if (isFormattedCell(cell)) return cell.number;
    return isErrorCell(cell) ? (culture.errors[cell.error] ?? cell.error) : cell;
  };
  return {
    get values() {
      return map(plain);
    },
    get text() {
      const own = numberFormats(sheet, block);
      return contents(sheet, block, "values").map((row, r) =>
        row.map((cell, c) => shownText(plain(cell), shownFormat(cell, own[r]?.[c]))),
      );
    },
    get valueTypes() {
      return map(typeOf);
    },
    get valuesAsJson() {
      return map((cell) => {
        if (isErrorCell(cell)) {
          return {
            ...{ type: "Error", basicType: "Error", basicValue: cell.error },
            errorType: errorKinds[cell.error],
          };
        }
        const json = { type: typeOf(cell), basicType: typeOf(cell), basicValue: plain(cell) };
        return isFormattedCell(cell) ? { ...json, numberFormat: cell.format } : json;
      });
    },
  };
}

function shownFormat(cell: Cell, own: unknown): unknown {
  return own === "General" && isFormattedCell(cell) ? cell.format : own;
}

/** Formats only INV's times; other formats are ignored. */
function shownText(value: unknown, format: unknown): string {
  if (typeof value !== "number" || format !== "yyyy-mm-dd hh:mm") return String(value);
  return new Date((value - 25_569) * 86_400_000).toISOString().slice(0, 16).replace("T", " ");
}

/** `Excel.RangeValueType`. */
function typeOf(cell: Cell): string {
  if (isErrorCell(cell)) return "Error";
  if (cell === "") return "Empty";
  if (typeof cell === "number" || isFormattedCell(cell)) return "Double";
  return typeof cell === "string" ? "String" : "Boolean";
}
