/**
 * Changes of a refresh in the browser workbook: a service whose numbers have changed, an edit during the refresh, and a cancel
 * that keeps the list.
 */
import type { Page } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { eventually, gone } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

interface Answer {
  readonly items: { inventory_locations: { quantity: string | number }[] }[];
}

interface Gate {
  /** While true, no answer arrives. */
  isHeld: boolean;
  asked: number;
  /** Added to every quantity. */
  added: number;
}

async function openGate(page: Page): Promise<Gate> {
  const gate: Gate = { isHeld: false, asked: 0, added: 0 };
  await page.route("**/search-items", async (route) => {
    gate.asked += 1;
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    for (const { inventory_locations } of answer.items) {
      for (const place of inventory_locations) place.quantity = Number(place.quantity) + gate.added;
    }
    while (gate.isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
    await route.fulfill({ response, json: answer });
  });
  return gate;
}

let workbook: WorkbookPage;
let gate: Gate;

/** Values of four items: C1:C4 with a formula each, D1:D4 from one array formula. */
const shown = () => workbook.values(scratch, 0, 2, 4, 2);

beforeAll(async () => {
  workbook = await openScratch();
  gate = await openGate(workbook.page);
  await workbook.port(async (port, sheet) => {
    const demo = (await (await fetch("/demo-data")).json()) as {
      stores: number[];
      items: { gtin: string; stores_without_data: number[] }[];
    };
    const [store = 0] = demo.stores;
    const good = demo.items.filter((item) => !item.stores_without_data.includes(store)).slice(0, 4);
    const rows = good.map(({ gtin }, row) => [store, gtin, `=INV.QTY(A${row + 1},B${row + 1})`]);
    await port.write({ sheet, row: 0, col: 0, rows: 4, cols: 3 }, rows);
    await port.write({ sheet, row: 0, col: 3, rows: 1, cols: 2 }, [["=INV.QTY(A1:A4,B1:B4)", "=C1*2"]]);
    await port.select({ sheet, row: 0, col: 0, rows: 1, cols: 1 });
  }, scratch);
  await workbook.settled();
  expect((await shown()).flat()).toEqual(Array(8).fill(expect.any(Number)));
  await openTab(workbook.pane(), "Refresh");
  await workbook.pane().getByLabel("This sheet").check();
});

beforeEach(async () => {
  await workbook.select(scratch, 0, 0);
  gate.added += 7;
});

test("leaves out cells typed over during a refresh, and keeps the list after a cancel", async () => {
  const pane = workbook.pane();
  gate.isHeld = true;
  gate.asked = 0;
  await button(pane, "Refresh").click();
  await eventually(() => expect(gate.asked).toBeGreaterThan(0));
  // A formula, because the refresh would wait ten seconds for the answer of a cell that no longer asks.
  await workbook.write([scratch, 1, 2], [["=INV.QTY(A2,B2)+5"]]);
  gate.isHeld = false;
  await pane.locator("summary", { hasText: /: 4 cells changed\.$/ }).waitFor();

  gate.isHeld = true;
  gate.asked = 0;
  await button(pane, "Refresh").click();
  await eventually(() => expect(gate.asked).toBeGreaterThan(0));
  await button(pane, "Cancel").click();
  await pane.getByText(/cancelled/).waitFor();
  gate.isHeld = false;
  await pane.locator("summary", { hasText: /: 4 cells changed\.$/ }).waitFor();
  await gone(pane.getByRole("progressbar", { name: "Cells done" }));
  expect(workbook.complaints).toEqual([]);
});
