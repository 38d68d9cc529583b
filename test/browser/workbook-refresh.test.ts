/**
 * Cancelling and resuming in the browser workbook while the service never answers some requests: only the cancel can
 * settle what must settle.
 */
import type { Page } from "playwright-core";
import { button, openTab, paneDrawn, unfold } from "./pane-parts";
import { eventually, gone } from "./support";
import { isSaved } from "./saved-workbook";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

const itemsPerStore = 100;
/** Makes a later answer differ from every earlier one. */
const raise = 10_000;

interface SearchBody {
  readonly store_nbr: number;
  readonly item_type_values: readonly string[];
}

interface SearchAnswer {
  readonly items: {
    gtin: string;
    inventory_locations: { location_area: string; state: string; quantity: string | number }[];
  }[];
}

/** Between the page and the service: holds back some stores' requests, and records the answers to the others. */
interface Gate {
  /** Whether a store's requests never get an answer. */
  holds: (store: number) => boolean;
  /** Added to every quantity from now on. */
  raisedBy: number;
  /** Requests since the list was last emptied, answered or not. */
  calls: SearchBody[];
  /** The last shelf quantity in an answer, by store and GTIN. */
  readonly lastAnswers: ReadonlyMap<string, number>;
}

async function openGate(page: Page): Promise<Gate> {
  const lastAnswers = new Map<string, number>();
  const gate: Gate = { holds: () => false, raisedBy: 0, calls: [], lastAnswers };
  await page.route("**/search-items", async (route) => {
    const body = route.request().postDataJSON() as SearchBody;
    gate.calls.push(body);
    if (gate.holds(body.store_nbr)) return;
    const response = await route.fetch();
    const answer = (await response.json()) as SearchAnswer;
    for (const { gtin, inventory_locations } of answer.items) {
      for (const place of inventory_locations) {
        place.quantity = String(Number(place.quantity) + gate.raisedBy);
        if (place.location_area !== "STORE" || place.state !== "AVAILABLE") continue;
        lastAnswers.set(`${body.store_nbr} ${gtin}`, Number(place.quantity));
      }
    }
    await route.fulfill({ response, json: answer });
  });
  return gate;
}

interface StockSheet {
  readonly stores: readonly number[];
  /** Shown values: all cells of one store, then all cells of the next. */
  values(): Promise<unknown[]>;
  /** What the cells of these stores should show: the last quantity that was answered. */
  lastAnswers(gate: Gate, ...stores: readonly number[]): (number | undefined)[];
}

/** Adds a sheet with 100 items for each of `storeCount` stores, store by store, and selects it. */
async function addStockSheet(workbook: WorkbookPage, storeCount: number): Promise<StockSheet> {
  const { stores, gtins } = await workbook.port(
    async (port, wanted) => {
      const demo = (await (await fetch("/demo-data")).json()) as {
        stores: number[];
        items: { gtin: string; stores_without_data: number[]; supplier_name: string }[];
      };
      const chosen = demo.stores.slice(20, 20 + wanted.stores);
      const good = demo.items
        .filter(({ supplier_name }) => supplier_name === demo.items[0]?.supplier_name)
        .filter((item) => !chosen.some((store) => item.stores_without_data.includes(store)))
        .map(({ gtin }) => gtin)
        .slice(0, wanted.items);
      const rows = chosen.flatMap((store) => good.map((gtin) => [store, gtin]));
      const cells = rows.map((row, index) => [...row, `=INV.QTY(A${index + 1},B${index + 1})`]);
      const sheet = await port.addSheet("Stock");
      await port.write({ sheet, row: 0, col: 0, rows: cells.length, cols: 3 }, cells);
      await port.select({ sheet, row: 0, col: 0, rows: 1, cols: 1 });
      return { stores: chosen, gtins: good };
    },
    { stores: storeCount, items: itemsPerStore },
  );
  return {
    stores,
    values: async () => (await workbook.values("Stock", 0, 2, storeCount * itemsPerStore, 1)).flat(),
    lastAnswers: (gate, ...of) =>
      of.flatMap((store) => gtins.map((gtin) => gate.lastAnswers.get(`${store} ${gtin}`))),
  };
}

async function beginRefresh(workbook: WorkbookPage): Promise<void> {
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await pane.getByLabel("This sheet").check();
  await pane.getByRole("button", { name: "Refresh", exact: true }).click();
}

/** Checks that no cell, grid or pane shows progress. */
async function expectQuiet(workbook: WorkbookPage): Promise<void> {
  await workbook.settled();
  const pane = workbook.pane();
  // Cells that a cancel left unanswered are not up to date.
  const idle = /^(Ready|Not up to date)$/;
  await pane.locator(".header-state", { hasText: idle }).waitFor();
  await gone(pane.getByRole("progressbar", { name: "Cells done" }));
  await gone(pane.getByText("Waiting", { exact: true }));
  await workbook.page.locator("#status", { hasText: idle }).waitFor();
}

/** Checks that the first and the last cell of the sheet say why they have no value. */
async function expectReason(workbook: WorkbookPage, reason: RegExp): Promise<void> {
  for (const row of [0, 2 * itemsPerStore - 1]) {
    await workbook.port(
      (port, at) => port.select({ sheet: "Stock", row: at, col: 2, rows: 1, cols: 1 }),
      row,
    );
    await workbook.page.locator("#reason", { hasText: reason }).waitFor();
  }
}

const itemCounts = (calls: readonly SearchBody[]) =>
  calls.map(({ store_nbr, item_type_values }) => [store_nbr, new Set(item_type_values).size]).sort();

