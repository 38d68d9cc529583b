/**
 * Templates built in Excel. Excel's own features (Tables, notes, colours that follow values, charts, frozen panes) arrive in
 * few round trips. An Excel that lacks some of them still gets the sheet.
 */
import { buildTemplate } from "../../../src/workbook/templates/build";
import {
  builtInTemplate,
  builtInTemplates,
  functionsTemplate,
} from "../../../src/workbook/templates/built-in";
import { trySheet } from "../../../src/workbook/templates/try-sheet";
import { noteInOffice } from "../../../src/workbook/office/formatting";
import type { Workbook } from "../../../src/workbook/port";
import type { ExcelBatches } from "../../../src/workbook/office/excel-batches";
import { crossed } from "../../../src/workbook/templates/crossed";
import { beforeTrips, type NodeExcel } from "../../excel/excel-in-node";
import { enter } from "../../excel/sheet";
import { createMemoryWorkbook } from "../memory-workbook";
import { openWorkbook } from "./office-stage";

const newest = 20;

function rowsOf(stores: number, items: number) {
  const storeNumbers = Array.from({ length: stores }, (_, index) => 1000 + index);
  const gtins = Array.from({ length: items }, (_, index) => String(10_000_000_000_000 + index));
  return { stores: storeNumbers, items: gtins, pairs: crossed(storeNumbers, gtins) };
}

async function build(
  id: string,
  options: { rows?: ReturnType<typeof rowsOf>; excelApi?: number; columns?: string[] } = {},
) {
  const { rows = rowsOf(2, 3), excelApi = newest, columns = [] } = options;
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.excelApi = excelApi;
  const template = id === "try" ? trySheet() : builtInTemplate(id);
  const name = await buildTemplate(workbook, { template, rows, columns: new Set(columns) });
  return { excel, workbook, name, sheet: excel.sheet(name) };
}

const formatting = (excel: NodeExcel, sheet: string, kind: string) =>
  excel.sheet(sheet).formatting.filter((each) => each["kind"] === kind);

test.each([...builtInTemplates(), trySheet()].map(({ id }) => id))(
  "%s is built in few round trips",
  async (id) => {
    const { excel, sheet, name } = await build(id);
    expect(sheet.cells.size).toBeGreaterThan(0);
    expect(excel.trips.length).toBeLessThanOrEqual(9);
    expect(excel.active).toBe(name);
  },
);

test("the planning sheet is a Table that grows, with colours and a frozen heading", async () => {
  const { excel, workbook, name, sheet } = await build("planning", { columns: ["sold"] });
  const [table] = await workbook.tables();
  expect(table).toMatchObject({ area: { sheet: name, row: 0, col: 0, rows: 7 } });
  expect(table?.headers.slice(0, 3)).toEqual(["Store", "GTIN", expect.stringMatching(/shelf/i)]);
  expect(sheet.frozenRows).toBe(1);
  expect(formatting(excel, name, "Custom").map(({ rule }) => rule)).toMatchObject([
    // Only the sold quantity, in column 8, comes from the history.
    ...[2, 3, 4, 8].map((col) => ({
      formula: `=OR(ISERROR($H2),ISNUMBER(SEARCH("as of",${col === 8 ? "$H2" : 'SUBSTITUTE($H2,"history as of","")'})))`,
      block: { row: 1, col, rows: 6, cols: 1 },
    })),
    { formula: '=F2="order"', block: { row: 1, col: 5, rows: 6, cols: 1 } },
  ]);
});

test("the grid has heat over all its cells, frozen panes on both sides, and one formula", async () => {
  const { excel, name, sheet, workbook } = await build("grid", { rows: rowsOf(4, 5) });
  const [heat] = formatting(excel, name, "ColorScale");
  expect(heat?.["rule"]).toMatchObject({
    block: { row: 5, col: 1, rows: 4, cols: 5 },
    criteria: { minimum: { type: "LowestValue" }, maximum: { type: "HighestValue" } },
  });
  expect([sheet.frozenRows, sheet.frozenCols]).toEqual([5, 1]);
  expect(
    (await workbook.findFormulas((formula) => formula.includes("INV.QTY"))).map(({ row, col }) => [row, col]),
  ).toEqual([[5, 1]]);
});

