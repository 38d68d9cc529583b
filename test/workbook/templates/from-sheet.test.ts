/** Saving a sheet as a template: built again with other rows it is the same sheet, and it contains none of the old rows. */
import { fc } from "../../helpers/properties";
import type { Template } from "../../../src/domain/templates/template";
import type { CellValue } from "../../../src/workbook/port";
import { buildTemplate } from "../../../src/workbook/templates/build";
import { builtInTemplate } from "../../../src/workbook/templates/built-in";
import type { TemplateRows } from "../../../src/workbook/templates/fill";
import {
  namedTemplate,
  templateOfSheet as readSheet,
  type TemplateNames,
} from "../../../src/workbook/templates/from-sheet";
import { areaAddress, cellKey } from "../../../src/workbook/addresses";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";

const names = { title: "Weekly order", summary: "What to order." };

async function templateOfSheet(workbook: MemoryWorkbook, sheet: string, given: TemplateNames) {
  return namedTemplate((await readSheet(workbook, sheet)).template, given);
}

function rowsOf(count: number, from = 0): TemplateRows {
  const pairs = Array.from({ length: count }, (_, index) => ({
    store: 4000 + from + index,
    item: String(20_000_000_000_000 + from + index),
  }));
  return { stores: pairs.map(({ store }) => store), items: pairs.map(({ item }) => item), pairs };
}

async function build(template: Template, rows: TemplateRows, columns: ReadonlySet<string> = new Set()) {
  const workbook = createMemoryWorkbook();
  const sheet = await buildTemplate(workbook, { template, rows, columns });
  const area = (await workbook.usedArea(sheet))!;
  return { workbook, sheet, cells: await workbook.read(area, "formulas") };
}

function coloursAndNotes({ workbook }: { readonly workbook: MemoryWorkbook }) {
  const colours = workbook.highlights.map(({ area, rule }) => ({ ...rule, cells: areaAddress(area) }));
  return { colours, notes: workbook.notes.map(({ ref: { row, col }, text }) => ({ row, col, text })) };
}

function sheetOf(cells: readonly (readonly CellValue[])[]): MemoryWorkbook {
  const workbook = createMemoryWorkbook(["Plan"]);
  for (const [row, line] of cells.entries()) {
    for (const [col, value] of line.entries()) workbook.put({ sheet: "Plan", row, col }, value);
  }
  return workbook;
}

test("a saved sheet builds the same as its own template, with any rows", async () => {
  const count = fc.integer({ min: 1, max: 25 });
  const id = fc.constantFrom("planning", "receiving", "empty-shelf");
  await fc.assert(
    fc.asyncProperty(id, fc.boolean(), count, count, async (which, isWhole, before, after) => {
      const original = builtInTemplate(which);
      const columns = new Set(isWhole ? original.table?.columns.map((column) => column.id) : []);
      const first = await build(original, rowsOf(before), columns);
      const saved = await templateOfSheet(first.workbook, first.sheet, names);
      expect(saved).toMatchObject({ id: "weekly-order", needs: "pairs", ...names });
      expect(JSON.stringify(saved)).not.toMatch(/400\d|2000000000/);
      const again = await build(saved, rowsOf(after, 500));
      const expected = await build(original, rowsOf(after, 500), columns);
      expect(again.cells).toEqual(expected.cells);
      expect(coloursAndNotes(again)).toEqual(coloursAndNotes(expected));
    }),
    { numRuns: 60 },
  );
});

test("a long list below a title is saved, with gaps and lines of other lengths", async () => {
  const line = (row: number): CellValue[] =>
    row % 50 === 0 ? [null] : row % 50 === 1 ? ["a", 1, "b"] : ["a", 1];
  const cells = [["Order of this week"], [null], ...Array.from({ length: 5_000 }, (_, row) => line(row))];
  const saved = await templateOfSheet(sheetOf(cells), "Plan", names);
  expect(saved.table).toBeUndefined();
  const built = createMemoryWorkbook();
  const sheet = await buildTemplate(built, { template: saved, rows: rowsOf(0), columns: new Set() });
  const shown = await built.read({ sheet, row: 0, col: 0, rows: cells.length, cols: 3 }, "values");
  const blank = (value: CellValue | undefined) => (value === "" ? null : (value ?? null));
  expect(shown.map((row) => row.map(blank))).toEqual(
    cells.map((row) => [0, 1, 2].map((col) => blank(row[col]))),
  );
});

