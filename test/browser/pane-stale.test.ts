/**
 * A refresh whose service goes down in the middle, as the pane tells it: last known values stay in their
 * cells, and a list says which cells these are, what they ask for and how old they are.
 */
import type { Frame, Page } from "playwright-core";
import { openPane, type OpenedPane } from "./pane-host";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";

const width = 320;
const reached = ['=INV.QTY(1234,"00012345678905")', '=INV.QTY(1234,"00012345679100")'];
/** Above every quantity of the demo. */
const neverTold = 100_000;
/** C4 and C5, of a store whose calls go wrong. */
const unreached = ['=INV.QTY(1301,"00012345678905")', '=INV.QTY(1301,"00012345679100")'];
const formulas = [...reached, ...unreached];

/** From now on one store's calls fail, and the other's are answered with quantities that the demo never tells. */
async function goDown(page: Page): Promise<void> {
  await page.route("**/relay/demo/search-items", async (route) => {
    const { store_nbr } = route.request().postDataJSON() as { store_nbr: number };
    if (store_nbr !== 1234) {
      await route.fulfill({ status: 500, json: { message: "broken" } });
      return;
    }
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace(/("quantity":\s*"?)(\d)/g, `$1${neverTold}$2`) });
  });
}

async function openAndGoDown(theme: "light" | "dark"): Promise<OpenedPane & { known: unknown[] }> {
  const opened = await openPane({ theme, width, formulas });
  const { page, pane, values } = opened;
  await page.waitForFunction(
    (cells) => window.testHost.values().filter((value) => typeof value === "number").length === cells,
    formulas.length,
  );
  const known = await values();
  await goDown(page);
  await openTab(pane, "Refresh");
  await button(pane, "Refresh").click();
  await pane.getByText(/2 stale cells/).waitFor();
  await button(pane, "Resume").waitFor();
  return { ...opened, known };
}

/** Goes on by Tab until this has the keyboard. */
async function tabTo(page: Page, pane: Frame, selector: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    if (await pane.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard did not come to ${selector}.`);
}

describe("a service that goes down in the middle", () => {
  it.each(["light", "dark"] as const)(
    "leaves last known values, counted, and listed with cell, store, item, age and reason, in %s",
    async (theme) => {
      const { page, pane, values, known } = await openAndGoDown(theme);
      const shown = await values();
      expect(shown.slice(reached.length)).toEqual(known.slice(reached.length));
      expect(shown.map((value) => Number(value) > neverTold)).toEqual([true, true, false, false]);

      await tabTo(page, pane, "summary");
      await page.keyboard.press("Enter");
      const rows = pane.locator("details li");
      await rows.first().waitFor();
      expect(await rows.allInnerTexts()).toEqual([
        expect.stringMatching(
          /^Sheet1!C4\s+store 1301, item 00012345678905, (\d+|under 1) (s|min) old\s+\S.+/,
        ),
        expect.stringMatching(
          /^Sheet1!C5\s+store 1301, item 00012345679100, (\d+|under 1) (s|min) old\s+\S.+/,
        ),
      ]);
      expect(await accessibilityProblems(pane)).toEqual([]);
      expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    },
  );

  it("lists cells that can be gone to, by keyboard and by click", async () => {
    const { page, pane } = await openAndGoDown("light");
    await tabTo(page, pane, "summary");
    await page.keyboard.press("Space");
    await pane.locator("details li").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await pane.getByRole("button", { name: "Sheet1!C5" }).click();
    await eventually(async () =>
      expect(await page.evaluate(() => window.testHost.selected)).toEqual(
        [3, 4].map((row) => ({ sheet: "Sheet1", row, col: 2, rows: 1, cols: 1 })),
      ),
    );
  });
});
