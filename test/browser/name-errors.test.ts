/** Cells that show #NAME?: the pane counts them and enters them again, by the keyboard too, in light and dark. */
import type { Browser } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, launchBrowser } from "./support";
import { openWithScratch, scratch } from "./workbook-page";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it.each(["light", "dark"] as const)(
  "are told on the Refresh and Activity tabs and entered again, in %s",
  async (theme) => {
    const workbook = await openWithScratch(browser, "/", { width: 1500, height: 1000, theme });
    const pane = workbook.pane();
    await workbook.port(
      (port, sheet) =>
        port.write({ sheet, row: 0, col: 0, rows: 1, cols: 2 }, [
          ["=INV.ENV()&Not_Yet_Known", "=Not_Yet_Known+1"],
        ]),
      scratch,
    );
    await workbook.settled();
    await openTab(pane, "Connect");
    await openTab(pane, "Refresh");
    const onRefresh = pane.locator("#inv-panel-refresh");
    await onRefresh.getByText("1 cell with an INV formula shows #NAME?").waitFor();
    await openTab(pane, "Activity");
    const onActivity = pane.locator("#inv-panel-activity");
    await onActivity.getByText("1 cell with an INV formula shows #NAME?").waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    await button(pane, "Enter it again").press("Enter");
    await onActivity.getByText("1 formula entered again.").waitFor();
    await onActivity.getByText("still shows #NAME?: another name in it may not be known").waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    if (process.env["SHOTS"]) await workbook.page.screenshot({ path: `/tmp/name-errors-${theme}.png` });
    expect(workbook.complaints).toEqual([]);
  },
);
