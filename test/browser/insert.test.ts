/**
 * Insert in the browser workbook, by keyboard: a person picks a formula and sees its cost before it is written.
 * Then the person fills it down beside a list and reverts it with one Undo. Every view of Inspect and Build is accessible in every theme.
 */
import type { Frame } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes } from "./support";
import { narrow, openScratch, scratch, type WorkbookPage } from "./workbook-page";

/** A store that the start sheets don't use. */
const store = 24_870;
const list = [
  ["Store", "GTIN"],
  [store, "00012345678905"],
  [store, "00012345678912"],
  [store, "OOO12345678929"],
  [store, "00012345678936"],
];
let workbook: WorkbookPage;
let pane: Frame;

const formulas = async (...[row, col, rows]: readonly [number, number, number]) =>
  (await workbook.formulas(scratch, row, col, rows)).flat();
const select = (row: number, col: number) => workbook.select(scratch, row, col);

beforeAll(async () => {
  workbook = await openScratch({ width: 1500, height: 1400 });
  pane = workbook.pane();
  await workbook.write([scratch, 0, 0], list);
  await select(1, 3);
  await openTab(pane, "Build", "Formula");
  await pane.getByText("=INV.QTY(A2,B2)").waitFor();
});

test("a formula is picked by keyboard, and its cost is seen before it is written", async () => {
  const { page, searches } = workbook;
  const before = searches.length;
  await pane.locator("#inv-insert-function").focus();
  // Arrow keys select the function, because letters typed slowly would each start a new search.
  await page.keyboard.press("ArrowDown");
  await pane.getByText("=INV.STOCK(A2,B2)").waitFor();
  await page.keyboard.press("ArrowUp");
  await pane.getByText("=INV.QTY(A2,B2)").waitFor();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await pane.getByText('=INV.QTY(A2,B2,"BACKROOM")').waitFor();
  await page.keyboard.press("ArrowDown");
  await pane.getByText('=INV.QTY(A2,B2,"ALL")').waitFor();
  await pane.getByText(/^Uses 1 of \d+ requests, under 1 s\.$/).waitFor();
  expect(searches.length).toBe(before);
});

test("it is filled down beside the list, and one Undo takes it back", async () => {
  await button(pane, "Insert into D2:D5").click();
  await pane.getByText("Written into D2:D5. Press Ctrl+Z to undo.").waitFor();
  expect(await formulas(1, 3, 4)).toEqual([2, 3, 4, 5].map((row) => `=INV.QTY(A${row},B${row},"ALL")`));
  await eventually(async () => {
    const [[value] = []] = await workbook.values(scratch, 1, 3);
    expect(value).toEqual(expect.any(Number));
  });
  await workbook.undo();
  await eventually(async () => expect(await formulas(1, 3, 4)).toEqual(Array(4).fill(null)));
});

test("overwrites filled cells only if the person confirms", async () => {
  await workbook.write([scratch, 3, 3], [["mine"]]);
  await button(pane, "Insert into D2:D5").click();
  await pane.getByText("D2:D5 contains 1 filled cell. INV wrote nothing.").waitFor();
  expect(await formulas(1, 3, 4)).toEqual([null, null, "mine", null]);
  await button(pane, "Overwrite 1 cell").click();
  await pane.getByText("Written into D2:D5").waitFor();
  expect(await formulas(3, 3, 1)).toEqual(['=INV.QTY(A4,B4,"ALL")']);
});

test("uses the selected cell for all rows, and writes a table into one cell", async () => {
  await pane.locator("#inv-insert-function").selectOption("EVENTS");
  await pane.locator("#inv-insert-location_area").selectOption("left-out");
  await select(0, 0);
  await pane.locator("#inv-insert-store").selectOption("typed");
  await select(1, 0);
  await button(pane, "Use the selected cell").click();
  await select(1, 5);
  await pane.locator("#inv-insert-start_date").selectOption("ago 2");
  await pane.getByText("=INV.EVENTS($A$2,B2,,TODAY()-2)").waitFor();
  await button(pane, "Insert into F2").waitFor();

  // Visiting another tab keeps the picked formula.
  await openTab(pane, "Inspect", "Check items");
  await button(pane, "Check").waitFor();
  await openTab(pane, "Build");
  await pane.getByText("=INV.EVENTS($A$2,B2,,TODAY()-2)").waitFor();
});

test("every view of Inspect and Build breaks no rule in either theme, and fits a narrow pane, also at 200 %", async () => {
  await narrow(pane);
  await select(1, 3);
  const views = [
    ["Inspect", "Selected cell"],
    ["Inspect", "Problems"],
    ["Inspect", "Check items"],
    ["Build", "Formula"],
    ["Build", "Templates"],
    ["Build", "Lists"],
    ["Build", "Share"],
  ] as const;
  for (const [tab, view] of views) {
    await openTab(pane, tab, view);
    if (view === "Check items") await button(pane, "Check").click();
    if (view === "Check items") await pane.getByText(/1 finding\./).waitFor();
    if (view === "Formula") await pane.locator(".formula").waitFor();
    expect([view, ...(await problemsInBothThemes(pane))]).toEqual([view]);
    for (const widthPx of [160, 320]) {
      await narrow(pane, widthPx);
      expect([view, widthPx, await isCutOff(pane)]).toEqual([view, widthPx, false]);
    }
  }
});
