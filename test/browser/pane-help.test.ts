/** The help within the pane: opened by key and button, searched, read and closed, by keyboard, in light and dark. */
import type { Locator } from "playwright-core";
import { openPane } from "./pane-host";
import { openTab } from "./pane-parts";
import { accessibilityProblems, eventually, gone } from "./support";
import { openWorkbook } from "./workbook-page";

const width = 320;

test.each(["light", "dark"] as const)(
  "in %s it is found, searched, read and left by keyboard",
  async (theme) => {
    const { page, pane, complaints } = await openPane({ theme, width });
    const isNarrow = () => pane.evaluate((most) => document.documentElement.scrollWidth <= most, width);
    await openTab(pane, "Refresh");
    await page.keyboard.press("F1");
    const search = pane.getByRole("searchbox", { name: "Search help" });
    await search.waitFor();
    const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
    await eventually(async () => expect(await isFocused(search)).toBe(true));
    // The tabs make room, and no second way about the pane is left beside the help.
    await gone(pane.getByRole("tab"));
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await isNarrow()).toBe(true);

    await page.keyboard.type("no such words anywhere");
    await pane.getByText("Nothing holds all of these words.").waitFor();
    await search.fill("#name?");
    await pane.getByRole("button", { name: "What a cell shows without a value" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const heading = pane.getByRole("heading", { name: "What a cell shows without a value" });
    await heading.waitFor();
    await eventually(async () => expect(await isFocused(heading)).toBe(true));
    await pane.getByText("Excel does not know INV's functions yet.").waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await isNarrow()).toBe(true);
    const link = pane.getByRole("link", { name: "As a page of its own" });
    expect(
      await link.evaluate((one: HTMLAnchorElement) => fetch(one.href).then(({ status }) => status)),
    ).toBe(200);

    await page.keyboard.press("Escape");
    await pane.getByRole("tab", { name: "Refresh" }).waitFor();
    await eventually(async () =>
      expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-help"),
    );
    await page.keyboard.press("Enter");
    await search.waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test("a help that cannot be had is said, and had at the next try", async () => {
  const { page, pane } = await openPane();
  await page.route("**/help/help.json", (route) => route.abort());
  await pane.getByRole("button", { name: "Help" }).click();
  await pane.getByText(/did not give "help\/help.json"/).waitFor();
  await page.unroute("**/help/help.json");
  await pane.locator("fluent-button", { hasText: "Try again" }).click();
  await pane.getByRole("searchbox").waitFor();
  await page.close();
});

test("in the browser workbook F1 opens the function of the cell, selected or being typed", async () => {
  const { page, pane, port, complaints } = await openWorkbook();
  await page.click("#toggle-pane");
  await port((workbook) => workbook.select({ sheet: "Planning", row: 1, col: 6, rows: 1, cols: 1 }), null);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.UPDATED" }).waitFor();

  await port((workbook) => workbook.select({ sheet: "Try here", row: 30, col: 0, rows: 1, cols: 1 }), null);
  await page.evaluate(() => window.invHost?.focusGrid());
  const typed = "=INV.QTY(A2,B2)+INV.EVENTQTY(";
  await page.keyboard.type(typed, { delay: 20 });
  await eventually(async () =>
    expect(await page.evaluate(() => window.invHost?.editedFormula())).toBe(typed),
  );
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.EVENTQTY" }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});
