/** Rows from what a person selected or typed: headers are recognized, and bad rows are reported before any request. */
import type { CellValue } from "../../../src/workbook/port";
import { cellsOfText, readRows, rowsOfSelection } from "../../../src/workbook/templates/rows";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

const read = (cells: readonly (readonly CellValue[])[], firstRow = 1) => readRows([{ firstRow, cells }]);

it("finds columns by their headers, in any order and among others", () => {
  const { pairs, bad } = read([
    ["Comment", "UPC", "Qty", "Store Number"],
    ["x", "12345678905", 1234, 57],
    [null, 12345678905, 5, "0100"],
  ]);
  expect(pairs).toEqual([
    { store: 57, item: "00012345678905" },
    { store: 100, item: "00012345678905" },
  ]);
  expect(bad).toEqual([]);
});

it("recognizes columns without headers by their contents", () => {
  const { pairs } = read([
    ["Apples", "00012345678905", 1234],
    ["Pears", "10000000000009", 57],
  ]);
  expect(pairs.map(({ store }) => store)).toEqual([1234, 57]);
});

it("reports each bad row with its number on the sheet, and keeps the others", () => {
  const { pairs, bad } = read(
    [
      ["Store", "GTIN"],
      [1234, "00012345678905"],
      ["12A", "00012345678905"],
      [1234, "12345678"],
      [1234, "1234567"],
      [null, null],
      [1234, null],
    ],
    10,
  );
  expect(pairs).toHaveLength(2);
  expect(bad.map(({ row }) => row)).toEqual([12, 14, 16]);
  expect(bad[0]?.reason).toMatch(/store number of 2 to 6 digits; received "12A"|store number/);
});

it("combines separately selected stores and items, and omits repeated pairs", () => {
  const apart = readRows([
    { firstRow: 1, cells: [[12], [57], [12]] },
    { firstRow: 1, cells: [["00012345678905"], ["10000000000009"]] },
  ]);
  expect(apart.pairs).toHaveLength(4);
  const repeated = read([
    [12, "00012345678905"],
    [12, 12345678905],
  ]);
  expect([repeated.pairs.length, repeated.repeated]).toEqual([1, 1]);
});

it("reads lines as people paste them", () => {
  const { pairs } = readRows([cellsOfText("Store\tGTIN\n1234\t00012345678905\n57, 10000000000009\n")]);
  expect(pairs).toEqual([
    { store: 1234, item: "00012345678905" },
    { store: 57, item: "10000000000009" },
  ]);
});

it("recognizes words as neither", () => {
  expect(read([["hello"], ["world"]])).toMatchObject({ pairs: [], bad: [{ row: 1 }, { row: 2 }] });
});

it("reads only the filled part of whole columns", async () => {
  const workbook = createMemoryWorkbook(["S"]);
  for (let row = 0; row < 3_000; row += 1) {
    workbook.put({ sheet: "S", row, col: 0 }, 1234);
    workbook.put({ sheet: "S", row, col: 1 }, String(10_000_000_000_000 + row));
  }
  let cells = 0;
  const whole = workbook.read;
  workbook.read = (area, what) => {
    cells += area.rows * area.cols;
    return whole(area, what);
  };
  await workbook.select({ sheet: "S", row: 0, col: 0, rows: 1_048_576, cols: 2 });
  const rows = await rowsOfSelection(workbook, createVirtualClock());
  expect(rows.pairs).toHaveLength(3_000);
  expect(cells).toBeLessThan(20_000);
});

it("names the stores of a second area that no pair contains", () => {
  const both = readRows([
    {
      firstRow: 1,
      cells: [
        ["Store", "GTIN"],
        [12, "00012345678905"],
      ],
    },
    { firstRow: 8, cells: [[57], [58]] },
  ]);
  expect(both.pairs).toHaveLength(1);
  expect(both.alone).toEqual([
    { row: 8, reason: "store 57 without a GTIN" },
    { row: 9, reason: "store 58 without a GTIN" },
  ]);
  expect(readRows([{ firstRow: 1, cells: [[12], [57]] }]).alone).toEqual([]);
});