test("titles that begin alike have different ids, and a sheet's name ends with a whole letter", async () => {
  const workbook = sheetOf([["Store"], [1234]]);
  const made = (title: string) => templateOfSheet(workbook, "Plan", { ...names, title });
  const long = "Wareneingang für Süß- und Kühlware: Größe, Menge, ";
  const [north, south, again] = await Promise.all(["Nord", "Süd", "Nord"].map((end) => made(long + end)));
  expect(north?.id).toMatch(/^wareneingang-fur-suss-und-kuhlwa-\w{7}$/);
  expect(again?.id).toBe(north?.id);
  expect(south?.id).not.toBe(north?.id);
  expect((await made("Заказ на понедельник: север")).id).not.toBe(
    (await made("Заказ на понедельник: юг")).id,
  );
  expect((await made(`${"a".repeat(30)}\u{1F4E6} boxes`)).sheet.name).toBe("a".repeat(30));
});

test("doesn't replace a row's number in a sheet's name", async () => {
  const row = (at: number): CellValue[] => [
    1000 + at,
    `0001234567890${at}`,
    `=INV.QTY(A${at},$B${at})*Plan2!$B$1+'Week 3'!C${at}+$D$2+SUM(2:3)+LOG10(3)`,
  ];
  const workbook = sheetOf([["Store", "GTIN", "Shelf"], row(2), row(3)]);
  const { table, blocks } = await templateOfSheet(workbook, "Plan", names);
  expect(table?.columns[2]?.cell).toBe(
    "=INV.QTY(A{row},$B{row})*Plan2!$B$1+'Week 3'!C{row}+$D$2+SUM(2:3)+LOG10(3)",
  );
  expect(JSON.stringify(blocks)).not.toMatch(/100[23]|1234567890/);
});

test("a range over all rows of the table follows the number of rows, on this sheet only", async () => {
  const formula = (at: number) => `=C${at}/SUM(C$2:C$3)+SUM(Prices!$C$2:$C$3)`;
  const row = (at: number): CellValue[] => [1000 + at, `0001234567890${at}`, null, formula(at)];
  const headers = ["Store", "GTIN", "Count", "Share", null, "=SUM(D2:D3)-SUM(Prices!D2:D3)"];
  const saved = await templateOfSheet(sheetOf([headers, row(2), row(3)]), "Plan", names);
  const { cells } = await build(saved, rowsOf(5));
  expect(cells[5]?.[3]).toBe("=C6/SUM(C$2:C$6)+SUM(Prices!$C$2:$C$3)");
  expect(cells[0]?.[5]).toBe("=SUM(D2:D6)-SUM(Prices!D2:D3)");
});

test("keeps styles and widths, and leaves out colours that not every host can read", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN", "Shelf", null, "Note"],
    [1234, "00012345678905", "=INV.QTY(A2,B2)", null, "Ask Ann"],
  ]);
  const area = (row: number, col: number, rows = 1) => ({ sheet: "Plan", row, col, rows, cols: 1 });
  await workbook.format(area(0, 0, 2), { widthPx: 120 });
  await workbook.format(area(1, 2), { numberFormat: "#,##0", bold: true });
  await workbook.format(area(1, 4), { fill: "#fff7d6", color: "red" });
  const { table, cellFormats, sheet, blocks } = await templateOfSheet(workbook, "Plan", names);
  expect(sheet).toMatchObject({ name: "Weekly order", frozenRows: 1, widthsPx: [120, 64, 64, 64, 64] });
  expect(table?.columns).toEqual([
    { id: "column-1", header: "Store", cell: "{store}" },
    { id: "column-2", header: "GTIN", cell: "{item}" },
    { id: "column-3", header: "Shelf", cell: "=INV.QTY(A{row},B{row})", numberFormat: "#,##0", bold: true },
  ]);
  expect(cellFormats).toEqual([{ area: "E2", fill: "#fff7d6" }]);
  expect(blocks).toEqual([{ at: "E1", rows: [["Note"], ["Ask Ann"]] }]);
});

