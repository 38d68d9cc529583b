/** The sheets a newcomer meets first: right formulas, whole rows, nothing that hides an outage. */
import { type DemoData, readDemoData } from "../../src/workbook/samples/demo-data";
import { isInvFormula } from "../../src/workbook/inv-formulas";
import type { CellValue } from "../../src/workbook/port";
import { buildCasesSheet } from "../../src/workbook/samples/cases";
import { buildEventsSheet } from "../../src/workbook/samples/events";
import { buildPlanningSheet } from "../../src/workbook/samples/planning";
import { createMemoryWorkbook, type MemoryWorkbook } from "./memory-workbook";

const item = (index: number, supplier = "Demo Foods", without: number[] = []) => ({
  gtin: index === 7 ? "00012345678905" : String(10_000_000_000_000 + index),
  wm_item_number: 123_456_780 + index,
  cid: 900 + index,
  supplier_name: supplier,
  stores_without_data: without,
});

const demo = {
  accounts: [
    { name: "demo", consumer_id: "c-1", client_secret: "not a secret", supplier_name: "Demo Foods" },
    { name: "rival", consumer_id: "c-2", client_secret: "not a secret", supplier_name: "Rival Ltd" },
  ],
  stores: [1234, ...Array.from({ length: 49 }, (_, index) => 2000 + index)],
  items: [
    ...Array.from({ length: 30 }, (_, index) => item(index, "Demo Foods", index === 3 ? [2005] : [])),
    item(99, "Rival Ltd"),
  ],
};
const data: DemoData = readDemoData(demo);

async function sheetOf(workbook: MemoryWorkbook, sheet: string, rows: number, cols: number) {
  return workbook.read({ sheet, row: 0, col: 0, rows, cols }, "formulas");
}

describe("the planning sheet", () => {
  const built = async () => {
    const workbook = createMemoryWorkbook();
    const sheet = await buildPlanningSheet(workbook, data);
    return { workbook, sheet, cells: await sheetOf(workbook, sheet, 202, 10) };
  };

  it("has 200 rows of ten stores by twenty items, each with its own formulas", async () => {
    const { cells } = await built();
    expect(cells[0]?.slice(0, 7)).toEqual([
      "Store",
      "GTIN",
      "Shelf",
      "Backroom",
      "Total",
      "Order?",
      "Last update (UTC)",
    ]);
    expect(cells[1]?.slice(0, 4)).toEqual([
      1234,
      "00012345678905",
      "=INV.QTY(A2,B2)",
      '=IFNA(INV.QTY(A2,B2,"BACKROOM"),"–")',
    ]);
    expect(cells[200]?.[2]).toBe("=INV.QTY(A201,B201)");
    expect(cells[201]?.slice(0, 7)).toEqual(Array(7).fill(null));
    const rows = cells.slice(1, 201);
    expect(new Set(rows.map((row) => row[0])).size).toBe(10);
    expect(new Set(rows.map((row) => row[1])).size).toBe(20);
    expect(new Set(rows.map((row) => `${row[0]}/${row[1]}`)).size).toBe(200);
  });

  it("holds no other supplier's items", async () => {
    const { cells } = await built();
    expect(cells.flat()).not.toContain(data.items.at(-1)!.gtin);
  });

  it("freezes its header and shows the first formula", async () => {
    const { workbook, sheet } = await built();
    expect(workbook.frozen.get(sheet)).toBe(1);
    expect(workbook.selection).toEqual([{ sheet, row: 1, col: 2, rows: 1, cols: 1 }]);
  });

  it("takes another name when there is one already", async () => {
    const { workbook } = await built();
    expect(await buildPlanningSheet(workbook, data)).toBe("Planning 2");
  });
});

test("the events sheet asks for the example's history with one spilling formula and its figures", async () => {
  const workbook = createMemoryWorkbook();
  const sheet = await buildEventsSheet(workbook, data);
  const cells = await sheetOf(workbook, sheet, 6, 5);
  expect(cells[0]?.slice(0, 2)).toEqual(["Store", 1234]);
  expect(cells[1]?.slice(0, 2)).toEqual(["GTIN", "00012345678905"]);
  expect(cells[4]).toEqual(["=INV.EVENTS(B1,B2)", null, null, null, null]);
  expect(cells[5]).toEqual(Array(5).fill(null));
  expect(workbook.frozen.get(sheet)).toBe(5);
});

describe("the cases sheet", () => {
  it("explains every case, and spells out the formula that stands beside it", async () => {
    const workbook = createMemoryWorkbook();
    const sheet = await buildCasesSheet(workbook, data);
    const rows = (await sheetOf(workbook, sheet, 60, 6)).slice(1).filter((row) => row[0] !== null);
    expect(rows.length).toBeGreaterThanOrEqual(18);
    for (const [title, , , formula, expectation, spelt] of rows) {
      expect(title).toEqual(expect.any(String));
      expect(formula).toBe(`=${spelt as string}`);
      expect(isInvFormula(formula as string)).toBe(true);
      expect(String(expectation).length).toBeGreaterThan(10);
    }
  });

  it("shows the rival's item, the store without data, lost zeros, the letter O and nine digits", async () => {
    const workbook = createMemoryWorkbook();
    const sheet = await buildCasesSheet(workbook, data);
    const pairs = (await sheetOf(workbook, sheet, 60, 3)).map((row) => row.slice(1));
    const gap = data.items.find((each) => each.stores_without_data.length > 0)!;
    for (const pair of [
      [1234, data.items.at(-1)!.gtin],
      [2005, gap.gtin],
      [1234, 12345678905],
      [1234, "OOO12345678905"],
      [1234, "123456789"],
      [7, "00012345678905"],
    ] as CellValue[][]) {
      expect(pairs).toContainEqual(pair);
    }
  });

  it("leaves out what a smaller demo world lacks", async () => {
    const workbook = createMemoryWorkbook();
    const small = readDemoData({ ...demo, stores: [4321], items: [item(1)] });
    const sheet = await buildCasesSheet(workbook, small);
    const titles = (await sheetOf(workbook, sheet, 60, 1)).flat();
    expect(titles).not.toContain("Another supplier's item");
    expect(titles).not.toContain("No data at this store");
  });
});

test("no sample formula hides an outage", async () => {
  const workbook = createMemoryWorkbook();
  await buildPlanningSheet(workbook, data);
  await buildEventsSheet(workbook, data);
  await buildCasesSheet(workbook, data);
  const formulas = [...workbook.cells.values()].filter((cell) => String(cell).startsWith("="));
  expect(formulas.length).toBeGreaterThan(600);
  expect(formulas.filter((formula) => /IFERROR|ISERROR/i.test(String(formula)))).toEqual([]);
});

describe("demo data", () => {
  it.each([
    ["nothing", undefined],
    ["another shape", { stores: "all" }],
    ["an empty world", { accounts: [], stores: [], items: [] }],
    ["an item without GTIN", { ...demo, items: [{ cid: 1 }] }],
  ])("%s is refused in words", (_title, json) => {
    let refusal: unknown = null;
    try {
      readDemoData(json);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: "bad-answer" });
    expect(String(refusal)).toContain("try again");
  });
});
