/** Arrays on a new sheet: the sheet grows for them, and the error names what blocks them. */
import { readFileSync } from "node:fs";
import { openScratch, openWorkbook, scratch, type WorkbookPage } from "./workbook-page";

const gtin = "00012345678905";

async function entered(
  workbook: WorkbookPage,
  place: readonly [number, number],
  text: string,
): Promise<void> {
  await workbook.select(scratch, ...place);
  await workbook.type(text);
  await workbook.page.keyboard.press("Enter");
  await workbook.settled();
}

describe.each(["en-US", "de-DE"])("on a system in %s", (locale) => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch({ locale });
  });

  test("a sheet grows for an array, in both directions", async () => {
    await entered(workbook, [0, 0], "=SEQUENCE(2000)");
    await entered(workbook, [0, 2], "=SEQUENCE(1,50)");
    await workbook.until(async () => (await workbook.values(scratch, 0, 51, 1, 1))[0]?.[0] === 50);
    expect(await workbook.values(scratch, 1_999, 0, 1, 1)).toEqual([[2_000]]);
  });

  test("a blocked array names the cell that blocks it, and fills its cells once that is cleared", async () => {
    const items = Array.from({ length: 50 }, () => gtin);
    await workbook.write([scratch, 2, 2], [[1234, ...items]]);
    await workbook.write([scratch, 9, 20], [["here"]]);
    await entered(workbook, [9, 3], "=INV.QTY(C3,D3:BA3)");
    expect(await workbook.values(scratch, 9, 3, 1, 1)).toEqual([["#SPILL!"]]);
    await workbook.select(scratch, 9, 3);
    await workbook.page
      .getByText("The result needs 1 row and 50 columns, and U10 is in the way. Clear that cell or move it.")
      .first()
      .waitFor();
    await workbook.write([scratch, 9, 20], [[null]]);
    await workbook.settled();
    const [[first] = []] = await workbook.values(scratch, 9, 3, 1, 1);
    const [[last] = []] = await workbook.values(scratch, 9, 52, 1, 1);
    expect([typeof first, typeof last]).toEqual(["number", "number"]);
  });

  test("numbers of items widen their column on a new sheet, pasted or typed", async () => {
    await workbook.page.keyboard.press("Shift+F11");
    const names = await workbook.sheetNames();
    const sheet = names.at(-1) ?? "";
    await workbook.select(sheet, 0, 0);
    for (const text of ["123456789012", "1234567890123"]) {
      await workbook.type(text);
      await workbook.page.keyboard.press("Enter");
    }
    await workbook.until(async () => (await width(workbook, sheet, 0)) > 95);
    const first = await width(workbook, sheet, 0);
    await workbook.type("123456789012345");
    await workbook.page.keyboard.press("Enter");
    await workbook.until(async () => (await width(workbook, sheet, 0)) > first);
    await workbook.select(sheet, 0, 2);
    await workbook.focusGrid();
    await workbook.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "12345678901234\r\n123456789");
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await workbook.until(async () => (await width(workbook, sheet, 2)) > 95);
  });
});

test("a download takes a formula that shows an error into the ledger", async () => {
  const other = await openScratch({ locale: "de-DE" });
  await other.write([scratch, 0, 0], [[1234, gtin, gtin]]);
  await other.write([scratch, 1, 1], [["=INV.QTY(A1,B1:C1)", "taken"]]);
  await other.settled();
  expect(await other.values(scratch, 1, 1, 1, 1)).toEqual([["#SPILL!"]]);
  const [download] = await Promise.all([
    other.page.waitForEvent("download"),
    other.page.getByRole("button", { name: "Download" }).click(),
  ]);
  const { default: ExcelJS } = await import("exceljs");
  const file = new ExcelJS.Workbook();
  await file.xlsx.load(readFileSync(await download.path()) as unknown as ArrayBuffer);
  expect(file.getWorksheet(scratch)?.getCell("B2").value).toEqual({ error: "#VALUE!" });
  expect(file.getWorksheet(scratch)?.getCell("C2").value).toBe("taken");
  const ledger = file.worksheets.find(({ state }) => state === "veryHidden");
  expect(JSON.stringify(ledger?.getSheetValues())).toContain('"INV.QTY(A1,B1:C1)"');
});

test("the history of an item is readable on Try here", async () => {
  const start = await openWorkbook("/", { locale: "de-DE" });
  await start.select("Try here", 25, 0);
  await start.type(`=INV.EVENTS(1234,12345678905)`);
  await start.page.keyboard.press("Enter");
  await start.settled();
  expect(await width(start, "Try here", 0)).toBeGreaterThanOrEqual(125);
  expect(await start.page.getByText("sheets-formula.progress").count()).toBe(0);
});

async function width(workbook: WorkbookPage, sheet: string, col: number): Promise<number> {
  const area = { sheet, row: 0, col, rows: 1, cols: 1 };
  const formats = await workbook.port((port, at) => port.formatsOf(at), area);
  return formats[0]?.[0]?.widthPx ?? 0;
}