test("keeps colours and notes of people, and counts what a template can't contain", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN", "Shelf", null, "Least", 12],
    [1234, "00012345678905", "=INV.QTY(A2,B2)"],
    [57, "00012345678912", "=INV.QTY(A3,B3)"],
  ]);
  const area = { sheet: "Plan", row: 1, col: 2, rows: 2, cols: 1 };
  const formula = "=C2<Plan!$F$1*MAX($C$2:$C$3)";
  await workbook.highlight(area, { kind: "formula", formula, fill: "#fde7e5" });
  await workbook.highlight({ ...area, row: 0, col: 5, rows: 1 }, { kind: "bars", color: "#b3261e" });
  for (const name of ["icon set", "rule for the top or bottom", "icon set"]) {
    workbook.highlights.push({ area, rule: null, name });
  }
  await workbook.note({ sheet: "Plan", row: 0, col: 2 }, "On the shelf.");
  await workbook.note({ sheet: "Plan", row: 0, col: 5 }, "Ask Ann.");
  await workbook.note({ sheet: "Plan", row: 2, col: 2 }, "Recount store 57.");
  await workbook.note({ sheet: "Plan", row: 9, col: 9 }, "=looks like a formula");
  const { template, notSaved } = await readSheet(workbook, "Plan");
  expect(template.table?.highlights).toEqual([
    {
      columns: ["column-3"],
      rule: { kind: "formula", formula: "=C2<$F$1*MAX($C${first}:$C${last})", fill: "#fde7e5" },
    },
  ]);
  expect(template.table?.columns[2]?.note).toBe("On the shelf.");
  expect(template).toMatchObject({
    highlights: [{ area: "F1", rule: { kind: "bars", color: "#b3261e" } }],
    notes: [{ at: "F1", text: "Ask Ann." }],
  });
  expect(notSaved).toEqual([
    { name: "icon set", count: 2 },
    { name: "rule for the top or bottom", count: 1 },
    { name: "note", count: 2 },
  ]);
});

test("a rule's formula is checked as a cell's is", async () => {
  const workbook = sheetOf([["x"]]);
  const formula = '=WEBSERVICE("https://example.com/"&A1)="y"';
  const area = { sheet: "Plan", row: 0, col: 0, rows: 1, cols: 1 };
  await workbook.highlight(area, { kind: "formula", formula, fill: "#fde7e5" });
  await expect(templateOfSheet(workbook, "Plan", names)).rejects.toThrow(/WEBSERVICE reaches outside/);
});

test("a column that touches the facts about the sheet leaves them their labels", async () => {
  const { workbook, sheet } = await build(builtInTemplate("planning"), rowsOf(3));
  const free = (await workbook.read({ sheet, row: 0, col: 0, rows: 1, cols: 12 }, "values"))[0]!.indexOf(
    null,
  );
  ["Half", "=C2/2", "=C3/2", "=C4/2"].forEach((value, row) => workbook.put({ sheet, row, col: free }, value));
  const template = await templateOfSheet(workbook, sheet, names);
  expect(template.table?.columns.at(-1)).toMatchObject({ header: "Half", cell: "=C{row}/2" });
  const again = await build(template, rowsOf(5));
  expect(again.cells[1]?.slice(free, free + 3)).toEqual(["=C2/2", "Environment", "=INV.ENV()"]);
  expect(again.cells[0]?.[free + 1]).toBe("This sheet");
});

test("omits numbers that a person typed into a column", async () => {
  const { table } = await templateOfSheet(
    sheetOf([
      ["Store", "GTIN", "Expected"],
      [1234, "00012345678905", 40],
      [57, "00012345678912", 60],
    ]),
    "Plan",
    names,
  );
  expect(table?.columns[2]).toEqual({ id: "column-3", header: "Expected", cell: null });
});

test("a sheet without a table becomes a template unchanged", async () => {
  const mixed = [
    ["Store", "GTIN", "Shelf"],
    [1234, "00012345678905", "=INV.QTY(A2,B2)"],
    [57, "00012345678912", '=INV.QTY(A3,B3,"BACKROOM")'],
  ];
  const template = await templateOfSheet(sheetOf(mixed), "Plan", names);
  expect(template).toMatchObject({ needs: "nothing" });
  expect(template.table).toBeUndefined();
  expect((await build(template, { stores: [], items: [], pairs: [] })).cells).toEqual(mixed);
});

test("refuses sheets that can't be shared, with a reason", async () => {
  await expect(templateOfSheet(createMemoryWorkbook(["Plan"]), "Plan", names)).rejects.toThrow(
    'The sheet "Plan" is empty.',
  );
  const wide = sheetOf([Array<string>(61).fill("x")]);
  await expect(templateOfSheet(wide, "Plan", names)).rejects.toThrow(/too large for a template/);
  const reaching = sheetOf([['=WEBSERVICE("https://example.com")']]);
  await expect(templateOfSheet(reaching, "Plan", names)).rejects.toThrow(/WEBSERVICE reaches outside/);
});

