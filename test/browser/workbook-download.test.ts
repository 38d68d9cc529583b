/** Downloads of the browser workbook, compared cell by cell with what the grid contains. */
import { type CellValue, Workbook } from "@cj-tech-master/excelts";
import { readFileSync } from "node:fs";
import { bookOf } from "./saved-workbook";
import { openScratch, openWorkbook, undoAfterEach, type WorkbookPage } from "./workbook-page";

async function download({ page }: WorkbookPage): Promise<Workbook> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const read = new Workbook();
  await read.xlsx.load(readFileSync(await file.path()));
  return read;
}

/** The library reads a number with a date's format as a date, of whole milliseconds. */
const plain = (value: CellValue): unknown =>
  value instanceof Date
    ? (expect.closeTo((value.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000, 7) as unknown)
    : value;

const border = (kind: number) => ({ s: kind, cl: { rgb: "#CC0000" } });
const cellData = {
  0: {
    0: { v: "over", t: 1, s: { bd: { t: border(13) }, ht: 2 } },
    1: { v: "under", t: 1, s: { bd: { t: border(13), r: border(8) } } },
  },
  1: {
    0: { v: "#N/A", t: 1 },
    1: { v: "00012345678905", t: 1 },
    2: { v: 42, t: 2, s: { n: { pattern: "00000" } } },
    3: { v: 1234.5, t: 2, s: { n: { pattern: "[$€-407] #,##0.00" } } },
    4: { v: 1, t: 3 },
    5: { f: "=1/0", v: "#DIV/0!", t: 1 },
  },
  3: { 0: { f: "=SEQUENCE(2,2)", t: 2 } },
  6: { 0: { f: '=INV.UPDATED(1234,"00012345678905")' } },
  7: { 0: { f: "=B8*2", v: 14, t: 2, si: "a" }, 1: { v: 7, t: 2 } },
  8: { 0: { si: "a", v: 16, t: 2 }, 1: { v: 8, t: 2, s: "shared" } },
};
const saved = () => {
  const book = bookOf({
    cellData,
    mergeData: [{ startRow: 0, endRow: 0, startColumn: 0, endColumn: 1 }],
    rowData: { 1: { h: 60, ia: 0 }, 2: { hd: 1 }, 3: { h: 24, ah: 24, ia: 1 } },
    columnData: { 2: { w: 145 }, 3: { hd: 1 } },
    freeze: { startRow: 1, startColumn: 0, xSplit: 0, ySplit: 1 },
  });
  const styles = { shared: { bl: 1, it: 1, cl: { rgb: "#1F3A5F" }, bg: { rgb: "#FFEEAA" }, tb: 3 } };
  return { ...book, snapshot: { ...book.snapshot, styles } };
};

test("a download has the cells of the grid: values, formats, merged cells, heights, and no formula", async () => {
  const workbook = await openWorkbook("/", { saved: saved() });
  // A change before the file is begun, while the download's script loads, is in the file.
  await workbook.page.route("**/assets-workbook/download.*.js", async (route) => {
    await workbook.write(["Mine", 12, 0], [["written meanwhile"]]);
    await workbook.settled();
    await route.continue();
  });
  const file = await download(workbook);
  const sheet = file.getWorksheet("Mine")!;
  expect(sheet.getCell("A13").value).toBe("written meanwhile");
  const shown = await workbook.values("Mine", 1, 0, 8, 6);
  for (const [row, line] of shown.entries()) {
    for (const [col, value] of line.entries()) {
      const expected = row === 0 && col === 5 ? { error: "#DIV/0!" } : value;
      expect([row, col, expected]).toEqual([row, col, plain(sheet.getCell(row + 2, col + 1).value)]);
    }
  }
  // The library shows the first value in all merged cells.
  expect(sheet.getCell("B1").value).toBe("over");
  expect(sheet.getCell("A1").border?.top).toMatchObject({ style: "thick" });
  expect(sheet.getCell("B1").border).toEqual({
    top: { style: "thick", color: { argb: "FFCC0000" } },
    right: { style: "medium", color: { argb: "FFCC0000" } },
  });
  expect(sheet.getCell("C2").numFmt).toBe("00000");
  expect(sheet.getCell("D2").numFmt).toBe("[$€-407] #,##0.00");
  expect(sheet.getCell("A7").numFmt).toBe("yyyy-mm-dd hh:mm");
  expect(sheet.getCell("B9")).toMatchObject({
    font: { bold: true, italic: true, size: 11, color: { argb: "FF1F3A5F" } },
    fill: { fgColor: { argb: "FFFFEEAA" } },
    alignment: { wrapText: true },
  });
  expect(sheet.getRow(2).height).toBe(45);
  expect(sheet.getRow(3).hidden).toBe(true);
  expect(sheet.getRow(4).height).toBeUndefined();
  expect(sheet.getColumn(3).width).toBe(20);
  expect(sheet.getColumn(4).hidden).toBe(true);
  expect(sheet.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
  expect(file.worksheets.map(({ name }) => name)).toEqual(["About this copy", "Mine"]);
  expect(workbook.complaints).toEqual([]);
});

test.each(["en-US", "de-DE"] as const)(
  "a download builds the sheets that were never shown, on a system in %s",
  async (locale) => {
    const workbook = await openWorkbook("/", { locale });
    const file = await download(workbook);
    const planning = file.getWorksheet("Planning")!;
    const numbers = (name: string) =>
      (file.getWorksheet(name)?.getSheetValues() ?? []).flat().filter((value) => typeof value === "number");
    for (const name of ["Planning", "Item history", "Functions"]) {
      expect([name, numbers(name).length > 3]).toEqual([name, true]);
    }
    expect(planning.getRow(1).font ?? planning.getCell("A1").font).toMatchObject({ bold: true });
    // The tabs are no longer empty when they are shown.
    expect(await workbook.port((port) => port.usedArea("Planning"), null)).not.toBeNull();
    expect(workbook.complaints).toEqual([]);
  },
);

describe("of one workbook", () => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch();
  });
  undoAfterEach(() => workbook);

  test("says what happened and what to do if its script can't be loaded, and works once the network is back", async () => {
    const { page } = workbook;
    await page.context().setOffline(true);
    await page.click("#download");
    await page
      .locator("#reason")
      .getByText(
        "No file was downloaded. INV couldn't load a part of itself. Nothing was changed. " +
          "Check your network connection, then try again or reload INV.",
      )
      .waitFor();
    await page.context().setOffline(false);
    expect((await download(workbook)).getWorksheet("Scratch")).toBeDefined();
  });

  test("cells that wait for a value refuse the download", async () => {
    const { page } = workbook;
    const answer = await workbook.holdAnswers();
    await workbook.write(
      ["Scratch", 0, 0],
      [['=INV.QTY(1234,"00012345678905")'], ['=INV.QTY(1234,"00012345678912")']],
    );
    await page.locator("#status", { hasText: "Calculating 2 cells" }).waitFor();
    await page.click("#download");
    await page
      .locator("#reason")
      .getByText(
        "No file was downloaded. Some cells wait for values. Wait until all cells have theirs, then download.",
      )
      .waitFor();
    answer();
    await workbook.settled();
    expect(typeof (await download(workbook)).getWorksheet("Scratch")?.getCell("A1").value).toBe("number");
  });

  test("one cell in the last row and column costs no more than another", async () => {
    await workbook.write(["Scratch", 1_048_575, 701], [["last"]]);
    await workbook.settled();
    const longest = await workbook.page.evaluate(() => {
      const watch = window as unknown as { longestMs: number };
      watch.longestMs = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) watch.longestMs = Math.max(watch.longestMs, duration);
      }).observe({ entryTypes: ["longtask"] });
      return null;
    });
    expect(longest).toBeNull();
    const file = await download(workbook);
    expect(file.getWorksheet("Scratch")?.getCell("ZZ1048576").value).toBe("last");
    // The walk over all cells before it took two minutes.
    expect(
      await workbook.page.evaluate(() => (window as unknown as { longestMs: number }).longestMs),
    ).toBeLessThan(10_000);
  });
});

