/**
 * Frequent edits of a planner at the grid: one formula into many cells, a paste while the next sheet already opens, a copy
 * for Excel and Google Sheets, and Excel's keys.
 */
import { Workbook } from "@cj-tech-master/excelts";
import type { Page } from "playwright-core";
import type { CellValue } from "../../src/workbook/port";
import { origin } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch();
  await workbook.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterEach(() => expect(workbook.complaints.splice(0)).toEqual([]));

const area = (row: number, col: number, rows = 1, cols = 1) => ({ sheet: scratch, row, col, rows, cols });
type Place = ReturnType<typeof area>;

const write = (at: Place, cells: CellValue[][]) =>
  workbook.port((port, [to, given]) => port.write(to, given), [at, cells] as const);
const formulas = (at: Place) => workbook.port((port, from) => port.read(from, "formulas"), at);

/** Selects cells and gives the grid the focus. */
async function select(at: Place): Promise<void> {
  await workbook.port((port, to) => port.select(to), at);
  await workbook.page.evaluate(() => window.invHost?.focusGrid());
}

async function becomes(at: Place, expected: CellValue[][]): Promise<void> {
  let found: CellValue[][] = [];
  await workbook
    .until(async () => {
      found = await formulas(at);
      return JSON.stringify(found) === JSON.stringify(expected);
    })
    .catch(() => expect(found).toEqual(expected));
}

test("Ctrl+Enter writes nothing: the grid would repeat a formula without moving its references", async () => {
  await select(area(20, 4, 3, 1));
  await workbook.type("=B21*2");
  await workbook.page.keyboard.press("Control+Enter");
  await workbook.page.keyboard.press("Enter");
  await becomes(area(20, 4, 3, 1), [["=B21*2"], [null], [null]]);
});

test("pastes into the selected cell even if another sheet opens meanwhile", async () => {
  const rows = Array.from({ length: 3_000 }, (_, row) => `${row + 1}\tx`).join("\n");
  const other = "Clicked after";
  await workbook.port((port, name) => port.addSheet(name), other);
  await select(area(50, 0));
  await workbook.page.evaluate(
    async ([text, name]) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
      const port = await window.invHost!.workbook;
      await port.select({ sheet: name, row: 4, col: 4, rows: 1, cols: 1 });
    },
    [rows, other] as const,
  );
  await workbook.until(async () => {
    const [here, there] = [
      await workbook.values(scratch, 3_049, 0, 1, 1),
      await workbook.values(other, 3_003, 4, 1, 1),
    ];
    return here[0]?.[0] === 3_000 || there[0]?.[0] === 3_000;
  });
  expect(await workbook.values(scratch, 50, 0, 1, 2)).toEqual([[1, "x"]]);
  expect(await workbook.port((port, sheet) => port.usedArea(sheet), other)).toBeNull();
  // The paste does not move the person away from the sheet they look at now.
  expect(
    await workbook.port((port) => new Promise((resolve) => port.onSelection(resolve)), null),
  ).toMatchObject([{ sheet: other, row: 4, col: 4 }]);
});

/** What another program gets of these cells. */
async function copied(at: Place): Promise<{ readonly text: string; readonly html: string }> {
  await select(at);
  await workbook.page.keyboard.press("Control+c");
  const elsewhere = await workbook.page.context().newPage();
  await elsewhere.goto(`${origin}/environments.json`);
  await elsewhere.evaluate(() => {
    document.addEventListener("paste", ({ clipboardData }) => {
      document.body.dataset["pasted"] = clipboardData?.getData("text/plain") ?? "";
      document.body.dataset["html"] = clipboardData?.getData("text/html") ?? "";
    });
  });
  const found = () =>
    elsewhere.evaluate(() => {
      const { pasted: text = "", html = "" } = document.body.dataset;
      return { text, html };
    });
  await workbook.until(async () => {
    await elsewhere.keyboard.press("Control+v");
    return (await found()).text !== "";
  });
  const { text, html } = await found();
  await elsewhere.close();
  return { text, html };
}

