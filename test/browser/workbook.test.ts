/** The browser workbook with the add-in inside: formulas typed, in large numbers, and while their answers arrive. */
import { reloadPane } from "./pane-parts";
import { gone } from "./support";
import {
  askService,
  openScratch,
  scratch,
  tryFormulas,
  undoAfterEach,
  type WorkbookPage,
} from "./workbook-page";

const gtin = "00012345678905";

let workbook: WorkbookPage;
beforeAll(async () => {
  workbook = await openScratch();
});
undoAfterEach(() => workbook);
afterEach(() => expect(workbook.complaints.splice(0)).toEqual([]));

test("a formula typed in a cell is offered with its arguments and shows the service's number, also after the pane was loaded again", async () => {
  const { page } = workbook;
  await workbook.select(scratch, 0, 0);
  const typed = `=INV.QTY(1234,"${gtin}")`;
  await workbook.type("=");
  await page.keyboard.type("INV.Q", { delay: 30 });
  await page.getByText("INV.QTY").first().waitFor();
  await page.keyboard.type("TY(", { delay: 30 });
  await page.getByText("[location_area]").first().waitFor();
  await page.keyboard.type(`1234,"${gtin}")`, { delay: 10 });
  // Enter accepts a suggestion while one is shown, which is until a moment after the last key.
  await gone(page.locator("[data-u-comp='sheets-formula-editor']"));
  await workbook.until(async () => (await page.evaluate(() => window.invHost?.editedFormula())) === typed);
  await page.keyboard.press("Enter");
  await workbook.filled(scratch, 0, 0);
  const record = await (await askService()).item(1234, gtin);
  const shelf = record.inventory_locations.find(
    (one) => one.location_area === "STORE" && one.state === "AVAILABLE",
  );
  expect(await workbook.values(scratch, 0, 0)).toEqual([[Number(shelf?.quantity)]]);

  // A pane that is loaded again has its functions calculate as before.
  await reloadPane(workbook.pane());
  const [value] = await tryFormulas(workbook, [`=INV.QTY(1301,"${gtin}")`]);
  expect(value).toEqual(expect.any(Number));
});

test("2,000 INV.QTY cells over 10 stores cost at most 20 search calls", async () => {
  const before = workbook.searches.length;
  await workbook.port(async (port) => {
    const demo = (await (await fetch("/demo-data")).json()) as {
      stores: number[];
      items: { gtin: string; supplier_name: string }[];
    };
    const own = demo.items.filter(({ supplier_name }) => supplier_name === demo.items[0]?.supplier_name);
    const cells = Array.from({ length: 2000 }, (_, row) => [
      demo.stores[10 + (row % 10)] ?? 0,
      own[200 + Math.floor(row / 10)]?.gtin ?? "",
      `=INV.QTY(A${row + 1},B${row + 1})`,
    ]);
    const sheet = await port.addSheet("Large");
    await port.write({ sheet, row: 0, col: 0, rows: 2000, cols: 3 }, cells);
  }, null);
  await workbook.settled();
  const values = (await workbook.values("Large", 0, 2, 2000, 1)).flat();
  expect(values.filter((value) => typeof value === "number" || value === "#N/A")).toHaveLength(2000);
  expect(values.filter((value) => typeof value === "number").length).toBeGreaterThan(1500);
  const calls = workbook.searches.slice(before);
  expect(calls.length).toBeLessThanOrEqual(20);
  for (const { item_type_values } of calls) expect(item_type_values.length).toBeLessThanOrEqual(100);
});

test("IFNA and IFERROR show no fallback while the number is on its way", async () => {
  await workbook.holdAnswers();
  const seen = await workbook.port(async (port) => {
    const area = { sheet: "Scratch", row: 10, col: 0, rows: 3, cols: 1 };
    const item = '1402,"00012345679117"';
    await port.write(area, [
      [`=IFNA(INV.QTY(${item}),-1)`],
      [`=IFERROR(INV.QTY(${item}),-1)`],
      [`=IF(ISERROR(INV.QTY(${item})),-1,1)`],
    ]);
    const values = new Set<unknown>();
    for (let looks = 0; looks < 20;) {
      for (const value of (await port.read(area, "values")).flat()) values.add(value);
      if (values.has("#BUSY!")) looks += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return [...values];
  }, null);
  expect(seen).not.toContain(-1);
});
