/** INV's own templates, built over a workbook in memory: right formulas, whole rows, and no hidden outage. */
import { areaAddress } from "../../../src/workbook/addresses";
import fs from "node:fs";
import path from "node:path";
import catalogue from "../../released-functions.json";
import { readTemplate } from "../../../src/domain/templates/read-template";
import type { Query } from "../../../src/domain/records";
import type { Template } from "../../../src/domain/templates/template";
import { functionPreview } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { isInvFormula } from "../../../src/formula/calls";
import { buildTemplate } from "../../../src/workbook/templates/build";
import {
  builtInTemplate,
  builtInTemplates,
  functionsTemplate,
} from "../../../src/workbook/templates/built-in";
import { trySheet } from "../../../src/workbook/templates/try-sheet";
import { noRows, type TemplateChoice, type TemplateRows } from "../../../src/workbook/templates/fill";
import { crossed } from "../../../src/workbook/templates/crossed";
import { estimateTemplate } from "../../../src/workbook/templates/estimate";
import { fakeContext } from "../../functions/fakes";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

const gtin = (index: number) => String(10_000_000_000_000 + index);
function rowsOf(stores: number, items: number): TemplateRows {
  const storeNumbers = Array.from({ length: stores }, (_, index) => 1000 + index);
  const gtins = Array.from({ length: items }, (_, index) => gtin(index));
  return { stores: storeNumbers, items: gtins, pairs: crossed(storeNumbers, gtins) };
}

startFunctions(fakeContext());

/** What building this template requests. */
async function workOf(choice: TemplateChoice, isFresh: (query: Query) => boolean = () => false) {
  const clock = createVirtualClock();
  const reader = { workbook: createMemoryWorkbook(), functions: functionPreview, clock, isFresh };
  const { work, isPartial } = await clock.until(estimateTemplate(choice, reader));
  expect(isPartial).toBe(false);
  return work;
}

const none = new Set<string>();
const all = (template: Template) => new Set(template.table?.columns.map(({ id }) => id));

async function build(id: string, rows: TemplateRows, columns = none) {
  const workbook = createMemoryWorkbook();
  const template = builtInTemplate(id);
  const sheet = await buildTemplate(workbook, { template, rows, columns });
  const read = (row: number, col: number, height: number, width: number) =>
    workbook.read({ sheet, row, col, rows: height, cols: width }, "formulas");
  return { workbook, template, sheet, read };
}

const everyTemplate = [...builtInTemplates(), functionsTemplate(), trySheet()];

test("a summary beside a table looks the same everywhere: heading, labels of its facts, and the whole text below as notes", () => {
  const lines = everyTemplate.flatMap(({ id, table }) => {
    const { rows = [], cellFormats = [] } = table?.beside ?? {};
    return rows.flatMap(([text, value], index) => {
      if (typeof text !== "string") return [];
      const looks: (string | undefined)[] = cellFormats
        .filter(({ row }) => row === index + 1)
        .map(({ style }) => style);
      return [{ id, text, looks, wanted: index === 0 ? "header" : value === null ? "note" : "label" }];
    });
  });
  for (const wanted of ["header", "label", "note"]) {
    expect(lines.filter((line) => line.wanted === wanted).length).toBeGreaterThan(2);
  }
  expect(lines.filter(({ looks, wanted }) => !looks.includes(wanted))).toEqual([]);
});

test("each file is a template of the gallery, the sheet of functions or the sheet to try formulas", () => {
  const folder = path.resolve(__dirname, "../../../src/workbook/templates/built-in");
  const files = fs.readdirSync(folder).map((name) => name.replace(/\.inv\.json$/, ""));
  expect(everyTemplate.map(({ id }) => id).sort()).toEqual(files.sort());
});

test.each(everyTemplate.map((template) => [template.id, template] as const))(
  "%s passes the checks for people's templates, and no formula keeps a placeholder or hides an outage",
  async (_id, template) => {
    expect(readTemplate(template).faults).toBeNull();
    const rows = template.needs === "nothing" ? noRows : rowsOf(2, 3);
    const workbook = createMemoryWorkbook();
    await buildTemplate(workbook, { template, rows, columns: all(template) });
    const formulas = [...workbook.cells.values()].filter((cell) => String(cell).startsWith("="));
    expect(formulas.some((formula) => isInvFormula(String(formula)))).toBe(true);
    for (const formula of formulas) {
      expect(formula).not.toMatch(/[{}]/);
      expect(formula).not.toMatch(/IFERROR|ISERROR/i);
    }
  },
);

