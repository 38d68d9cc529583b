/**
 * Many areas in one request, for any list separator of the person's settings: `getRanges` expects that separator although
 * commas are documented (office-js issues 1167 and 1985), and no API returns it (2891).
 */
import type { CellRef } from "../../../src/workbook/port";
import { type Culture, english, german } from "../../excel/culture";
import { cellsOf } from "../../excel/sheet";
import { openWorkbook, settle } from "./office-stage";

const scattered = (count: number): CellRef[] =>
  Array.from({ length: count }, (_, index) => ({ sheet: "Plan", row: index * 2, col: index % 5 }));

const cultures: [string, Culture, number][] = [
  ["a comma", english, 2],
  ["a semicolon, with a decimal comma", german, 2],
  // The guess is wrong, which costs one round trip a session.
  ["a semicolon, with a decimal point", { ...german, decimalSeparator: "." }, 3],
  ["a comma, with a decimal comma (Excel on the web)", { ...english, decimalSeparator: "," }, 3],
];

it.each(cultures)("40,000 scattered cells where the separator is %s", async (_name, culture, trips) => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = culture;
  workbook.onEdit(() => undefined);
  await settle();
  for (const expected of [trips, 2]) {
    excel.trips.length = 0;
    excel.sheet("Plan").dirty.length = 0;
    await workbook.recalculate(scattered(40_000));
    expect(new Set(cellsOf(excel.sheet("Plan").dirty)).size).toBe(40_000);
    expect(excel.trips).toHaveLength(expected);
  }
});

it("in manual mode, and before the guess can be had, two columns are calculated all the same", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = german;
  excel.excelApi = 10;
  excel.calculationMode = "Manual";
  const columns = [0, 1, 2].flatMap((row) => [2, 4].map((col) => ({ sheet: "Plan", row, col })));
  await workbook.recalculate(columns);
  expect(cellsOf(excel.sheet("Plan").calculated)).toEqual(["C1", "C2", "C3", "E1", "E2", "E3"]);
});

it("an Excel that takes neither separator is told of one area at a time, within its limits", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = { ...english, listSeparator: "|" };
  await workbook.recalculate(scattered(12_000));
  expect(new Set(cellsOf(excel.sheet("Plan").dirty)).size).toBe(12_000);
  expect(excel.trips.length).toBeLessThanOrEqual(6);
  expect(Math.max(...excel.requests.map(({ bytes }) => bytes))).toBeLessThan(4 * 1024 * 1024);
  expect(excel.requests.filter(({ refused }) => refused !== null)).toEqual([]);
});

it("a sheet that is gone is not taken for a separator, and costs the others nothing", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.culture = german;
  const cells = ["Gone", "Plan"].flatMap((sheet) => [0, 2].map((row) => ({ sheet, row, col: 0 })));
  await expect(workbook.recalculate(cells)).rejects.toMatchObject({ code: "internal" });
  expect(new Set(cellsOf(excel.sheet("Plan").dirty))).toEqual(new Set(["A1", "A3"]));
});
