/** Pasting text of other programs into the browser workbook, under the page's own Content-Security-Policy. */
import type { CellValue } from "../../src/workbook/port";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

const serialOfDay = 46_346; // 2026-11-20
let workbook: WorkbookPage;
let sheet: string;
let sheets = 0;

beforeAll(async () => {
  workbook = await openScratch();
});
afterEach(() => expect(workbook.complaints.splice(0)).toEqual([]));

beforeEach(async () => {
  sheet = `Pasted ${(sheets += 1)}`;
  await workbook.port((port, name) => port.addSheet(name), sheet);
});

/** Pastes at B2, into a selection of this size. */
async function paste(
  clipboard: Parameters<WorkbookPage["paste"]>[0],
  { rows, cols } = { rows: 1, cols: 1 },
): Promise<void> {
  await workbook.select(sheet, 1, 1, rows, cols);
  await workbook.paste(clipboard);
}

const values = (rows: number, cols: number) => workbook.values(sheet, 1, 1, rows, cols);
const texts = (rows: number, cols: number) => workbook.texts(sheet, 1, 1, rows, cols);

async function pastedText(rows: number, cols: number): Promise<CellValue[][]> {
  await workbook.until(async () => (await texts(rows, cols)).flat().some((text) => text !== ""));
  await workbook.settled();
  return texts(rows, cols);
}

test("reports cells that Excel copied as ####, 1.23E+13 or 1E+13", async () => {
  await paste({ text: "####\t1.23E+13\t1E+13\t7" });
  expect(await pastedText(1, 4)).toEqual([["####", "1.23E+13", "1E+13", "7"]]);
  await workbook.until(async () =>
    /^3 pasted cells contain/.test((await workbook.page.textContent("#reason")) ?? ""),
  );
  await workbook.select(sheet, 30, 0);
  await workbook.until(async () => (await workbook.page.textContent("#reason")) === "");
});

test("a pasted formula that reaches outside the workbook, or isn't known here, is an error with its reason", async () => {
  await paste({ text: '=1+E2\t =WEBSERVICE("http://x/")\t=WENNNV(E2;0)' });
  await workbook.until(async () => (await texts(1, 3))[0]?.[2] === "#NAME?");
  await workbook.settled();
  expect(await values(1, 3)).toEqual([[1, "#NAME?", "#NAME?"]]);
  expect(await workbook.formulas(sheet, 1, 1, 1, 3)).toEqual([
    ["=1+E2", '=WEBSERVICE("http://x/")', "=WENNNV(E2,0)"],
  ]);
  for (const [col, reason] of [
    [2, "#NAME? WEBSERVICE reaches outside the workbook. That isn't available here."],
    [3, "#NAME? WENNNV isn't known here. This workbook uses English function names."],
  ] as const) {
    await workbook.select(sheet, 1, col);
    await workbook.until(async () => (await workbook.page.textContent("#reason")) === reason);
  }
});

test("a copy of a German Excel is read with its own separators", async () => {
  const separators = String.raw`mso-displayed-decimal-separator:"\,";mso-displayed-thousand-separator:"\."`;
  await paste({
    html: `<html><style>table {${separators}}</style><table><tr><td>1.234,50</td></tr></table></html>`,
    text: "1.234,50\t20.11.2026\t50 %\t00012345678905\r\n",
  });
  expect(await pastedText(1, 4)).toEqual([["1,234.50", "20.11.2026", "50%", "00012345678905"]]);
  expect(await values(1, 4)).toEqual([[1234.5, serialOfDay, 0.5, "00012345678905"]]);
});

test("plain text keeps blank cells, empty lines, quoted cells and leading zeros", async () => {
  const lines = [
    "\tG1\tG2",
    "100\t1\t2",
    "",
    '"a ""q""\tb\nc"\t5%\t1,234.50',
    "2026-11-20\t00012345678905\t=B3*2",
  ];
  await paste({ text: `${lines.join("\r\n")}\r\n` });
  await pastedText(6, 3);
  expect(await values(6, 3)).toEqual([
    [null, "G1", "G2"],
    [100, 1, 2],
    [null, null, null],
    ['a "q"\tb\nc', 0.05, 1234.5],
    [serialOfDay, "00012345678905", 200],
    [null, null, null],
  ]);
});

test.each(["ar-EG", "fa-IR"])("what cells show on a system in %s can be pasted back", async (locale) => {
  const other = await openScratch({ locale });
  await other.write([scratch, 0, 0], [[-1234.5, 0.125, "=3/2", "00012345678905"]]);
  const format = (col: number, numberFormat: string) =>
    other.port((port, given) => port.format(given.at, { numberFormat: given.numberFormat }), {
      ...{ at: { sheet: scratch, row: 0, col, rows: 1, cols: 1 }, numberFormat },
    });
  await format(0, "#,##0.00");
  await format(1, "0.0%");
  await other.settled();
  const [shown = []] = await other.texts(scratch, 0, 0, 1, 4);
  await other.select(scratch, 2, 0);
  await other.paste({ text: shown.join("\t") });
  await other.until(async () => (await other.values(scratch, 2, 3))[0]?.[0] === "00012345678905");
  expect(await other.values(scratch, 2, 0, 1, 4)).toEqual([[-1234.5, 0.125, 1.5, "00012345678905"]]);
});

test("cells in the text format take pasted numbers and formulas as texts", async () => {
  await workbook.port((port, at) => port.format(at, { numberFormat: "@" }), {
    ...{ sheet, row: 1, col: 1, rows: 3, cols: 1 },
  });
  await paste({ text: "98765432109876\t1.5\n=B2\t=1+1\n\t2" });
  await pastedText(3, 2);
  expect(await values(3, 2)).toEqual([
    ["98765432109876", 1.5],
    ["=B2", 2],
    [null, 2],
  ]);
});

test("one copied cell fills a selection, and one undo takes all of it back", async () => {
  await paste({ text: "7" }, { rows: 3, cols: 2 });
  await workbook.until(async () => (await values(3, 2)).flat().every((value) => value === 7));
  await workbook.undo();
  await workbook.until(async () => (await values(3, 2)).flat().every((value) => value === null));
});

test("a large paste grows the sheet, comes whole, and is one undo", async () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => `${row + 1}\t000${1_000 + row}`);
  await paste({ text: rows.join("\n") });
  await workbook.until(async () => (await values(2_000, 1))[1_999]?.[0] === 2_000);
  expect(await values(2_000, 2)).toEqual(rows.map((_, row) => [row + 1, `000${1_000 + row}`]));
  await workbook.undo();
  await workbook.until(async () => (await values(2_000, 2)).flat().every((value) => value === null));
});

test("what is too much for a cell or a sheet is refused with its reason, and changes nothing", async () => {
  for (const [text, reason] of [
    ["y".repeat(100_000), "one has 100,000 characters, and a cell can have 8,192 here."],
    ["1\t".repeat(16_384), "They would reach beyond XFD1048576, where a sheet ends."],
  ] as const) {
    await paste({ text: `7\n${text}` });
    await workbook.page.locator("#reason", { hasText: reason }).waitFor();
  }
  expect(await values(2, 2)).toEqual([
    [null, null],
    [null, null],
  ]);
});