test.each([
  ["Ärger & Co. (2)", "arger-co-2"],
  ["2026 plan", "template-2026-plan"],
  ["日本", "template-65e5-672c"],
  ["!", "template"],
])("the title %s gives the file a name that every system takes: %s", async (title, id) => {
  const template = await templateOfSheet(sheetOf([["x"]]), "Plan", { title, summary: "S." });
  expect(template.id).toBe(id);
});

/** Enters a formula that spills these values down its column. */
function spill(
  workbook: MemoryWorkbook,
  [row, col]: readonly [number, number],
  formula: string,
  values: readonly CellValue[],
) {
  const first = { sheet: "Plan", row, col };
  values.forEach((value, down) => workbook.put({ ...first, row: row + down }, value));
  workbook.put(first, formula);
  workbook.spills.set(cellKey(first), { rows: values.length, cols: 1 });
}

test("leaves out the figures that a formula spills, in a table and beside it", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN", "Shelf", null, "Latest"],
    [1234, "00012345678905"],
    [57, "00012345678912"],
  ]);
  spill(workbook, [1, 2], "=IFNA(INV.QTY(A2:A500,$B$2:$B$3),0)", [871, 652]);
  spill(workbook, [1, 4], "=SORT(C2:C3)", [652, 871]);
  const template = await templateOfSheet(workbook, "Plan", names);
  expect(JSON.stringify(template)).not.toMatch(/871|652/);
  expect(template.table?.columns.map(({ cell }) => cell)).toEqual([
    "{store}",
    "{item}",
    "=IFNA(INV.QTY(A{row},B{row}),0)",
  ]);
  expect(template.blocks).toEqual([{ at: "E1", rows: [["Latest"], ["=SORT(C{first}:C{last})"]] }]);
  const { cells } = await build(template, rowsOf(3));
  expect(cells[3]?.[2]).toBe("=IFNA(INV.QTY(A4,B4),0)");
});

test("an array formula over several cells is one formula: a row's in a table, once beside it", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN", "Shelf", null, "Latest"],
    [1234, "00012345678905"],
    [57, "00012345678912"],
  ]);
  for (const [col, formula] of [[2, "=INV.QTY(A2:A3,B2:B3)"] as const, [4, "=SORT(C2:C3)"] as const]) {
    for (const row of [1, 2]) {
      workbook.put({ sheet: "Plan", row, col }, formula);
      workbook.spills.set(cellKey({ sheet: "Plan", row, col }), { rows: 1, cols: 1, isSharedArray: true });
    }
  }
  const template = await templateOfSheet(workbook, "Plan", names);
  expect(template.table?.columns[2]?.cell).toBe("=INV.QTY(A{row},B{row})");
  expect(template.blocks).toEqual([{ at: "E1", rows: [["Latest"], ["=SORT(C{first}:C{last})"]] }]);
});

test("stores that a formula spills are the rows of the table", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN"],
    [null, "00012345678905"],
    [null, "00012345678912"],
  ]);
  spill(workbook, [1, 0], "=UNIQUE(Plan2!A2:A9)", [1234, 57]);
  const template = await templateOfSheet(workbook, "Plan", names);
  expect(template.table?.columns.map(({ cell }) => cell)).toEqual(["{store}", "{item}"]);
});

test.each(["=C2:C3/SUM(C2:C3)", "=INV.QTY(A2:B2,B2:B3)", "=INV.QTY(A:A,B:B)"])(
  "says that %s can't become the formula of a row, instead of sharing the rows",
  async (formula) => {
    const workbook = sheetOf([
      ["Store", "GTIN", "Shelf"],
      [1234, "00012345678905"],
      [57, "00012345678912"],
    ]);
    spill(workbook, [1, 2], formula, [0.4, 0.6]);
    await expect(templateOfSheet(workbook, "Plan", names)).rejects.toThrow(
      /one formula fills the column "Shelf"/,
    );
  },
);

test("the sheet has the template's name, and refers to itself by it", async () => {
  const workbook = sheetOf([
    ["Store", "GTIN"],
    [1234, "00012345678905"],
    [null, null, "=COUNTA(Plan!A2:A2)+'Plan'!B1"],
  ]);
  const template = await templateOfSheet(workbook, "Plan", names);
  expect(template.sheet.name).toBe("Weekly order");
  expect(template.blocks).toEqual([{ at: "C3", rows: [["=COUNTA(A{first}:A{last})+B1"]] }]);
});