describe("the planning sheet", () => {
  it("has a row for each pair, as a table, with the oldest value's time beside it", async () => {
    const { workbook, sheet, read } = await build("planning", rowsOf(10, 20));
    expect((await read(0, 0, 2, 8)).at(0)).toEqual([
      "Store",
      "GTIN",
      "Shelf",
      "Backroom",
      "Total",
      "Order?",
      "Updated (UTC)",
      "Status (UTC)",
    ]);
    expect((await read(200, 0, 1, 6))[0]).toEqual([
      1009,
      gtin(19),
      "=INV.QTY(A201,B201)",
      '=IFNA(INV.QTY(A201,B201,"BACKROOM"),"–")',
      '=IFNA(C201+N(D201),"")',
      '=IF(ISNUMBER(E201),IF(E201<$K$4,"order",""),E201)',
    ]);
    expect((await read(201, 0, 1, 8)).flat()).toEqual(Array(8).fill(null));
    expect((await read(200, 7, 1, 1))[0]).toEqual([
      '=SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(INV.STATUS(A201,B201,,TRUE),"SUCCESS, ",""),"SUCCESS",""),"not answered since","as of")," UTC","")',
    ]);
    expect(await read(2, 9, 7, 2)).toEqual([
      ["Oldest value (UTC)", '=MIN(IFNA(INV.ASOF(A2:A201,B2:B201),""))'],
      ["Order below", 12],
      ["Target days", 14],
      ["Pack size", 6],
      [
        "Rows to order",
        // While rows wait, the count is a lower bound.
        '=IF(SUMPRODUCT(--ISERR(F2:F201))=0,COUNTIF(F2:F201,"order"),COUNTIF(F2:F201,"order")&"+")',
      ],
      ["Rows without data", "=SUMPRODUCT(--ISNA(C2:C201))"],
      [
        "Rows not answered",
        // An unanswered history doesn't affect the stock.
        '=COUNTIF(H2:H201,"*as of*")-COUNTIF(H2:H201,"*history as of*")+SUMPRODUCT(--ISERR(C2:C201))',
      ],
    ]);
    expect(workbook.highlights).toMatchObject([
      ...[2, 3, 4].map((col) => ({
        area: { sheet, row: 1, col, rows: 200, cols: 1 },
        // An unanswered history doesn't affect the stock.
        rule: { formula: '=OR(ISERROR($H2),ISNUMBER(SEARCH("as of",SUBSTITUTE($H2,"history as of",""))))' },
      })),
      { area: { sheet, row: 1, col: 5, rows: 200, cols: 1 }, rule: { formula: '=F2="order"' } },
    ]);
    expect(workbook.addedTables).toMatchObject([
      { name: "Planning", area: { sheet, row: 0, col: 0, rows: 201, cols: 8 } },
    ]);
    expect(workbook.frozen.get(sheet)).toBe(1);
    expect(workbook.notes).toHaveLength(3);
  });

  it("requests histories only for the columns that need them, and includes them in the price", async () => {
    const template = builtInTemplate("planning");
    const rows = rowsOf(10, 20);
    const off = await workOf({ template, rows, columns: none });
    expect([off.items.length, off.histories.length]).toEqual([200, 0]);
    const on = await workOf({ template, rows, columns: new Set(["suggested", "flag"]) });
    expect([on.items.length, on.histories.length]).toEqual([200, 200]);
    const { read } = await build("planning", rows, new Set(["suggested", "flag"]));
    // Named after the limit beside the table that each follows: Order below, or Target days.
    expect((await read(0, 10, 1, 2))[0]).toEqual(["Order to target", "Mark below target"]);
    expect((await read(1, 8, 1, 6))[0]).toEqual([
      '=IFNA(ABS(INV.EVENTQTY(A2,B2,"SALES"))/(6+MOD(INV.ASOF(A2,B2),1)),"–")',
      '=IF(E2="","–",IF(N(I2)>0,E2/I2,"–"))',
      '=IF(E2="","–",IF(I2="–","–",CEILING(ROUND(MAX(0,$O$5*I2-E2),6),MAX(1,$O$6))))',
      '=IF(E2="","",IF(N(I2)>0,IF(E2<=0,"went to zero",IF(J2<$O$5,"below target","")),""))',
      null,
      "Environment",
    ]);
  });

  it("leaves fresh values out of the price, and requests the histories that its formulas name", async () => {
    const choice = { template: builtInTemplate("planning"), rows: rowsOf(2, 2), columns: new Set(["sold"]) };
    const { items, histories } = await workOf(choice);
    expect([items.length, histories.length]).toEqual([4, 4]);
    expect(histories[0]).toMatchObject({ storeNumber: 1000, gtin: gtin(0), eventType: "SALES" });
    const fresh = new Set([JSON.stringify(items[1]), JSON.stringify(histories[2])]);
    const isFresh = (query: object) => fresh.has(JSON.stringify(query));
    const rest = await workOf(choice, isFresh);
    expect([rest.items, rest.histories]).toEqual([
      [items[0], items[2], items[3]],
      [histories[0], histories[1], histories[3]],
    ]);
    expect(await workOf(choice, () => true)).toEqual({ items: [], histories: [] });
    const receiving = { template: builtInTemplate("receiving"), rows: rowsOf(1, 1), columns: none };
    const types = (await workOf(receiving)).histories.map(({ eventType }) => eventType);
    expect(types).toEqual(["SI", "LR", "SILR"]);
  });

  it("adds the columns that a chosen column needs", async () => {
    const { read } = await build("planning", rowsOf(1, 1), new Set(["cover"]));
    expect((await read(0, 8, 1, 2))[0]).toEqual(["Sold per day", "Days of cover"]);
  });

  it("is built with 10,000 rows, and refused above its limit", async () => {
    const { read } = await build("planning", rowsOf(100, 100));
    expect((await read(10_000, 2, 1, 1))[0]).toEqual(["=INV.QTY(A10001,B10001)"]);
    await expect(build("planning", rowsOf(201, 100))).rejects.toThrow(
      /^These are 20,100 rows; a sheet takes at most 20,000\./,
    );
    await expect(build("planning", noRows)).rejects.toThrow(/^No stores or GTINs selected/);
  });
});