test("a large download ends if somebody types meanwhile", async () => {
  const rows = Array.from({ length: 12_000 }, (_, row) => {
    const cells = Array.from({ length: 8 }, (_unused, col) => [col, { v: row * col, t: 2 }] as const);
    return [row, Object.fromEntries(cells)] as const;
  });
  const book = bookOf({ rowCount: 12_000, columnCount: 10, cellData: Object.fromEntries(rows) });
  const workbook = await openWorkbook("/", { saved: book });
  const { page } = workbook;
  const button = page.locator("#download");
  await download(workbook);
  const downloads: string[] = [];
  page.on("download", (file) => downloads.push(file.url()));
  // The page types in the next turn, because the file is ready before a test can.
  await page.evaluate(async () => {
    const port = await window.invHost!.workbook;
    document.querySelector<HTMLButtonElement>("#download")!.click();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await port.write({ sheet: "Mine", row: 5, col: 9, rows: 1, cols: 1 }, [["typed"]]);
  });
  await page
    .locator("#reason")
    .getByText("No file was downloaded. The workbook changed while the file was written.")
    .waitFor();
  await button.getByText("Download", { exact: true }).waitFor();
  expect(downloads).toEqual([]);
  await workbook.settled();
  const file = await download(workbook);
  expect(file.getWorksheet("Mine")?.getCell("J6").value).toBe("typed");
  expect(file.getWorksheet("Mine")?.getCell("H12000").value).toBe(11_999 * 7);
});