test("keeps old and new values of a cancelled refresh, and refreshes the rest", async () => {
  const workbook = await openScratch();
  const gate = await openGate(workbook.page);
  const sheet = await addStockSheet(workbook, 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = sheet.stores;
  await workbook.until(async () => (await sheet.values()).every((value) => typeof value === "number"));
  const valuesBefore = sheet.lastAnswers(gate, third, fourth);

  gate.raisedBy = raise;
  gate.holds = (store) => store === third || store === fourth;
  gate.calls = [];
  await beginRefresh(workbook);
  const pane = workbook.pane();
  await pane.getByText("200 of 400 cells", { exact: true }).waitFor();
  await workbook.until(async () => gate.calls.length === 4);
  await button(pane, "Cancel").click();
  await pane.getByText(/cancelled after 200 of 400 cells/).waitFor();
  await expectQuiet(workbook);
  expect(await sheet.values()).toEqual([...sheet.lastAnswers(gate, first, second), ...valuesBefore]);
  await unfold(pane, /^200 stale cells, as of /);
  await pane
    .locator("summary", { hasText: /^200 cells, as of .*: Cancelled before the answer came/ })
    .waitFor();

  gate.holds = () => false;
  gate.calls = [];
  await button(pane, "Refresh the rest").click();
  await pane.getByText(/400 cells refreshed/).waitFor();
  await expectQuiet(workbook);
  expect(itemCounts(gate.calls)).toEqual([third, fourth].map((store) => [store, itemsPerStore]).sort());
  const values = await sheet.values();
  expect(values).toEqual(sheet.lastAnswers(gate, ...sheet.stores));
  expect(values.every((value) => Number(value) >= raise)).toBe(true);
  await gone(pane.getByText(/stale cell/));
  expect(workbook.complaints).toEqual([]);
});

test("ends cells without a value after a cancel, and refreshes them later", async () => {
  const workbook = await openScratch();
  const gate = await openGate(workbook.page);
  gate.holds = () => true;
  const pane = workbook.pane();
  // First, because a request ends after 15 seconds, however long a tab takes to open.
  await openTab(pane, "Refresh");
  await pane.getByLabel("Selected cells").check();
  const sheet = await addStockSheet(workbook, 2);
  const [first = 0, second = 0] = sheet.stores;
  await workbook.until(async () => gate.calls.length === 2);
  await eventually(async () => expect(new Set(await sheet.values())).toEqual(new Set(["#BUSY!"])));
  // The price becomes a line longer between press and release.
  await pane.getByText("No INV formulas").first().waitFor();
  await button(pane, "Cancel").hover();
  await workbook.page.mouse.down();
  await workbook.select("Stock", 0, 2);
  await pane.getByText("1 cell: 1 request").waitFor();
  await workbook.page.mouse.up();
  await expectQuiet(workbook);
  await eventually(async () => expect(new Set(await sheet.values())).toEqual(new Set(["#VALUE!"])));
  await expectReason(workbook, /Cancelled/);

  gate.holds = () => false;
  gate.calls = [];
  await beginRefresh(workbook);
  await pane.getByText(/200 cells refreshed/).waitFor();
  await expectQuiet(workbook);
  expect(itemCounts(gate.calls)).toEqual([first, second].map((store) => [store, itemsPerStore]).sort());
  expect(await sheet.values()).toEqual(sheet.lastAnswers(gate, first, second));
  expect(workbook.complaints).toEqual([]);
});

/** Every number before the word "cell" in the Refresh tab. */
async function countsOfCells(workbook: WorkbookPage): Promise<string[]> {
  const text = await workbook.pane().locator("#inv-panel-refresh").innerText();
  const found = text.matchAll(/(\d+)(?: of (\d+))? (?:[A-Za-z]+ )?cells?\b/g);
  return [...new Set([...found].flatMap(([, one, other]) => [one, other ?? one]))].map(String);
}

test("every number of cells is the same: while cells wait, in an outage, and after a reload", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  // First, because a request ends after 15 seconds, however long a tab takes to open.
  await openTab(workbook.pane(), "Refresh");
  const answer = await workbook.holdAnswers();
  const gtins = [5, 12, 29].map((end) => `000123456789${String(end).padStart(2, "0")}`);
  await workbook.write(
    [scratch, 0, 0],
    [
      ...gtins.map((gtin) => [`=INV.QTY(1234,"${gtin}")`, `=INV.STATUS(1234,"${gtin}",,TRUE)`]),
      ["=INV.ENV()", '=INV.QTY("","")'],
    ],
  );
  const shows = (text: string) => workbook.pane().getByText(text).first().waitFor();
  const onlyThree = () => eventually(async () => expect(await countsOfCells(workbook)).toEqual(["3"]));
  // The pane and the line above the grid count the cells that wait.
  await shows("3 cells waiting");
  await page.locator("#status", { hasText: /^Calculating 3 cells$/ }).waitFor();
  await onlyThree();
  answer();
  await workbook.settled();
  await page.locator("#status", { hasText: /^Ready$/ }).waitFor();
  await shows("3 INV cells");
  await onlyThree();

  await page.route("**/search-items", (route) => route.fulfill({ status: 503, json: { message: "down" } }));
  await button(workbook.pane(), /^Refresh$/).click();
  await shows("nothing refreshed");
  await shows("3 stale cells");
  await onlyThree();

  await workbook.until(isSaved(page, gtins[2] ?? ""));
  await page.reload();
  await workbook.settled();
  await paneDrawn(workbook.pane());
  await openTab(workbook.pane(), "Refresh");
  await shows("3 INV cells");
  await onlyThree();
  await button(workbook.pane(), /^Refresh$/).click();
  await shows("nothing refreshed");
  await shows("3 stale cells");
  await onlyThree();

  await page.unroute("**/search-items");
  await button(workbook.pane(), /^Refresh$/).click();
  await shows("3 cells refreshed");
  await onlyThree();
});