test("the history has its chart in the stated cells, and no bars", async () => {
  const { excel, name } = await build("history");
  expect(formatting(excel, name, "chart")).toHaveLength(1);
  expect(formatting(excel, name, "chart")[0]?.["chart"]).toMatchObject({
    kind: "ColumnClustered",
    title: expect.any(String) as string,
  });
  expect(formatting(excel, name, "DataBar")).toEqual([]);
});

test("ten thousand rows take a bounded number of round trips, and are one Table", async () => {
  const rows = rowsOf(100, 100);
  const { excel, workbook } = await build("planning", { rows });
  expect((await workbook.tables())[0]?.area.rows).toBe(10_001);
  expect(excel.trips.length).toBeLessThanOrEqual(30);
});

// A save would clear Excel's undo history, including the new sheet (office-js 3141).
test("a build saves no settings, and is complete even if settings can't be saved", async () => {
  const { excel, workbook } = await build("planning");
  expect(excel.saves).toEqual([]);
  expect(await workbook.read({ sheet: "Planning", row: 0, col: 0, rows: 1, cols: 1 }, "values")).toEqual([
    ["Store"],
  ]);
});

test("builds the sheet without an undo group in an older Excel", async () => {
  const { excel, workbook } = await build("planning", { excelApi: 9 });
  expect(await workbook.tables()).toHaveLength(1);
  expect(excel.runOptions).not.toContainEqual(expect.objectContaining({ mergeUndoGroup: true }));
  const newer = await build("planning");
  expect(newer.excel.runOptions).toContainEqual(expect.objectContaining({ mergeUndoGroup: true }));
});

test("adds notes to headings if Office's library supports notes", async () => {
  const added: unknown[] = [];
  const range = (...at: number[]) => at;
  const context = {
    workbook: {
      worksheets: { getItem: () => ({ getRangeByIndexes: range }) },
      notes: { add: (...given: unknown[]) => void added.push(given) },
    },
    sync: () => Promise.resolve(),
  };
  const batches = { run: (batch: (given: never) => Promise<unknown>) => batch(context as never) };
  const noted = (version: boolean) =>
    noteInOffice(
      { ...batches, supports: () => version, send: () => Promise.resolve() } as unknown as ExcelBatches,
      { sheet: "Plan", row: 0, col: 3 },
      "A dash: no record.",
    );
  await noted(false);
  expect(added).toEqual([]);
  await noted(true);
  expect(added).toEqual([[[0, 3, 1, 1], "A dash: no record."]]);
});

test.each([17, newest])(
  "a build that Excel %d refuses at any round trip leaves no sheet behind, but a refused undo group costs nothing",
  async (excelApi) => {
    const choice = { template: builtInTemplate("planning"), rows: rowsOf(2, 3), columns: new Set<string>() };
    const whole = await build("planning", { excelApi });
    const built: number[] = [];
    for (let at = 0; at < whole.excel.trips.length; at += 1) {
      const { excel, workbook } = openWorkbook("Sheet1");
      excel.excelApi = excelApi;
      excel.failures.push(...Array<null>(at).fill(null), "GeneralException");
      const failure = await buildTemplate(workbook, choice).then(
        () => null,
        (error: unknown) => String(error),
      );
      if (failure === null) {
        built.push(at);
        expect(excel.sheets.map(({ name }) => name)).toEqual(["Sheet1", "Planning"]);
        continue;
      }
      expect(failure).toMatch(/its reason is GeneralException/);
      expect([at, ...excel.sheets.map(({ name }) => name)]).toEqual([at, "Sheet1"]);
    }
    // Only the harmless batch that tests the undo group.
    expect(built).toHaveLength(excelApi === newest ? 1 : 0);
  },
);

