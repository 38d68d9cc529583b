/** The start sheets of the browser workbook: what a newcomer loads, sees, tries and downloads. */
import { Workbook } from "@cj-tech-master/excelts";
import { readFileSync } from "node:fs";
import { eventually, origin, problemsInBothThemes } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;
let transferredKb: number;

beforeAll(async () => {
  workbook = await openWorkbook("/?show=EVENTS", { theme: "dark", width: 1400 });
  const bytes = await Promise.all(
    workbook.page.frames().map((frame) =>
      frame.evaluate(() => {
        const files = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
        return (files as PerformanceResourceTiming[]).reduce((sum, file) => sum + file.encodedBodySize, 0);
      }),
    ),
  );
  transferredKb = bytes.reduce((sum, each) => sum + each, 0) / 1024;
});

test("at most 1,660 KB are transferred until every cell has its value", () => {
  // Less than 1,000 KB would mean that the test counted nothing.
  expect(transferredKb).toBeGreaterThan(1_000);
  expect(transferredKb).toBeLessThanOrEqual(1_660);
});

test("/?show= selects the function's formula and scrolls to it", async () => {
  await eventually(async () => {
    const [{ sheet, row }] = await workbook.port(
      (port) =>
        new Promise<[{ sheet: string; row: number }]>((resolve) => port.onSelection(resolve as never)),
      null,
    );
    expect(sheet).toBe("Functions");
    expect(await workbook.values("Functions", row, 0)).toEqual([["INV.EVENTS"]]);
  });
});

