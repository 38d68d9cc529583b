/** Reads the selected cells as rows for a template. */
import type { Clock } from "../../engine/clock";
import type { Area, Workbook } from "../port";
import { readFilled, selectedAreas } from "../selected-areas";
import { type GivenCells, type GivenRows, readRows } from "./rows";

const mostRowsRead = 40_000;
const mostCols = 40;

export async function rowsOfSelection(workbook: Workbook, clock: Clock): Promise<GivenRows> {
  return readRows(await filledCells(workbook, await selectedAreas(workbook, clock)));
}

async function filledCells(workbook: Workbook, areas: readonly Area[]): Promise<readonly GivenCells[]> {
  const given: GivenCells[] = [];
  for (const area of areas) {
    const [rows, cols] = [Math.min(area.rows, mostRowsRead), Math.min(area.cols, mostCols)];
    given.push({ firstRow: area.row + 1, cells: await readFilled(workbook, { ...area, rows, cols }) });
  }
  return given;
}
