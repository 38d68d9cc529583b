/** The help inside the pane: opened by key and button, searched, read and closed, by keyboard. */
import type { Locator } from "playwright-core";
import { openPane } from "./pane-host";
import { openTab } from "./pane-parts";
import { eventually, gone, isCutOff, problemsInBothThemes } from "./support";
import { openScratch, scratch } from "./workbook-page";

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

test("can be opened, searched, read and closed by keyboard", async () => {
  const { page, pane, complaints } = await openPane({ width: 320 });
  await openTab(pane, "Refresh");
  await page.keyboard.press("F1");
  const search = pane.getByRole("searchbox", { name: "Search help" });
  await search.waitFor();
  await eventually(async () => expect(await isFocused(search)).toBe(true));
  // The help replaces the tabs, so that the pane has only one navigation.
  await gone(pane.getByRole("tab"));
  expect(await isCutOff(pane)).toBe(false);

  await page.keyboard.type("no such words anywhere");
  await pane.getByText("No help contains all of these words.").waitFor();
  await search.fill("#name?");
  await pane.getByRole("button", { name: "What a cell shows without a value" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const heading = pane.getByRole("heading", { name: "What a cell shows without a value" });
  await heading.waitFor();
  await eventually(async () => expect(await isFocused(heading)).toBe(true));
  await pane.getByText("Excel doesn't know INV's functions yet.").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
  const link = pane.getByRole("link", { name: "As a page of its own" });
  expect(await link.evaluate((one: HTMLAnchorElement) => fetch(one.href).then(({ status }) => status))).toBe(
    200,
  );

  await page.keyboard.press("Escape");
  await pane.getByRole("tab", { name: "Refresh" }).waitFor();
  await eventually(async () =>
    expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-help"),
  );
  await page.keyboard.press("Enter");
  await search.waitFor();
  expect(complaints).toEqual([]);
});

test("in the browser workbook, F1 opens the function in the selected cell or the one being typed", async () => {
  const { page, pane, write, settled, select, focusGrid, type, complaints } = await openScratch();
  await write([scratch, 1, 6], [['=INV.UPDATED(1234,"00012345678905")']]);
  await settled();
  await page.click("#toggle-pane");
  await select(scratch, 1, 6);
  await focusGrid();
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.UPDATED" }).waitFor();

  await select(scratch, 30, 0);
  const typed = "=INV.QTY(A2,B2)+INV.EVENTQTY(";
  await type(typed);
  await eventually(async () =>
    expect(await page.evaluate(() => window.invHost?.editedFormula())).toBe(typed),
  );
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.EVENTQTY" }).waitFor();
  expect(complaints).toEqual([]);
});
