/** The help within the pane: opened by key and button, searched, read and closed, by keyboard, in light and dark. */
import type { Browser } from "playwright-core";
import { openPane } from "./pane-host";
import { accessibilityProblems, launchBrowser } from "./support";
import { openWorkbook } from "./workbook-page";

jest.setTimeout(120_000);

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const width = 320;

test.each(["light", "dark"] as const)(
  "in %s it is found, searched, read and left by keyboard",
  async (theme) => {
    const { page, pane, complaints } = await openPane(browser, { theme, width });
    const isNarrow = () => pane.evaluate((most) => document.documentElement.scrollWidth <= most, width);
    await pane.getByRole("tab", { name: "Refresh" }).click();
    await page.keyboard.press("F1");
    const search = pane.getByRole("searchbox", { name: "Search help" });
    await search.waitFor();
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    // The tabs make room, and no second way about the pane is left beside the help.
    expect(await pane.getByRole("tab").count()).toBe(0);
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await isNarrow()).toBe(true);

    await page.keyboard.type("no such words anywhere");
    await pane.getByText("Nothing holds all of these words.").waitFor();
    await search.fill("#name?");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const heading = pane.getByRole("heading", { name: "What a cell shows without a value" });
    await heading.waitFor();
    expect(await heading.evaluate((title) => title === document.activeElement)).toBe(true);
    await pane.getByText("Excel does not know INV's functions yet.").waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await isNarrow()).toBe(true);
    const link = pane.getByRole("link", { name: "As a page of its own" });
    expect(
      await link.evaluate((one: HTMLAnchorElement) => fetch(one.href).then(({ status }) => status)),
    ).toBe(200);

    await page.keyboard.press("Escape");
    await pane.getByRole("tab", { name: "Refresh" }).waitFor();
    expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-help");
    await page.keyboard.press("Enter");
    await search.waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test("a help that cannot be had is said, and had at the next try", async () => {
  const { page, pane } = await openPane(browser);
  await page.route("**/help/help.json", (route) => route.abort());
  await pane.getByRole("button", { name: "Help" }).click();
  await pane.getByText(/did not give "help\/help.json"/).waitFor();
  await page.unroute("**/help/help.json");
  await pane.locator("fluent-button", { hasText: "Try again" }).click();
  await pane.getByRole("searchbox").waitFor();
  await page.close();
});

test("in the browser workbook F1 opens the function of the cell, selected or being typed", async () => {
  const { page, pane, port, complaints } = await openWorkbook(browser);
  await page.click("#toggle-pane");
  await port((workbook) => workbook.select({ sheet: "Planning", row: 1, col: 6, rows: 1, cols: 1 }), null);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.UPDATED" }).waitFor();

  await port((workbook) => workbook.select({ sheet: "Try here", row: 30, col: 0, rows: 1, cols: 1 }), null);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.type("=INV.QTY(A2,B2)+INV.EVENTQTY(", { delay: 20 });
  await page.keyboard.press("F1");
  await pane().getByRole("heading", { name: "INV.EVENTQTY" }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});
