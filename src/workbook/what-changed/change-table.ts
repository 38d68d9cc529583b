/**
 * A list of changes as a table on a new sheet. It contains only values: items stay text, with their leading zeros, and other
 * people's text never becomes a formula.
 */
import { msFromSerial } from "../../domain/dates";
import { areaAddress, functionAddress } from "../addresses";
import { buildSheet } from "../build-sheet";
import type { CellContent, CellValue, Workbook } from "../port";
import type { CellChange } from "./report";

const header = ["Cell", "Store", "Item", "Before", "After", "Difference"] as const;
const widthsPx = [130, 70, 140, 90, 90, 90];
/** The serial of 9999-12-31, the last day that Excel supports. */
const lastSerial = 2_958_465;

export function addressOf({ sheet, row, col }: Pick<CellChange, "sheet" | "row" | "col">): string {
  return functionAddress(sheet, areaAddress({ row, col, rows: 1, cols: 1 }));
}

/** Returns what the cell showed in a readable form; times become text. */
export function shownAs(content: CellContent, { isTime }: Pick<CellChange, "isTime">): CellContent {
  if (!isTime || typeof content !== "number" || Math.abs(content) >= lastSerial + 1) return content;
  return new Date(msFromSerial(content)).toISOString().slice(0, 16).replace("T", " ");
}

/** Writes the table to a new sheet that is named after the time. Resolves with the sheet's name. */
export function writeChangeSheet(
  workbook: Workbook,
  changes: readonly CellChange[],
  atMs: number,
): Promise<string> {
  const rows = changes.map(rowOf);
  return buildSheet(workbook, { name: `Changes ${localTime(atMs)}`, frozenRows: 1, widthsPx, header, rows });
}

function rowOf(change: CellChange): CellContent[] {
  const store: CellValue = change.store === "" ? null : Number(change.store);
  return [
    addressOf(change),
    store,
    change.item,
    shownAs(change.before, change),
    shownAs(change.after, change),
    change.difference,
  ];
}

/** Returns `2026-11-22 14.03`, because sheet names can't contain a colon. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}.${two(at.getMinutes())}`;
}
