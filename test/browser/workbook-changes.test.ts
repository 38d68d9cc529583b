/**
 * Changes of a refresh in the browser workbook: real formulas, a service whose numbers have changed, an edit during the
 * refresh, and the list on its own sheet.
 */
import type { Page } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually, gone } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

interface Answer {
  readonly items: { inventory_locations: { quantity: string | number }[] }[];
}

/** Adds 7 to every quantity from now on. While `isHeld` is true, no answer arrives. */
async function moveStock(page: Page): Promise<{ isHeld: boolean; asked: number }> {
  const gate = { isHeld: false, asked: 0 };
  await page.route("**/search-items", async (route) => {
    gate.asked += 1;
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    for (const { inventory_locations } of answer.items) {
      for (const place of inventory_locations) place.quantity = Number(place.quantity) + 7;
    }
    while (gate.isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
    await route.fulfill({ response, json: answer });
  });
  return gate;
}

/** Four items of a store: a formula for each in C1:C4, an array formula that fills D1:D4, and a plain one in E1. */
async function addPlan(workbook: WorkbookPage): Promise<void> {
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
  await workbook.until(async () =>
    (await workbook.values(scratch, 0, 2, 4, 2)).flat().every((value) => typeof value === "number"),
  );
}

test("compares every cell of the refreshed sheet, and writes the list to a sheet", async () => {
  const workbook = await openScratch();
  await addPlan(workbook);
  const before = await workbook.values(scratch, 0, 2, 4, 2);
  await moveStock(workbook.page);
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await pane.getByLabel("This sheet").check();
  await button(pane, "Refresh").click();
  await pane.getByText(/: 8 values changed/).waitFor();
  expect(await accessibilityProblems(pane)).toEqual([]);
  const [, gtin] = (await workbook.values(scratch, 2, 0, 1, 2))[0] as [number, string];
  await pane.getByText(`item ${gtin}: 2 cells`).click();
  await pane.getByRole("button", { name: "Scratch!D3" }).click();
  await button(pane, "To a new sheet").click();
  const told = pane.getByText(/The list is on the new sheet "Changes \d{4}-\d\d-\d\d \d\d\.\d\d"/);
  await told.waitFor();
  const [, sheet = ""] = /"(.+)"/.exec(await told.innerText()) ?? [];
  await workbook.settled();
  const rows = await workbook.values(sheet, 0, 0, 9, 6);
  expect(rows[0]).toEqual(["Cell", "Store", "Item", "Before", "After", "Difference"]);
  const items = (await workbook.values(scratch, 0, 0, 4, 2)) as [number, string][];
  const expected = [0, 1].flatMap((col) =>
    before.map((row, index) => {
      const shown = Number(row[col]);
      return [`Scratch!${"CD".charAt(col)}${index + 1}`, ...items[index]!, shown, shown + 7, 7];
    }),
  );
  expect(new Set(rows.slice(1).map(String))).toEqual(new Set(expected.map(String)));
  expect(typeof rows[1]?.[2]).toBe("string");
  expect(workbook.complaints).toEqual([]);
});

test("names cells typed over during a refresh without comparing them, and keeps the list after a cancel", async () => {
  const workbook = await openScratch();
  await addPlan(workbook);
  const gate = await moveStock(workbook.page);
  gate.isHeld = true;
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await pane.getByLabel("This sheet").check();
  await button(pane, "Refresh").click();
  await eventually(() => expect(gate.asked).toBeGreaterThan(0));
  await workbook.port(
    (port, sheet) => port.write({ sheet, row: 1, col: 2, rows: 1, cols: 1 }, [[5]]),
    scratch,
  );
  gate.isHeld = false;
  await pane.getByText(/: 7 values changed/).waitFor();
  await pane.getByText("1 cell not compared").click();
  await pane.getByText("edited or moved during the refresh").waitFor();

  gate.isHeld = true;
  gate.asked = 0;
  await button(pane, "Refresh").click();
  await eventually(() => expect(gate.asked).toBeGreaterThan(0));
  await button(pane, "Cancel").click();
  await pane.getByText(/cancelled/).waitFor();
  gate.isHeld = false;
  await pane.getByText(/: 7 values changed/).waitFor();
  await gone(pane.getByRole("progressbar", { name: "Cells done" }));
  expect(workbook.complaints).toEqual([]);
});
