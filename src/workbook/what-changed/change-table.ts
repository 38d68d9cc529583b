/**
 * A list of changes as a table on a new sheet. It contains only values: items stay text, with their leading zeros, and other
 * people's text never becomes a formula.
 */
import type { CellRegister } from "../../cells/cell-register";
import { areaAddress, functionAddress } from "../addresses";
import { buildSheet } from "../build-sheet";
import type { CellContent, CellRef, Workbook } from "../port";
import { rowTexts } from "../row-texts";
import type { ChangedCell, ValueChange } from "./report";

const header = ["Cell", "Store", "Item", "Text in the row", "Before", "After"] as const;
const widthsPx = [130, 70, 140, 200, 90, 90];

export function addressOf({ sheet, row, col }: CellRef): string {
  return functionAddress(sheet, areaAddress({ row, col, rows: 1, cols: 1 }));
}

/** Writes one line for each value to a new sheet that is named after the time. Resolves with the sheet's name. */
export async function writeChangeSheet(
  options: { readonly workbook: Workbook; readonly cells: CellRegister },
  changed: readonly ChangedCell[],
  atMs: number,
): Promise<string> {
  const changes = changed.flatMap(({ values }) => values);
  const texts = await rowTexts(options, changes);
  const rows = changes.map((change, index) => rowOf(change, texts[index] ?? ""));
  const name = `Changes ${localTime(atMs)}`;
  return buildSheet(options.workbook, { name, frozenRows: 1, widthsPx, header, rows });
}

function rowOf(change: ValueChange, text: string): CellContent[] {
  const store = change.store === "" ? null : Number(change.store);
  return [addressOf(change), store, change.item, text, change.before, change.after];
}

/** Returns `2026-11-22 14.03`, because sheet names can't contain a colon. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}.${two(at.getMinutes())}`;
}