test("copied cells bring the values of spills, leading zeros and all digits", async () => {
  await write(area(2, 10), [["={7,8;5,9}*1"]]);
  await write(area(2, 12, 2), [["00012345678905"], [1234.567]]);
  await workbook.port((port, at) => port.format(at, { numberFormat: "#,##0.0" }), area(3, 12));
  await workbook.settled();
  const { text, html } = await copied(area(2, 10, 2, 3));
  expect(text).toBe("7\t8\t00012345678905\n5\t9\t1,234.6");
  const cells = html.split(/(?=<td)/).slice(1);
  expect(cells[2]).toMatch(/mso-number-format:\s*'\\@'.*>00012345678905</s);
  expect(cells[5]).toMatch(/x:num="?1234\.567/);
  await select(area(3, 10, 1, 2));
  await workbook.page.keyboard.press("Control+c");
  await select(area(6, 10));
  await workbook.page.keyboard.press("Control+v");
  await workbook.until(async () => (await workbook.values(scratch, 6, 11))[0]?.[0] === 9);
  expect(await formulas(area(6, 10, 1, 2))).toEqual([[5, 9]]);
});

test("a text typed with a line break is read, copied and downloaded whole", async () => {
  const { page } = workbook;
  await select(area(14, 10));
  await workbook.type("one");
  await page.keyboard.press("Alt+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await becomes(area(14, 10), [["one\ntwo"]]);
  expect((await copied(area(14, 10, 1, 2))).text).toBe('"one\ntwo"\t');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const file = new Workbook();
  await file.xlsx.readFile(await download.path());
  expect(file.worksheets[1]?.getCell("K15").value).toBe("one\ntwo");
});

test("a copy keeps texts with tabs and line breaks in their cells, and errors and TRUE as such", async () => {
  await write(area(11, 10, 2, 3), [
    ["a\tb", "one\ntwo", "=1/0"],
    [true, "last", "=NA()"],
  ]);
  await workbook.settled();
  const { text, html } = await copied(area(11, 10, 2, 3));
  expect(text).toBe('"a\tb"\t"one\ntwo"\t#DIV/0!\nTRUE\tlast\t#N/A');
  expect(html).toMatch(/one<br[^>]*>two.*x:err="#DIV\/0!".*x:bool="TRUE".*x:err="#N\/A"/s);
});

/** Presses Tab or Enter, or types the letters without a pause. */
async function press(page: Page, keys: string): Promise<void> {
  await (keys === "Tab" || keys === "Enter" ? page.keyboard.press(keys) : page.keyboard.type(keys));
}

test("Enter puts in what was typed, also while a suggestion is shown; Tab takes the suggestion", async () => {
  const { page } = workbook;
  const at = area(41, 0);
  const edited = () => page.evaluate(() => window.invHost?.editedFormula());
  const suggestion = page.locator("[data-u-comp='sheets-formula-editor'] li").first();
  // The grid's list of suggestions does not always open. If it doesn't, type the text again.
  async function type(text: string): Promise<void> {
    await workbook.until(async () => {
      await page.keyboard.press("Escape");
      await workbook.until(async () => (await edited()) === null);
      await select(at);
      await page.keyboard.type(text, { delay: 30 });
      return suggestion.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
  }
  await type("=INV.Q");
  await page.keyboard.press("Enter");
  await becomes(at, [["=INV.Q"]]);
  await type("=INV.QT");
  await page.keyboard.press("Tab");
  await workbook.until(async () => (await edited()) === "=INV.QTY(");
  await page.keyboard.press("Escape");
  await workbook.until(async () => (await edited()) === null);
  // A suggestion for fewer letters no longer applies, so Tab goes to the next cell.
  await type("=INV.Q");
  for (const keys of ["TY(1,2)", "Tab", "5", "Enter"]) await press(page, keys);
  await becomes(area(41, 0, 1, 2), [["=INV.QTY(1,2)", 5]]);
});

test("keys before the list of suggestions appears act on the cell", async () => {
  await select(area(43, 0));
  for (const keys of [
    "=INV.QT",
    "Tab",
    "1,2)",
    "Tab",
    "=a43",
    "Tab",
    "12",
    "Tab",
    '="inv',
    "Tab",
    "7",
    "Enter",
  ]) {
    await press(workbook.page, keys);
  }
  await becomes(area(43, 0, 1, 5), [["=INV.QTY(1,2)", "=A43", 12, '="inv', 7]]);
});

test("text that looks like a number stays text when it is formatted, or moved by an inserted column", async () => {
  const { page } = workbook;
  await write(area(45, 0, 1, 4), [[1234, "00012345678905", "TRUE", "=LEN(B46)"]]);
  await workbook.settled();
  await select(area(45, 1, 1, 2));
  await page.keyboard.press("ControlOrMeta+b");
  const isBold = async () =>
    (await workbook.port((port, at) => port.formatsOf(at), area(45, 1)))[0]?.[0]?.bold === true;
  await workbook.until(isBold);
  await workbook.port((port, at) => port.format(at, { numberFormat: "General" }), area(45, 1, 1, 2));
  expect(await workbook.values(scratch, 45, 1, 1, 2)).toEqual([["00012345678905", "TRUE"]]);
  const grid = (await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox())!;
  await page.mouse.click(grid.x + 46 + 88 + 44, grid.y + 8, { button: "right" });
  await page.getByRole("button", { name: "Insert columns left" }).click();
  await becomes(area(45, 0, 1, 5), [[1234, null, "00012345678905", "TRUE", "=LEN(C46)"]]);
  await workbook.settled();
  expect(await workbook.values(scratch, 45, 4)).toEqual([[14]]);
  await workbook.undo();
  await becomes(area(45, 0, 1, 4), [[1234, "00012345678905", "TRUE", "=LEN(B46)"]]);
});

test("ten thousand cells are written in slices, and one undo takes them back", async () => {
  const at = area(0, 30, 5_000, 2);
  const cells = Array.from({ length: at.rows }, (_, row) => [row, `=AE${row + 1}*2`]);
  await write(at, cells);
  await workbook.settled();
  expect(await workbook.values(scratch, 4_999, 30, 1, 2)).toEqual([[4_999, 9_998]]);
  await select(area(0, 30));
  await workbook.page.keyboard.press("Control+z");
  const empty = Array.from({ length: at.rows }, () => [null, null]);
  await workbook.until(async () => JSON.stringify(await formulas(at)) === JSON.stringify(empty));
});
