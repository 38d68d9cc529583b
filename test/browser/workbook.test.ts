/** The browser workbook with the add-in inside: what a newcomer sees and does. */
import { reloadPane } from "./pane-parts";
import { gone, problemsInBothThemes } from "./support";
import { askService, openScratch, openWorkbook, tryFormulas, type WorkbookPage } from "./workbook-page";

const gtin = "00012345678905";

describe("the start sheets", () => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openWorkbook("/", { theme: "dark" });
  });

  test("show live planning in the system's theme, without page errors", async () => {
    const names = await workbook.port((port) => port.sheets(), null);
    expect(names.map(({ name }) => name)).toEqual(["Planning", "Item history", "Functions", "Try here"]);
    const planning = await workbook.values("Planning", 1, 0, 200, 3);
    const numbers = planning.filter(([, , shelf]) => typeof shelf === "number");
    expect(numbers.length).toBeGreaterThan(120);
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
    expect(await problemsInBothThemes(workbook.page)).toEqual([]);
    expect(workbook.complaints).toEqual([]);
  });

  test("show a newcomer five live rows, rows that wait for a store and a GTIN, and no alarm", async () => {
    const rows = await workbook.values("Try here", 1, 0, 15, 5);
    for (const [store, item, shelf] of rows.slice(0, 5)) {
      expect([typeof store, typeof item, typeof shelf]).toEqual(["number", "string", "number"]);
    }
    expect(rows.slice(5).flat().join("")).toBe("");
    const lists = await workbook.values("Try here", 0, 6, 3, 2);
    expect(lists[0]).toEqual(["Stores to try", "Items to try"]);
    const [, [store, item] = []] = lists;
    await workbook.port(
      (port, cells) => port.write({ sheet: "Try here", row: 6, col: 0, rows: 1, cols: 2 }, [cells]),
      [store ?? null, item ?? null],
    );
    await workbook.until(
      async () => typeof (await workbook.values("Try here", 6, 2, 1, 1))[0]?.[0] === "number",
    );
    // Every sheet's cells are answered: the badge has nothing to count, and few rows have no data.
    expect(await workbook.pane().locator(".badge").count()).toBe(0);
    const shown = (await workbook.values("Planning", 1, 2, 200, 2)).flat();
    expect(shown.filter((value) => typeof value !== "number").length).toBeLessThan(50);
    const names = (await workbook.values("Functions", 1, 0, 29, 1)).flat();
    expect(names.filter((name) => String(name).startsWith("INV."))).toHaveLength(12);

    expect(workbook.complaints).toEqual([]);
  });
});

test("a formula typed in a cell is offered with its arguments and shows the service's number, also after the pane was loaded again", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  await workbook.port((port) => port.select({ sheet: "Scratch", row: 0, col: 0, rows: 1, cols: 1 }), null);
  await page.evaluate(() => window.invHost?.focusGrid());
  const typed = `=INV.QTY(1234,"${gtin}")`;
  await page.keyboard.type("=INV.Q", { delay: 30 });
  await page.getByText("INV.QTY").first().waitFor();
  await page.keyboard.type("TY(", { delay: 30 });
  await page.getByText("[location_area]").first().waitFor();
  await page.keyboard.type(`1234,"${gtin}")`, { delay: 10 });
  // Enter accepts a suggestion while one is shown, which is until a moment after the last key.
  await gone(page.locator("[data-u-comp='sheets-formula-editor']"));
  await workbook.until(async () => (await page.evaluate(() => window.invHost?.editedFormula())) === typed);
  await page.keyboard.press("Enter");
  await workbook.until(
    async () => typeof (await workbook.values("Scratch", 0, 0, 1, 1))[0]?.[0] === "number",
  );
  const record = await (await askService()).item(1234, gtin);
  const shelf = record.inventory_locations.find(
    (one) => one.location_area === "STORE" && one.state === "AVAILABLE",
  );
  expect((await workbook.values("Scratch", 0, 0, 1, 1))[0]?.[0]).toBe(Number(shelf?.quantity));

  // A pane that is loaded again has its functions calculate as before.
  await reloadPane(workbook.pane());
  const [value] = await tryFormulas(workbook, [`=INV.QTY(1301,"${gtin}")`]);
  expect(value).toEqual(expect.any(Number));
  expect(workbook.complaints).toEqual([]);
});

test("2,000 INV.QTY cells over 10 stores cost at most 20 search calls", async () => {
  const workbook = await openScratch();
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
  expect(workbook.searches.length - before).toBeLessThanOrEqual(20);
  for (const { item_type_values } of workbook.searches) {
    expect(item_type_values.length).toBeLessThanOrEqual(100);
  }
});

test("keeps edits made in the pauses of a long calculation, and loses no calculation", async () => {
  const workbook = await openScratch();
  const rows = 2_000;
  const waits = [130, 290, 210];
  await workbook.page.evaluate(() =>
    window.invHost!.customFunctions.associate("QTY", (...given: unknown[]) => Promise.resolve(given[0])),
  );
  await workbook.port(
    async (port, { rows, waits }) => {
      const at = (row: number, col: number) => ({ sheet: "Scratch", row, col, rows: 1, cols: 1 });
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      // Each column depends on its own cell in row 1. The answers in the last column arrive while the others are edited.
      const formulas = Array.from({ length: rows }, (_, row) => [
        ...["C$1", "D$1", "E$1"].map((cell) => `=${cell}+${row}`),
        `=INV.QTY(${row},"1")`,
      ]);
      const answered = Array.from({ length: rows }, (_, row) => ({ sheet: "Scratch", row: row + 1, col: 5 }));
      await port.write({ sheet: "Scratch", row: 1, col: 2, rows, cols: 4 }, formulas);
      for (const [round, ms] of waits.entries()) {
        for (const col of [2, 3, 4]) {
          await port.recalculate(answered);
          await wait(ms);
          await port.write(at(0, col), [[(round + 1) * 10_000]]);
          // A text replaces one formula after the other, from the last row up.
          await wait(ms / 2);
          await port.write(at(rows - round, col), [["typed"]]);
        }
      }
    },
    { rows, waits },
  );
  await workbook.settled();
  const expected = Array.from({ length: rows }, (_, row) =>
    row >= rows - waits.length ? "typed" : waits.length * 10_000 + row,
  );
  for (const col of [2, 3, 4]) {
    expect((await workbook.values("Scratch", 1, col, rows, 1)).flat()).toEqual(expected);
  }
  const answers = (await workbook.values("Scratch", 1, 5, rows, 1)).flat();
  expect(answers).toEqual(Array.from({ length: rows }, (_, row) => row));
  // The engine would complain about formulas that it knows but that no longer exist.
  expect(workbook.complaints).toEqual([]);
});

test("IFNA and IFERROR show no fallback while the number is on its way", async () => {
  const workbook = await openScratch();
  let answer = (): void => undefined;
  const wanted = new Promise<void>((resolve) => (answer = resolve));
  await workbook.page.route("**/search-items", async (route) => {
    await wanted;
    await route.continue();
  });
  const seen = await workbook.port(async (port) => {
    const area = { sheet: "Scratch", row: 0, col: 0, rows: 3, cols: 1 };
    const item = '1301,"00012345679100"';
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
  answer();
  await workbook.settled();
});
