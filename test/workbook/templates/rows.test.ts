/** Rows from what a person selected or typed: columns are chosen only without doubt, and bad rows are reported before any request. */
import type { CellValue } from "../../../src/workbook/port";
import {
  cellsOfText,
  partOf,
  readRows,
  selectedCells,
  selectedRow,
} from "../../../src/workbook/templates/rows";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";

const part = (cells: readonly (readonly CellValue[])[], firstRow = 1) =>
  partOf({ area: { sheet: "S", row: firstRow - 1, col: 0, rows: cells.length, cols: 4 }, cells });
const read = (cells: readonly (readonly CellValue[])[], firstRow = 1) => readRows([part(cells, firstRow)]);

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

it("reads the columns that a person has chosen, and no rows before", () => {
  const list = part([
    ["Winkel", "Voorraad", "EAN", "Naam"],
    [1234, 12, "00012345678905", "Haver"],
    [57, 100, "10000000000009", "Melk"],
  ]);
  expect(list.columns).toEqual({ store: null, item: 2, storeName: null, itemName: null });
  expect(readRows([list]).pairs).toEqual([]);
  const chosen = readRows([{ ...list, columns: { ...list.columns, store: 0, itemName: 3 } }]);
  expect(chosen.pairs.map(({ store }) => store)).toEqual([1234, 57]);
  expect([...chosen.names]).toEqual([
    ["00012345678905", "Haver"],
    ["10000000000009", "Melk"],
  ]);
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
  expect(bad[0]?.reason).toMatch(/store number of 2 to 6 digits, received "12A"/);
  expect(bad[2]?.reason).toBe("The item is blank.");
});

it("tells which stores and items have several names, of which it takes the last", () => {
  const { names, severalNames } = read([
    ["Store", "GTIN", "Item name", "Store name"],
    [1234, "00012345678905", "Oats 500 g", "Bentonville"],
    [57, "00012345678905", " Oats  500 g ", "Rogers"],
    [57, "00012345678912", "Milk", null],
    [1234, "00012345678905", "Oat flakes", "Bentonville"],
  ]);
  expect([...severalNames]).toEqual(["00012345678905"]);
  expect(names.get("00012345678905")).toBe("Oat flakes");
});

it("combines stores and items of two lists, and omits repeated pairs", () => {
  const stores = partOf({ area: null, cells: [[12], [57], [12]] }, ["store", "storeName"]);
  const items = partOf({ area: null, cells: [["00012345678905"], ["10000000000009"]] }, ["item", "itemName"]);
  expect(readRows([stores, items]).pairs).toHaveLength(4);
  const repeated = read([
    [12, "00012345678905"],
    [12, 12345678905],
  ]);
  expect([repeated.pairs.length, repeated.repeated]).toEqual([1, 1]);
});

it("combines nothing within one list, in which a store without an item is a bad row", () => {
  const { pairs, bad } = read([
    ["Store", "GTIN"],
    [1234, null],
    [null, "00012345678905"],
  ]);
  expect(pairs).toEqual([]);
  expect(bad.map(({ reason }) => reason)).toEqual(["The item is blank.", "The store is blank."]);
});

it("reads lines as people paste them: names from a sheet keep their spaces", () => {
  const typed = readRows([partOf(cellsOfText("Store;GTIN\n1234 00012345678905\n57, 10000000000009\n"))]);
  expect(typed.pairs).toEqual([
    { store: 1234, item: "00012345678905" },
    { store: 57, item: "10000000000009" },
  ]);
  const pasted = readRows([partOf(cellsOfText("Filiale\tEAN\tArtikel\n1234\t00012345678905\tHafer 500 g"))]);
  expect([...pasted.names]).toEqual([["00012345678905", "Hafer 500 g"]]);
});

it("keeps the columns of a list with semicolons where a cell is blank or has spaces or a comma", () => {
  const text =
    "Filiale;GTIN;Ort;Menge;Zweite GTIN\n57;00 012345 678905;Köln Süd;1.234,5;\n12;;Ulm;7;10000000000009";
  const list = partOf(cellsOfText(text));
  expect(list.cells.map(({ length }) => length)).toEqual([5, 5, 5]);
  const { pairs, bad } = readRows([{ ...list, columns: { ...list.columns, store: 0, item: 1 } }]);
  expect(pairs).toEqual([{ store: 57, item: "00012345678905" }]);
  expect(bad).toEqual([{ row: 3, reason: "The item is blank." }]);
});

it("recognizes words as neither", () => {
  expect(read([["hello"], ["world"]])).toMatchObject({ pairs: [], bad: [] });
});

const clock = createVirtualClock();

function sheetOf(cells: readonly (readonly CellValue[])[]): MemoryWorkbook {
  const workbook = createMemoryWorkbook(["S"]);
  cells.forEach((line, row) => line.forEach((value, col) => workbook.put({ sheet: "S", row, col }, value)));
  return workbook;
}

it("reads only the filled part of whole columns", async () => {
  const workbook = sheetOf(
    Array.from({ length: 3_000 }, (_, row) => [1234, String(10_000_000_000_000 + row)]),
  );
  let cells = 0;
  const whole = workbook.read;
  workbook.read = (area, what) => {
    cells += area.rows * area.cols;
    return whole(area, what);
  };
  await workbook.select({ sheet: "S", row: 0, col: 0, rows: 1_048_576, cols: 2 });
  expect(readRows([partOf(await selectedCells(workbook, clock))]).pairs).toHaveLength(3_000);
  expect(cells).toBeLessThan(20_000);
});

it("refuses a longer list than it reads, rather than leave out its end", async () => {
  const workbook = sheetOf([]);
  const line = [1234, "00012345678905"];
  workbook.read = ({ rows }) => Promise.resolve(Array.from({ length: rows }, () => line));
  await workbook.select({ sheet: "S", row: 0, col: 0, rows: 200_001, cols: 2 });
  await expect(selectedCells(workbook, clock)).rejects.toThrow("INV reads at most 200,000 rows of a list.");
  await workbook.select({ sheet: "S", row: 0, col: 0, rows: 200_000, cols: 2 });
  expect((await selectedCells(workbook, clock)).cells).toHaveLength(200_000);
});

const planning = [
  ["Filiale", "Bestand", "EAN", "Artikel"],
  [1234, 12, "00012345678905", "Hafer 500 g"],
  [57, 100, "10000000000009", "Milch 1 l"],
];

it("one selected cell means the list that it is in", async () => {
  const workbook = sheetOf(planning);
  await workbook.select({ sheet: "S", row: 2, col: 3, rows: 1, cols: 1 });
  const given = await selectedCells(workbook, clock);
  expect(readRows([partOf(given)]).pairs.map(({ store }) => store)).toEqual([1234, 57]);
});

it("the row of a cell is read with the columns of its list, and only if there is no doubt", async () => {
  const row = async (cells: readonly (readonly CellValue[])[], at: number) =>
    readRows([await selectedRow(sheetOf(cells), { sheet: "S", row: at, col: 1 })]).pairs;
  expect(await row(planning, 2)).toEqual([{ store: 57, item: "10000000000009" }]);
  expect(await row(planning, 0)).toEqual([]);
  expect(await row(planning, 7)).toEqual([]);
  expect(await row([["Winkel", "Voorraad", "EAN"], ...planning.slice(1)], 2)).toEqual([]);
  const long = [planning[0]!, ...Array.from({ length: 200 }, () => planning[1]!), planning[2]!];
  expect(await row(long, 201)).toEqual([{ store: 57, item: "10000000000009" }]);
});
