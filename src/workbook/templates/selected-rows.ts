/** The selected cells, and as rows for a template. Reads no more of a whole column than is filled. */
import type { Clock } from "../../engine/clock";
import type { Area, CellValue, Workbook } from "../port";
import { selectedAreas } from "../selected-areas";
import { type GivenCells, type GivenRows, readRows } from "./rows";

const rowsAtOnce = 2_000;
const mostRowsRead = 40_000;
const mostCols = 40;

export async function rowsOfSelection(workbook: Workbook, clock: Clock): Promise<GivenRows> {
  return readRows(await filledCells(workbook, await selectedAreas(workbook, clock)));
}

/** Area by area. */
export async function filledCells(
  workbook: Workbook,
  areas: readonly Area[],
): Promise<readonly GivenCells[]> {
  const given: GivenCells[] = [];
  for (const area of areas) given.push(await filledPart(workbook, area));
  return given;
}

async function filledPart(workbook: Workbook, area: Area): Promise<GivenCells> {
  const cells: CellValue[][] = [];
  const cols = Math.min(area.cols, mostCols);
  for (let from = 0; from < Math.min(area.rows, mostRowsRead); from += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, area.rows - from);
    const block = await workbook.read({ ...area, row: area.row + from, rows, cols }, "values");
    cells.push(...block);
    if (block.every((line) => line.every((cell) => cell === null))) break;
  }
  return { firstRow: area.row + 1, cells };
}
