/** Recalculation of many cells in Excel, within its limits. */
import type { CellRef } from "../../../src/workbook/port";
import { cellsOf } from "../../excel/sheet";
import { openWorkbook } from "./office-stage";

const scattered = (count: number): CellRef[] =>
  Array.from({ length: count }, (_, index) => ({ sheet: "Plan", row: index * 2, col: index % 5 }));

it("marks 12,000 scattered cells in few round trips, each below Excel's limit", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await workbook.recalculate(scattered(12_000));
  expect(new Set(cellsOf(excel.sheet("Plan").dirty)).size).toBe(12_000);
  expect(excel.trips.length).toBeLessThanOrEqual(4);
  expect(Math.max(...excel.requests.map(({ bytes }) => bytes))).toBeLessThan(4 * 1024 * 1024);
  expect(excel.requests.filter(({ refused }) => refused !== null)).toEqual([]);
});

it("calculates two columns in manual mode, also in an older Excel", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.excelApi = 10;
  excel.calculationMode = "Manual";
  const columns = [0, 1, 2].flatMap((row) => [2, 4].map((col) => ({ sheet: "Plan", row, col })));
  await workbook.recalculate(columns);
  expect(cellsOf(excel.sheet("Plan").calculated)).toEqual(["C1", "C2", "C3", "E1", "E2", "E3"]);
});

it("marks the cells of other sheets if one is gone, and reports it", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  const cells = ["Gone", "Plan"].flatMap((sheet) => [0, 2].map((row) => ({ sheet, row, col: 0 })));
  const refused = await workbook.recalculate(cells);
  expect(refused.flatMap(({ areas }) => areas).map(({ sheet, row }) => [sheet, row])).toEqual([
    ["Gone", 0],
    ["Gone", 2],
  ]);
  expect(refused[0]!.reason).not.toBe("");
  expect(new Set(cellsOf(excel.sheet("Plan").dirty))).toEqual(new Set(["A1", "A3"]));
});
