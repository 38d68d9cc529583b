/** The number of round trips of a search and a refresh in a workbook with many sheets. */
import { findInvFormulas } from "../../../src/workbook/formula-search";
import { enter } from "../../excel/sheet";
import { openWorkbook } from "./office-stage";

const sheets = 20;
const rows = 100;
/** Three for each sheet would be 60. */
const mostTrips = 18;

it.each([
  ["touch", 1],
  ["don't touch", 2],
])("2,000 cells on 20 sheets, where cells %s", async (_how, distance) => {
  const names = Array.from({ length: sheets }, (_, at) => `Plan ${at}`);
  const { excel, workbook } = openWorkbook(...names);
  for (const name of names) {
    for (let at = 0; at < rows; at += 1) {
      enter(excel.sheet(name), at * distance, 2, `=INV.QTY(A${at + 1},B${at + 1})`);
    }
  }
  const cells = await findInvFormulas(workbook);
  expect(cells).toHaveLength(sheets * rows);
  await workbook.recalculate(cells);
  await workbook.contentsOf(cells.map(({ sheet, row, col }) => ({ sheet, row, col, rows: 1, cols: 1 })));
  await workbook.extents(cells);
  await workbook.broughtFormats(cells);
  await workbook.numberFormats(cells);
  expect(excel.trips.length).toBeLessThanOrEqual(mostTrips);
});