test("a build that fails before anything was sent leaves no sheet", async () => {
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.excelApi = newest;
  const write = () => Promise.reject(new Error("a fault of ours"));
  const failing: Workbook = { ...workbook, step: (work) => workbook.step((own) => work({ ...own, write })) };
  const choice = { template: functionsTemplate(), rows: rowsOf(1, 1), columns: new Set<string>() };
  await expect(buildTemplate(failing, choice)).rejects.toMatchObject({ code: "internal" });
  expect(excel.sheets.map(({ name }) => name)).toEqual(["Sheet1"]);
});

// In Microsoft's preview of synchronous functions, a formula fails while a rule is added.
test.each(
  [...builtInTemplates(), trySheet(), functionsTemplate()].map((template) => [template.id, template]),
)(
  "%s has its Table and rules before its formulas, which are written by whole columns",
  async (_id, template) => {
    const workbook = createMemoryWorkbook(["Sheet1"]);
    const order: string[] = [];
    const formulas: string[] = [];
    const watched: Workbook = {
      ...workbook,
      async write(area, cells, options) {
        const found = cells.flat().filter((cell) => typeof cell === "string" && /^=/.test(cell));
        if (found.length > 0 && options?.asText !== true) {
          order.push("formulas");
          formulas.push(`${area.row} ${area.col} ${area.rows} ${area.cols}`);
          expect(found).toHaveLength(area.rows * area.cols);
        }
        await workbook.write(area, cells, options);
      },
      async highlight(area, rule) {
        order.push("rule");
        await workbook.highlight(area, rule);
      },
      async addTable(area, name) {
        order.push("table");
        await workbook.addTable(area, name);
      },
    };
    watched.step = (work) => work(watched);
    await buildTemplate(watched, { template, rows: rowsOf(2, 3), columns: new Set() });
    expect(order.slice(order.indexOf("formulas"))).toEqual(formulas.map(() => "formulas"));
    expect(new Set(formulas).size).toBe(formulas.length);
    if (template.id === "planning") {
      expect(formulas).toContainEqual(expect.stringMatching(/^1 2 6 [3-9]$/));
      expect(formulas.length).toBeLessThanOrEqual(4);
    }
  },
);

const choice = { template: builtInTemplate("planning"), rows: rowsOf(2, 3), columns: new Set<string>() };

test("a column that Excel has filled with another formula meanwhile is written again", async () => {
  const whole = await build("planning");
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.excelApi = newest;
  let fills = 1;
  beforeTrips(excel, () => {
    const sheet = excel.sheets.at(-1);
    if (sheet?.cells.get(1)?.get(2) === undefined || fills === 0) return;
    fills -= 1;
    for (let row = 1; row <= 6; row += 1) enter(sheet, row, 2, "=INV.QTY(A2,B2)");
  });
  await buildTemplate(workbook, choice);
  expect(fills).toBe(0);
  expect([...excel.sheet("Planning").cells]).toEqual([...whole.sheet.cells]);
});

test("a build ends if Excel fills a column with other formulas again and again", async () => {
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.fillsTables = true;
  const planning = builtInTemplate("planning");
  // Too long for one request, and the row is absolute.
  const fixed = ["$A$", "$B$"].map((corner) => `${corner}{row}`).join();
  const cell = `=INV.QTY(${fixed})&"${"x".repeat(400)}"`;
  const columns = planning.table!.columns.map((column) =>
    column.id === "shelf" ? { ...column, cell } : column,
  );
  const template = { ...planning, table: { ...planning.table!, columns } };
  await expect(
    buildTemplate(workbook, { template, rows: rowsOf(60, 50), columns: new Set() }),
  ).rejects.toThrow(/fills the column "[^"]+" with other formulas/);
  expect(excel.sheets.map(({ name }) => name)).toEqual(["Sheet1"]);
});

test("a Table gets another name if a defined name has its name", async () => {
  const { excel, workbook } = openWorkbook("Sheet1");
  const formula = "='Sheet1'!$A$1:$A$9";
  excel.names.push({ name: "planning", scope: null, formula, visible: true });
  await buildTemplate(workbook, choice);
  expect((await workbook.tables()).map(({ name }) => name)).toEqual(["Table1"]);
});
