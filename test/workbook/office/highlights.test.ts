/** Conditional formats and notes that INV reads from Excel for a template. */
import { templateOfSheet } from "../../../src/workbook/templates/from-sheet";
import { buildTemplate } from "../../../src/workbook/templates/build";
import { builtInTemplate } from "../../../src/workbook/templates/built-in";
import type { ExcelBatches } from "../../../src/workbook/office/excel-batches";
import { officeNotes } from "../../../src/workbook/office/formatting";
import type { FoundHighlight } from "../../../src/workbook/port";
import { openWorkbook } from "./office-stage";

const block = { row: 1, col: 4, rows: 9, cols: 2 };
const area = { sheet: "Sheet1", ...block };
const look = { fill: "#FFC7CE", color: "#9C0006" };

async function readBack(kind: string, rule: Record<string, unknown>): Promise<FoundHighlight | undefined> {
  const { excel, workbook } = openWorkbook("Sheet1");
  excel.sheet("Sheet1").formatting.push({ kind, rule: { block, ...rule } });
  const [found] = await workbook.highlightsOf("Sheet1");
  return found;
}

test.each([
  ["CellValue", { operator: "LessThan", formula1: "=12" }, "=E2<12"],
  ["CellValue", { operator: "Between", formula1: "1", formula2: "=$B$1" }, "=AND(E2>=1,E2<=$B$1)"],
  ["ContainsText", { operator: "BeginsWith", text: "sold" }, '=LEFT(E2,LEN("sold"))="sold"'],
])("reads a rule of kind %s, %j", async (kind, rule, formula) => {
  expect(await readBack(kind, { rule, ...look })).toMatchObject({
    areas: [area],
    rule: { kind: "formula", formula, ...look },
  });
});

test.each([
  ["IconSet", {}, "icon set"],
  ["TopBottom", look, "rule for the top or bottom"],
  ["CellValue", { rule: { operator: "LessThan", formula1: "=12" } }, "rule for values"],
  [
    "ColorScale",
    {
      criteria: {
        minimum: { type: "LowestValue", color: "#ff0000" },
        maximum: { type: "HighestValue", color: "#00ff00" },
      },
    },
    "colour scale",
  ],
  ["SomethingNew", look, "other rule"],
])("names a rule of kind %s that a template can't contain", async (kind, rule, name) => {
  expect(await readBack(kind, rule)).toEqual({ areas: [area], rule: null, name });
});

test("reads thousands of other people's rules in requests that Excel on the web accepts", async () => {
  const { excel, workbook } = openWorkbook("Sheet1");
  for (let row = 0; row < 4_000; row += 1) {
    const rule = { block: { ...block, row }, formula: `=E${row + 1}>1`, fill: "#fde7e5" };
    excel.sheet("Sheet1").formatting.push({ kind: "Custom", rule });
  }
  const found = await workbook.highlightsOf("Sheet1");
  expect(found.map(({ areas: [first] }) => first?.row)).toEqual(
    Array.from({ length: 4_000 }, (_, row) => row),
  );
  expect(excel.requests.map(({ refused }) => refused).filter((code) => code !== null)).toEqual([]);
});

test("reads back what INV adds, in the order of adding it", async () => {
  const { workbook } = openWorkbook("Sheet1");
  const rules = [
    { kind: "formula", formula: "=E2>1", fill: "#fde7e5" },
    { kind: "bars", color: "#b3261e" },
    { kind: "heat", colors: ["#f8cfc9", "#fff6d6", "#bfe3c6"] },
    { kind: "formula", formula: "=E2>2", color: "#b3261e" },
  ] as const;
  for (const rule of rules) await workbook.highlight(area, rule);
  expect((await workbook.highlightsOf("Sheet1")).map(({ rule }) => rule)).toEqual(rules);
});

test("a planning sheet saved as a template has its colours and notes again", async () => {
  const { excel, workbook } = openWorkbook("Sheet1");
  const pairs = [1, 2, 3].map((store) => ({ store, item: "00012345678905" }));
  const rows = { pairs, stores: [], items: [] };
  const first = await buildTemplate(workbook, {
    template: builtInTemplate("planning"),
    rows,
    columns: new Set(),
  });
  const { template, notSaved } = await templateOfSheet(workbook, first);
  expect(notSaved).toEqual([]);
  const again = await buildTemplate(workbook, { template, rows, columns: new Set() });
  const kept = (sheet: string) => excel.sheet(sheet).formatting.filter(({ kind }) => kind === "Custom");
  expect(kept(again)).toEqual(kept(first));
  expect(kept(again)).toHaveLength(4);
});

// Office's library for Node lacks notes.
test("reads a sheet's notes if Excel and its library have notes", async () => {
  const location = { load: () => ({ rowIndex: 0, columnIndex: 3 }) };
  const notes = { load: () => notes, items: [{ content: "A dash.", getLocation: () => location }] };
  const notesFrom = (worksheet: object, version = true) => {
    const context = { workbook: { worksheets: { getItem: () => worksheet } }, sync: () => Promise.resolve() };
    const run = (batch: (given: never) => Promise<unknown>) => batch(context as never);
    return officeNotes({ run, supports: () => version } as unknown as ExcelBatches, "Plan");
  };
  expect(await notesFrom({ notes })).toEqual([{ cell: { sheet: "Plan", row: 0, col: 3 }, text: "A dash." }]);
  expect(await notesFrom({})).toEqual([]);
  expect(await notesFrom({ notes }, false)).toEqual([]);
});
