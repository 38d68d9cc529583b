/**
 * Cancelling and resuming in the browser workbook while the service keeps some calls without an answer for
 * ever: what must settle can only settle by the cancel.
 */
import type { Page } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { eventually, gone } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

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

/** Between the page and the service: keeps calls of some stores, and knows what the others were told. */
interface Gate {
  /** Whether the calls of a store get no answer, not even later. */
  holds: (store: number) => boolean;
  /** Added to every quantity from now on. */
  raisedBy: number;
  /** Calls since the list was last emptied, answered or not. */
  calls: SearchBody[];
  /** The last shelf quantity told, by store and GTIN. */
  readonly told: ReadonlyMap<string, number>;
}

async function openGate(page: Page): Promise<Gate> {
  const told = new Map<string, number>();
  const gate: Gate = { holds: () => false, raisedBy: 0, calls: [], told };
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
        told.set(`${body.store_nbr} ${gtin}`, Number(place.quantity));
      }
    }
    await route.fulfill({ response, json: answer });
  });
  return gate;
}

interface StockSheet {
  readonly stores: readonly number[];
  /** Shown values, the cells of one store after those of the other. */
  values(): Promise<unknown[]>;
  /** What the cells of these stores should show: the last that was told. */
  told(gate: Gate, ...stores: readonly number[]): (number | undefined)[];
}

/** A sheet with 100 items for each of so many stores, store by store, selected. */
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
    told: (gate, ...of) => of.flatMap((store) => gtins.map((gtin) => gate.told.get(`${store} ${gtin}`))),
  };
}

async function beginRefresh(workbook: WorkbookPage): Promise<void> {
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await pane.getByLabel("This sheet").check();
  await button(pane, "Refresh").click();
}

/** Nothing turns any more: neither a cell, nor the grid, nor the pane. */
async function expectQuiet(workbook: WorkbookPage): Promise<void> {
  await workbook.settled();
  const pane = workbook.pane();
  // What a cancel left unanswered is not up to date.
  const idle = /^(Ready|Not up to date)$/;
  await pane.locator(".header-state", { hasText: idle }).waitFor();
  await gone(pane.getByRole("progressbar", { name: "Cells done" }));
  await gone(pane.getByText("Waiting", { exact: true }));
  await workbook.page.locator("#status", { hasText: idle }).waitFor();
}

/** The first and the last cell of the sheet say why they have no value. */
async function expectReason(workbook: WorkbookPage, reason: RegExp): Promise<void> {
  for (const row of [0, 2 * itemsPerStore - 1]) {
    await workbook.port(
      (port, at) => port.select({ sheet: "Stock", row: at, col: 2, rows: 1, cols: 1 }),
      row,
    );
    await workbook.page.locator("#reason", { hasText: reason }).waitFor();
  }
}

const shape = (calls: readonly SearchBody[]) =>
  calls.map(({ store_nbr, item_type_values }) => [store_nbr, new Set(item_type_values).size]).sort();

test("a refresh cancelled half-way keeps what has come and what was there, and resume asks for the rest alone", async () => {
  const workbook = await openWorkbook();
  const gate = await openGate(workbook.page);
  const sheet = await addStockSheet(workbook, 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = sheet.stores;
  await workbook.until(async () => (await sheet.values()).every((value) => typeof value === "number"));
  const known = sheet.told(gate, third, fourth);

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
  expect(await sheet.values()).toEqual([...sheet.told(gate, first, second), ...known]);
  await pane.getByRole("button", { name: /200 stale cells/ }).click();
  await pane
    .getByText(/200 cells, not answered since .*Cancelled before the answer came/)
    .first()
    .waitFor();
  await openTab(pane, "Refresh");

  gate.holds = () => false;
  gate.calls = [];
  await button(pane, "Resume").click();
  await pane.getByText(/200 cells refreshed/).waitFor();
  await expectQuiet(workbook);
  expect(shape(gate.calls)).toEqual([third, fourth].map((store) => [store, itemsPerStore]).sort());
  const values = await sheet.values();
  expect(values).toEqual(sheet.told(gate, ...sheet.stores));
  expect(values.every((value) => Number(value) >= raise)).toBe(true);
  await gone(pane.getByText(/stale cell/));
  expect(workbook.complaints).toEqual([]);
});

test("cells that never had a value do not stay busy: a cancel ends their first calculation, and a refresh can go on from there", async () => {
  const workbook = await openWorkbook();
  const gate = await openGate(workbook.page);
  gate.holds = () => true;
  const sheet = await addStockSheet(workbook, 2);
  const [first = 0, second = 0] = sheet.stores;
  await workbook.until(async () => gate.calls.length === 2);
  await eventually(async () => expect(new Set(await sheet.values())).toEqual(new Set(["#BUSY!"])));
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await button(pane, "Cancel").click();
  await expectQuiet(workbook);
  await eventually(async () => expect(new Set(await sheet.values())).toEqual(new Set(["#VALUE!"])));
  await expectReason(workbook, /Cancelled/);

  gate.holds = () => false;
  gate.calls = [];
  await beginRefresh(workbook);
  await pane.getByText(/200 cells refreshed/).waitFor();
  await expectQuiet(workbook);
  expect(shape(gate.calls)).toEqual([first, second].map((store) => [store, itemsPerStore]).sort());
  expect(await sheet.values()).toEqual(sheet.told(gate, first, second));
  expect(workbook.complaints).toEqual([]);
});