test("the grid is one formula between its stores and items, with heat colours, and yellow while numbers aren't answered", async () => {
  const { workbook, sheet, read } = await build("grid", rowsOf(3, 4));
  expect(await read(4, 0, 2, 5)).toEqual([
    ["Store \\ GTIN", gtin(0), gtin(1), gtin(2), gtin(3)],
    [1000, "=INV.QTY(A6:A8,B5:E5)", null, null, null],
  ]);
  expect(workbook.highlights).toMatchObject([
    { area: { sheet, row: 5, col: 1, rows: 3, cols: 4 }, rule: { kind: "heat" } },
    {
      area: { sheet, row: 5, col: 1, rows: 3, cols: 4 },
      rule: { formula: "=IF(ISERROR($B$3),TRUE,$B$3>0)", fill: "#fff3cd" },
    },
  ]);
  const [[label, notAnswered] = []] = await read(2, 0, 1, 2);
  const status = "INV.STATUS(A6:A8,B5:E5,,TRUE)";
  expect([label, notAnswered]).toEqual([
    "Not answered",
    `=SUMPRODUCT(--ISNUMBER(SEARCH(", not answered",${status})))+SUMPRODUCT(--ISERR(${status}))`,
  ]);
  const choice = { template: builtInTemplate("grid"), rows: rowsOf(3, 4), columns: none };
  expect((await workOf(choice)).items).toHaveLength(12);
});

test("the history has a chart, or bars if the host draws no charts", async () => {
  const drawn = await build("history", rowsOf(1, 1));
  expect(drawn.workbook.addedCharts).toMatchObject([
    { kind: "column", data: { row: 0, col: 3, rows: 8, cols: 2 } },
  ]);
  const yellow = drawn.workbook.highlights.map(({ area, rule }) => [areaAddress(area), rule]);
  const rule = { kind: "formula", fill: "#fff3cd", color: "#7a5200" };
  expect(yellow).toEqual([
    ["B3:B4", { ...rule, formula: "=IF(ISERROR($B$7),TRUE,$B$7>0)" }],
    ["E2:E8", { ...rule, formula: "=IF(ISERROR($B$7),TRUE,$B$7>0)" }],
    ["D15:E2014", { ...rule, formula: '=AND($A15<>"",IF(ISERROR($B$7),TRUE,$B$7>0))' }],
  ]);
  const workbook = createMemoryWorkbook();
  workbook.drawsCharts = false;
  await buildTemplate(workbook, { template: builtInTemplate("history"), rows: rowsOf(1, 1), columns: none });
  expect(workbook.highlights.slice(yellow.length)).toMatchObject([{ rule: { kind: "bars" } }]);
});

test("every function of INV is in the sheet of all functions", () => {
  const cells = functionsTemplate().blocks!.flatMap(({ rows }) => rows.map(([name]) => name));
  expect(cells.slice(1).sort()).toEqual(catalogue.map(({ id }) => `INV.${id}`).sort());
});
