/**
 * A list of changes as a table of cells, for the clipboard and for a sheet of its own: values alone. Items stay text,
 * their leading zeros with them, and what others have written never becomes a formula.
 */
import { msFromSerial } from "../../domain/dates";
import { areaAddress, functionAddress } from "../addresses";
import { isError } from "../cell-content";
import type { Area, CellContent, CellValue, Workbook } from "../port";
import { styles } from "../templates/styles";
import type { CellChange } from "./report";

const headings = ["Cell", "Store", "Item", "Before", "After", "Difference"] as const;
const widthsPx = [130, 70, 140, 90, 90, 90];
const rowsAtOnce = 5_000;
/** 9999-12-31, the last day that Excel knows. */
const lastSerial = 2_958_465;

/** Where the change is, as a formula would name it. */
export function addressOf({ sheet, row, col }: Pick<CellChange, "sheet" | "row" | "col">): string {
  return functionAddress(sheet, areaAddress({ row, col, rows: 1, cols: 1 }));
}

/** What a place showed, as a value that can be read: times in words. */
export function shownAs(content: CellContent, { isTime }: Pick<CellChange, "isTime">): CellContent {
  if (!isTime || typeof content !== "number" || Math.abs(content) >= lastSerial + 1) return content;
  return new Date(msFromSerial(content)).toISOString().slice(0, 16).replace("T", " ");
}

/**
 * The table as a spreadsheet takes it from the clipboard: tabs between cells. Each text comes as a formula that gives that
 * text, because a spreadsheet reads `Mar 3` as a date, `TRUE` as a boolean and `1-2` as either, in its own language.
 * @param decimal the person's decimal separator, in which numbers are typed
 */
export function asClipboardText(changes: readonly CellChange[], decimal: string): string {
  const spell = (content: CellContent): string => {
    if (isError(content)) return content.error;
    if (typeof content === "number") return String(content).replace(".", decimal);
    if (typeof content !== "string") return content === null ? "" : String(content).toUpperCase();
    const line = content.replaceAll(/[\t\r\n]+/g, " ");
    return line === "" ? "" : `="${line.replaceAll('"', '""')}"`;
  };
  const rows = changes.map((change) => rowOf(change).map(spell));
  const lines = [[...headings], ...rows].map((row) => row.join("\t"));
  return `${lines.join("\r\n")}\r\n`;
}

/** Writes the table to a new sheet named after the time; resolves with its name. */
export async function writeChangeSheet(
  workbook: Workbook,
  changes: readonly CellChange[],
  atMs: number,
): Promise<string> {
  return workbook.step(async () => {
    const sheet = await workbook.addSheet(`Changes ${localTime(atMs)}`, { frozenRows: 1 });
    try {
      await fill(workbook, sheet, changes);
    } catch (error) {
      // A part of a list would be taken for the whole.
      await workbook.deleteSheet(sheet);
      throw error;
    }
    return sheet;
  });
}

async function fill(workbook: Workbook, sheet: string, changes: readonly CellChange[]): Promise<void> {
  const cols = headings.length;
  const area = (row: number, rows: number): Area => ({ sheet, row, col: 0, rows, cols });
  await workbook.writeText(area(0, 1), [headings]);
  await workbook.format(area(0, 1), styles.header);
  for (const [col, widthPx] of widthsPx.entries()) {
    await workbook.format({ sheet, row: 0, col, rows: 1, cols: 1 }, { widthPx });
  }
  for (let row = 0; row < changes.length; row += rowsAtOnce) {
    const part = changes.slice(row, row + rowsAtOnce);
    await workbook.writeText(area(row + 1, part.length), part.map(rowOf));
  }
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

/** `2026-11-22 14.03`: a sheet's name takes no colon. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}.${two(at.getMinutes())}`;
}
