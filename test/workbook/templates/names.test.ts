/** Names from beside lists in sheets from built-in templates. */
import type { CellValue } from "../../../src/workbook/port";
import { buildTemplate } from "../../../src/workbook/templates/build";
import { builtInTemplate } from "../../../src/workbook/templates/built-in";
import { createMemoryWorkbook } from "../memory-workbook";

const item = "00012345678905";
const pairs = [
  { store: 1000, item },
  { store: 1001, item },
];
const names = new Map([
  ["1001", "Harbour"],
  [item, "Oat drink"],
]);

async function built(id: string, known: ReadonlyMap<string, string>): Promise<CellValue[][]> {
  const workbook = createMemoryWorkbook();
  const choice = { rows: { pairs, stores: [1000, 1001], items: [item] }, columns: new Set<string>() };
  const sheet = await buildTemplate(workbook, { template: builtInTemplate(id), ...choice, names: known });
  return workbook.read({ sheet, row: 0, col: 0, rows: 12, cols: 4 }, "formulas");
}

const inColumns = [
  ["Store", "GTIN", "Store name", "Item name"],
  [1000, item, null, "Oat drink"],
  [1001, item, "Harbour", "Oat drink"],
];

test.each([
  ["planning", 0, inColumns],
  ["receiving", 0, inColumns],
  ["empty-shelf", 0, inColumns],
  ["grid", 3, [[null, null, "Oat drink"], ["Store \\ GTIN", "Store name", item], [1000], [1001, "Harbour"]]],
  [
    "history",
    8,
    [
      [null, null],
      ["Item name", "Oat drink"],
    ],
  ],
])("%s shows names of stores and items, and leaves out missing ones", async (id, row, expected) => {
  const cells = (await built(id, names)).slice(row, row + expected.length);
  expect(cells.map((line, at) => line.slice(0, expected[at]?.length))).toEqual(expected);
});

test("the formula of a grid with names reads the stores and the items, not the names", async () => {
  expect((await built("grid", names))[5]?.[2]).toBe("=INV.QTY(A6:A7,C5:C5)");
  expect((await built("grid", new Map()))[5]?.[1]).toBe("=INV.QTY(A6:A7,B5:B5)");
});

test.each(["planning", "receiving", "empty-shelf", "grid", "history"])(
  "%s has no place for names if there are none, and omits a name that would be a formula",
  async (id) => {
    for (const known of [new Map(), new Map([["7", "Not in a row"]]), new Map([["1001", "=1+1"]])]) {
      expect((await built(id, known)).flat().join()).not.toMatch(/ name/);
    }
  },
);
