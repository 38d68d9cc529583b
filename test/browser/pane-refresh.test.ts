/** Refreshing in Chromium while the service is down: stale cells keep their values, are listed, reachable by keyboard, and refreshed later. */
import type { Page } from "playwright-core";
import { openPane } from "./pane-host";
import { button, openTab, tabTo } from "./pane-parts";
import { eventually, gone, isCutOff, problemsInBothThemes } from "./support";

const searches = "**/relay/demo/search-items";
/** More than every quantity of the demo. */
const neverTold = 100_000;

/** Lets one store's requests fail and answers the other's with quantities that the demo never returns. */
async function goDown(page: Page): Promise<void> {
  await page.route(searches, async (route) => {
    const { store_nbr } = route.request().postDataJSON() as { store_nbr: number };
    if (store_nbr !== 1234) return route.fulfill({ status: 500, json: { message: "broken" } });
    const response = await route.fetch();
    const text = await response.text();
    return route.fulfill({ response, body: text.replace(/("quantity":\s*"?)(\d)/g, `$1${neverTold}$2`) });
  });
}

it("keeps last known values if the service fails in the middle, and lists their cells until it returns", async () => {
  const formulas = [1234, 1301].flatMap((store) =>
    ["00012345678905", "00012345679100"].map((item) => `=INV.QTY(${store},"${item}")`),
  );
  const { page, pane, values, answered } = await openPane({ width: 320, formulas });
  const before = await answered();
  await goDown(page);
  await openTab(pane, "Refresh");
  await button(pane, "Refresh").click();
  await pane.getByText(/2 stale cells/).waitFor();
  await button(pane, "Refresh the rest").waitFor();
  const shown = await values();
  expect(shown.slice(2)).toEqual(before.slice(2));
  expect(shown.map((value) => Number(value) > neverTold)).toEqual([true, true, false, false]);

  await pane.locator(".header-state", { hasText: "Not up to date" }).waitFor();
  await tabTo(pane, pane.locator("summary", { hasText: /^2 stale cells, as of / }));
  await page.keyboard.press("Enter");
  await tabTo(pane, pane.locator("summary", { hasText: /^2 cells, as of \d\d:\d\d.*: \S/ }));
  await page.keyboard.press("Enter");
  const rows = pane.locator("details li");
  await rows.first().waitFor();
  const row = (cell: string, item: string) =>
    expect.stringMatching(
      new RegExp(`^Sheet1!${cell}\\s+store 1301, item ${item}, (\\d+|under 1) (s|min) old$`),
    ) as string;
  expect(await rows.allInnerTexts()).toEqual([row("C4", "00012345678905"), row("C5", "00012345679100")]);
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await pane.getByRole("button", { name: "Sheet1!C5" }).click();
  await eventually(async () =>
    expect(await page.evaluate(() => window.testHost.selected)).toEqual(
      [3, 4].map((at) => ({ sheet: "Sheet1", row: at, col: 2, rows: 1, cols: 1 })),
    ),
  );

  await page.unroute(searches);
  await openTab(pane, "Refresh");
  await pane.getByRole("button", { name: "Refresh", exact: true }).click();
  // The refresh before says that 2 of 4 cells were refreshed.
  await pane.getByText(/: 4 cells refreshed/).waitFor();
  await gone(pane.getByText(/stale cell/));
  expect((await answered()).map((value) => Number(value) < neverTold)).toEqual(formulas.map(() => true));
});
