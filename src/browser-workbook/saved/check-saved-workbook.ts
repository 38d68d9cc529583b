/**
 * Checks the shape and size of a saved workbook before the grid opens it. Data left there by another program or a
 * fault must not prevent the page from starting. The grid checks the contents of cells.
 */
import { sheetCols, sheetRows } from "../../formula/columns";

const mostSheets = 500;
const mostCells = 3_000_000;

/** The fault, to be read after "The saved workbook"; null if it can be opened. */
export function savedWorkbookFault(snapshot: unknown): string | null {
  if (!isObject(snapshot)) return "is not a workbook";
  const { id, sheets, sheetOrder } = snapshot;
  if (typeof id !== "string" || !isObject(sheets) || !Array.isArray(sheetOrder)) return "has no sheets";
  const all = Object.entries(sheets);
  if (all.length === 0) return "has no sheets";
  if (all.length > mostSheets) return `has ${all.length} sheets`;
  const isComplete = sheetOrder.every((one) => typeof one === "string" && Object.hasOwn(sheets, one));
  if (!isComplete || new Set(sheetOrder).size !== all.length) return "names sheets that are not in it";
  let cells = 0;
  for (const [sheetId, sheet] of all) {
    if (!isObject(sheet) || (sheet["id"] ?? sheetId) !== sheetId) return "has an invalid sheet";
    const name = typeof sheet["name"] === "string" ? ` ${sheet["name"].slice(0, 40)}` : "";
    const { rowCount, columnCount, cellData } = sheet;
    if (!isCount(rowCount, sheetRows) || !isCount(columnCount, sheetCols)) {
      return `has a sheet${name} of ${String(rowCount)} rows and ${String(columnCount)} columns`;
    }
    if (!isListOrNone(sheet["mergeData"])) return `has a sheet${name} with invalid merged cells`;
    const found = cellsOf(cellData);
    if (found === null) return `has a sheet${name} with invalid cells`;
    cells += found;
    if (cells > mostCells) return `has more than ${mostCells.toLocaleString("en")} cells`;
  }
  return null;
}

/** The number of cells; null if a place or a cell is invalid. */
function cellsOf(cellData: unknown): number | null {
  if (cellData === undefined || cellData === null) return 0;
  if (!isObject(cellData)) return null;
  let count = 0;
  for (const [row, line] of Object.entries(cellData)) {
    if (!isIndex(row, sheetRows) || !isObject(line)) return null;
    for (const [col, cell] of Object.entries(line)) {
      if (!isIndex(col, sheetCols) || (cell !== null && cell !== undefined && !isObject(cell))) return null;
      count += 1;
    }
    if (count > mostCells) break;
  }
  return count;
}

function isListOrNone(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

/** A missing value is valid; then the grid uses its own size. */
function isCount(value: unknown, most: number): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most);
}

function isIndex(key: string, size: number): boolean {
  return /^\d{1,7}$/.test(key) && Number(key) < size;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