test("every function of functions.json is on the sheet, its formula as text beside it, and none fails", async () => {
  const file = (await (await fetch(`${origin}/functions.json`)).json()) as { functions: { name: string }[] };
  const rows = await workbook.values("Functions", 0, 0, 200, 4);
  for (const { name } of file.functions) {
    const [, , formula, value] = rows.find(([first]) => first === `INV.${name}`) ?? [];
    expect(formula).toMatch(new RegExp(`^=.*INV\\.${name}\\(`));
    expect(String(value)).not.toMatch(/^#/);
  }
  expect(rows.filter(([name]) => String(name).startsWith("INV."))).toHaveLength(11);
});

test("show live planning in the system's theme, without page errors", async () => {
  expect(await workbook.sheetNames()).toEqual(["Try here", "Planning", "Item history", "Functions"]);
  await workbook.select("Planning", 0, 0);
  await workbook.settled();
  const planning = await workbook.values("Planning", 1, 0, 200, 3);
  const numbers = planning.filter(([, , shelf]) => typeof shelf === "number");
  expect(numbers.length).toBeGreaterThan(150);
  expect(planning.flat()).not.toContain("#BUSY!");
  expect(await workbook.page.getAttribute("html", "data-theme")).toBe("dark");
  // The bar shows the environment and the age of the stock only where the pane doesn't.
  const environment = workbook.page.locator("#environment", { hasText: /Environment: demo/i });
  const stock = workbook.page.locator("#stock", { hasText: /^Stock as of/ });
  for (const shown of [environment, stock]) await shown.waitFor({ state: "hidden" });
  await workbook.page.locator("#status").waitFor();
  await workbook.page.click("#toggle-pane");
  for (const shown of [environment, stock]) await shown.waitFor();
  await workbook.page.click("#toggle-pane");
  await workbook.until(
    async () => (await workbook.port((port) => port.setting("inv.environment"), null)) === "demo",
  );
  // Every sheet's cells are answered, so the badge counts nothing.
  expect(await workbook.pane().locator(".badge").count()).toBe(0);
  expect(await problemsInBothThemes(workbook.page)).toEqual([]);
  expect(workbook.complaints).toEqual([]);
});

test("the planning sheet's summary is in view as a whole at 1400 px", async () => {
  const { page } = workbook;
  const used = await workbook.port((port) => port.usedArea("Planning"), null);
  const formats = await workbook.port(
    (port, cols) => port.formatsOf({ sheet: "Planning", row: 0, col: 0, rows: 1, cols }),
    used?.cols ?? 0,
  );
  const box = await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox();
  // The canvas extends below the pane.
  const paneAt = await page.locator("#pane").boundingBox();
  const visiblePx = Math.min(box?.width ?? 0, (paneAt?.x ?? 0) - (box?.x ?? 0));
  const rowHeadersPx = 46;
  const scrollBarPx = 14;
  const sheetPx = (formats[0] ?? []).reduce((sum, { widthPx }) => sum + (widthPx ?? 0), 0);
  expect(sheetPx).toBeGreaterThan(500);
  expect(sheetPx).toBeLessThanOrEqual(visiblePx - rowHeadersPx - scrollBarPx);
});

test("a newcomer finds five live rows, rows that wait for a store and a GTIN, and room for a history", async () => {
  const rows = await workbook.values("Try here", 1, 0, 15, 5);
  for (const [store, item, shelf] of rows.slice(0, 5)) {
    expect([typeof store, typeof item, typeof shelf]).toEqual(["number", "string", "number"]);
  }
  expect(rows.slice(5).flat().join("")).toBe("");
  await workbook.write(["Try here", 6, 0], [rows[0]!.slice(0, 2)]);
  await workbook.filled("Try here", 6, 2);

  await workbook.select("Try here", 25, 0);
  await workbook.enter("=INV.EVENTS(1234,12345678905)");
  await workbook.settled();
  const at = { sheet: "Try here", row: 0, col: 0, rows: 1, cols: 1 };
  const formats = await workbook.port((port, area) => port.formatsOf(area), at);
  expect(formats[0]?.[0]?.widthPx).toBeGreaterThanOrEqual(125);
  // The grid's English lacks the texts of its progress bar.
  expect(await workbook.page.getByText("sheets-formula.progress").count()).toBe(0);
  expect(workbook.complaints).toEqual([]);
});

test("a time that has spilled shows as a date in a cell without a format, and as itself in one with a format", async () => {
  await workbook.port(async (port) => {
    const sheet = await port.addSheet("Times");
    await port.format({ sheet, row: 2, col: 3, rows: 1, cols: 1 }, { numberFormat: "0" });
    await port.write({ sheet, row: 0, col: 0, rows: 1, cols: 1 }, [['=INV.STOCK(1234,"00012345678905")']]);
  }, null);
  await workbook.settled();
  await eventually(async () => {
    const [first, second] = (await workbook.texts("Times", 1, 3, 2, 1)).flat();
    expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(second).toMatch(/^\d{5}$/);
  });
  expect(await workbook.values("Times", 1, 3)).toEqual([[expect.any(Number)]]);
});

test("downloads values and formats as .xlsx", async () => {
  const { page } = workbook;
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  expect(download.suggestedFilename()).toMatch(/^INV .*\.xlsx$/);
  const file = new Workbook();
  await file.xlsx.load(readFileSync(await download.path()));
  const planning = file.getWorksheet("Planning")!;
  const shown = await workbook.values("Planning", 1, 0, 5, 5);
  for (const [row, line] of shown.entries()) {
    for (const [col, value] of line.entries()) {
      const cell = planning.getCell(row + 2, col + 1);
      expect(cell.value ?? null).toEqual(value);
    }
  }
  expect(planning.getCell("A2").value).toBe(1234);
  expect(planning.getCell("B2").value).toBe("00012345678905");
  expect(planning.getCell("G2").numFmt).toBe("d mmm hh:mm");
  expect(planning.getColumn(2).width).toBeGreaterThan(10);
  expect(planning.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
  const headings = planning.getRow(1).values as (string | undefined)[];
  const { note } = planning.getCell(1, headings.indexOf("Backroom"));
  expect(typeof note === "string" ? note : note?.texts?.map((part) => part.text).join("")).toMatch(
    /^A dash: the service has no backroom record/,
  );
  expect(file.worksheets.map(({ name, state }) => [name, state])).toEqual([
    ["About this copy", "visible"],
    ...(await workbook.sheetNames()).map((name) => [name, "visible"]),
  ]);
  const about = file.getWorksheet("About this copy")!;
  expect(about.getCell("A1").value).toMatch(
    /^Values of an INV browser workbook, downloaded .* UTC\. Environment: Demo\.$/,
  );
  expect(about.getCell("A2").value).toMatch(/^The oldest value was fetched 20.* UTC\.$/);
  expect(workbook.complaints).toEqual([]);
});
