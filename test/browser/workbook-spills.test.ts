/**
 * Arrays on a German system, whose lists use semicolons and whose decimals use commas: the sheet grows for them, the error
 * names what blocks them, and cells that refer to them follow every change.
 */
import { Workbook } from "@cj-tech-master/excelts";
import { readFileSync } from "node:fs";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

const gtin = "00012345678905";
let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch({ locale: "de-DE" });
});

async function width(sheet: string, col: number): Promise<number> {
  const area = { sheet, row: 0, col, rows: 1, cols: 1 };
  const formats = await workbook.port((port, at) => port.formatsOf(at), area);
  return formats[0]?.[0]?.widthPx ?? 0;
}

test("a sheet grows for an array, in both directions", async () => {
  await workbook.select(scratch, 0, 0);
  await workbook.enter("=SEQUENCE(2000)");
  await workbook.select(scratch, 0, 2);
  await workbook.enter("=SEQUENCE(1,50)");
  await workbook.until(async () => (await workbook.values(scratch, 0, 51))[0]?.[0] === 50);
  await workbook.settled();
  expect(await workbook.values(scratch, 1_999, 0)).toEqual([[2_000]]);
  // The cells are there for a person too: the last one can be selected.
  await workbook.select(scratch, 0, 0);
  await workbook.focusGrid();
  await workbook.page.keyboard.press("Control+ArrowDown");
  await workbook.page.locator("#selection", { hasText: /^A2000: 2000$/ }).waitFor({ state: "attached" });
});

test("numbers of items widen their column on a new sheet, pasted or typed", async () => {
  // A sheet that the grid adds itself, with the button beside the tabs.
  await workbook.page.locator("#grid footer button").first().click();
  await workbook.until(async () => (await workbook.sheetNames()).includes("Sheet1"));
  const sheet = "Sheet1";
  await workbook.select(sheet, 0, 0);
  for (const text of ["123456789012", "1234567890123"]) await workbook.enter(text);
  await workbook.until(async () => (await width(sheet, 0)) > 95);
  const first = await width(sheet, 0);
  await workbook.enter("123456789012345");
  await workbook.until(async () => (await width(sheet, 0)) > first);
  await workbook.select(sheet, 0, 2);
  await workbook.paste({ text: "12345678901234\r\n123456789" });
  await workbook.until(async () => (await width(sheet, 2)) > 95);
});

test("a blocked array names the cell that blocks it, is downloaded as its error, and fills its cells once that is cleared", async () => {
  const items = Array.from({ length: 50 }, () => gtin);
  await workbook.write([scratch, 2, 2], [[1234, ...items]]);
  await workbook.write([scratch, 9, 20], [["here"]]);
  await workbook.select(scratch, 9, 3);
  await workbook.enter("=INV.QTY(C3,D3:BA3)");
  await workbook.settled();
  expect(await workbook.values(scratch, 9, 3)).toEqual([["#SPILL!"]]);
  await workbook.select(scratch, 9, 3);
  await workbook.page
    .getByText("The result needs 1 row and 50 columns, and U10 is in the way. Clear that cell or move it.")
    .first()
    .waitFor();

  const [download] = await Promise.all([
    workbook.page.waitForEvent("download"),
    workbook.page.click("#download"),
  ]);
  const file = new Workbook();
  await file.xlsx.load(readFileSync(await download.path()));
  expect(file.getWorksheet(scratch)?.getCell("D10").value).toEqual({ error: "#VALUE!" });
  expect(file.getWorksheet(scratch)?.getCell("U10").value).toBe("here");

  await workbook.write([scratch, 9, 20], [[null]]);
  await workbook.settled();
  for (const col of [3, 52]) {
    expect(await workbook.values(scratch, 9, col)).toEqual([[expect.any(Number)]]);
  }
});

test("recalculates references to an array that shrinks, becomes one value, disappears, or depends on another", async () => {
  const sheet = "References";
  await workbook.port((port, name) => port.addSheet(name), sheet);
  await workbook.write(
    [sheet, 0, 0],
    [[4, "=SEQUENCE(A1)", "=B3&B4", "=SUM(B2:B4)", "=MAP(B2:B4,LAMBDA(x,x*2))"]],
  );
  await workbook.write([sheet, 0, 5], [["=SUM(E2:E3)", "=B1+E3", "=G1+F1"]]);
  const shown = async (rows: number) => {
    await workbook.write([sheet, 0, 0], [[rows]]);
    await workbook.settled();
    const [[, , ...first] = []] = await workbook.values(sheet, 0, 0, 1, 8);
    return first;
  };
  expect(await shown(4)).toEqual(["34", 9, 4, 14, 9, 23]);
  expect(await shown(3)).toEqual(["3", 5, 4, 6, 1, 7]);
  expect(await shown(1)).toEqual(["", 0, 0, 0, 1, 1]);
  expect(await shown(4)).toEqual(["34", 9, 4, 14, 9, 23]);
  await workbook.write([sheet, 0, 1], [["no array"]]);
  await workbook.settled();
  expect(await workbook.values(sheet, 0, 2, 1, 2)).toEqual([["", 0]]);
  expect(workbook.complaints).toEqual([]);
});
