/** What a template costs before it is built: the same as its sheet asks for afterwards, whoever wrote it. */
import { isHistory } from "../../../src/domain/query-keys";
import type { Query } from "../../../src/domain/records";
import type { Template } from "../../../src/domain/templates/template";
import { functionPreview } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { findInvFormulas } from "../../../src/workbook/formula-search";
import { readFormulaQueries } from "../../../src/workbook/formula-queries";
import { buildTemplate } from "../../../src/workbook/templates/build";
import { builtInTemplate, builtInTemplates } from "../../../src/workbook/templates/built-in";
import { estimateTemplate } from "../../../src/workbook/templates/estimate";
import type { TemplateChoice } from "../../../src/workbook/templates/fill";
import { partOf, readRows } from "../../../src/workbook/templates/rows";
import { createWorkList } from "../../../src/workbook/work-list";
import { fakeContext } from "../../functions/fakes";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

startFunctions(fakeContext());
const gtin = (index: number) => String(10_000_000_000_000 + index);
const clock = createVirtualClock();

function open() {
  const workbook = createMemoryWorkbook(["North, South"]);
  const reader = { workbook, functions: functionPreview, clock, isFresh: () => false };
  const estimate = (choice: TemplateChoice) => clock.until(estimateTemplate(choice, reader));
  return { workbook, reader, estimate };
}

/** A heading and four rows, as a person selects them. */
const rows = readRows([
  partOf({
    area: null,
    cells: [["Store", "GTIN"], ...[0, 1, 2, 3].map((at) => [1000 + at, gtin(at)])],
  }),
]);

function withColumns(...cells: readonly string[]): Template {
  const columns = ["{store}", "{item}", ...cells].map((cell, at) => ({
    ...{ id: `column-${at}`, header: `Column ${at}`, cell },
  }));
  return { ...builtInTemplate("planning"), table: { name: "Plan", columns } };
}

const none = new Set<string>();
const words = (work: { items: readonly object[]; histories: readonly object[] }) =>
  [...work.items, ...work.histories].map((query) => JSON.stringify(query)).sort();

test.each(builtInTemplates().map((template) => [template.id, template] as const))(
  "%s asks for what was estimated",
  async (_id, template) => {
    const { workbook, reader, estimate } = open();
    workbook.mostInvCells = 0;
    const columns = new Set(template.table?.columns.map(({ id }) => id));
    const { work, isPartial, tooMany } = await estimate({ template, rows, columns });
    // Build counts for itself.
    const before = await workbook.sheets();
    await expect(buildTemplate(workbook, { template, rows, columns })).rejects.toThrow("at most 0 INV cells");
    expect(await workbook.sheets()).toEqual(before);
    workbook.mostInvCells = null;
    await buildTemplate(workbook, { template, rows, columns });
    // The cells of formulas show nothing in this workbook.
    workbook.valueOf = () => null;
    const list = createWorkList();
    const formulas = await findInvFormulas(workbook);
    expect(tooMany).toEqual({ cells: formulas.length, maxCells: 0 });
    const found = await clock.until(readFormulaQueries(reader, formulas));
    for (const { queries } of found) queries.forEach(list.add);
    expect(words(work)).toEqual(words(list.work));
    expect(words(work).length).toBeGreaterThan(0);
    expect(isPartial).toBe(false);
  },
);

test.each([
  ["=INV.STOCK(A{row},B{row},,TRUE)", 4],
  ["=INV.EVENTS(A{row},B{row},,,,,TRUE)", 4],
  ["=ROWS(INV.CID(A{row},B{row},,TRUE))", 4],
  ["=INV.QTY($A$1,$B$1)+INV.QTY(A{row},B{row})", 4],
])("headings aren't counted: %s in four rows costs %d", async (formula, count) => {
  const { work } = await open().estimate({ template: withColumns(formula), rows, columns: none });
  expect(words(work)).toHaveLength(count);
});

test("a constant item is counted once, not in each row", async () => {
  const template = withColumns('=INV.QTY(A{row},B{row})/INV.QTY(17,"00000000000017")');
  const { work } = await open().estimate({ template, rows, columns: none });
  expect(work.items).toHaveLength(5);
});

test("stores on another sheet are read there, even if its name contains a comma", async () => {
  const { workbook, estimate } = open();
  workbook.put({ sheet: "North, South", row: 1, col: 0 }, 4321);
  const template = withColumns(`=INV.EVENTQTY('North, South'!$A$2,B{row},"SALES")`);
  const { work } = await estimate({ template, rows, columns: none });
  expect(work.histories.map((query) => isHistory(query) && query.storeNumber)).toEqual([4321]);
});

test("an argument that the sheet calculates makes the estimate a least one", async () => {
  const template = withColumns("=A{row}+0", "=INV.QTY(C{row},B{row})", "=INV.QTY(A{row},B{row})");
  const { work, isPartial } = await open().estimate({ template, rows, columns: none });
  expect([work.items.length, isPartial]).toEqual([4, true]);
});

test("sums with dates may read each item's whole history besides, which is said", async () => {
  const dated =
    '=INV.EVENTQTY(A{row},B{row},"SALES",TODAY()-2)+INV.EVENTQTY(A{row},B{row},"RETURNS",TODAY()-2)';
  const { work } = await open().estimate({ template: withColumns(dated), rows, columns: none });
  expect([work.histories.length, work.atMostWhole]).toEqual([8, 4]);
  const both = withColumns(dated, "=INV.LASTEVENT(A{row},B{row})");
  expect((await open().estimate({ template: both, rows, columns: none })).work.atMostWhole).toBeUndefined();
});

test("a sum whose whole history is cached doesn't read it again", async () => {
  const { workbook, reader } = open();
  const template = withColumns('=INV.EVENTQTY(A{row},B{row},"SALES",TODAY()-2)');
  const isFresh = (query: Query) => isHistory(query) && Object.keys(query).length === 2;
  const choice = { template, rows, columns: none };
  const { work } = await clock.until(estimateTemplate(choice, { ...reader, workbook, isFresh }));
  expect([work.histories.length, work.atMostWhole]).toEqual([4, undefined]);
});

test("a limit of INV cells counts those that the workbook has, and none is reported within it", async () => {
  const { workbook, estimate } = open();
  const choice = { template: withColumns("=INV.QTY(A{row},B{row})"), rows, columns: none };
  workbook.mostInvCells = 4;
  expect((await estimate(choice)).tooMany).toBeNull();
  workbook.put({ sheet: "North, South", row: 1, col: 0 }, "=INV.ENV()");
  expect((await estimate(choice)).tooMany).toEqual({ cells: 5, maxCells: 4 });
  workbook.mostInvCells = null;
  expect((await estimate(choice)).tooMany).toBeNull();
});
