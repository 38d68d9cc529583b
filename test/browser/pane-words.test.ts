/** The four tabs beside the demo's planning sheet at 1280 x 800: their words, and what the pane covers. */
import { firstView, openTab } from "./pane-parts";
import { narrow, openWorkbook, type WorkbookPage } from "./workbook-page";
import { problemsInBothThemes } from "./support";

const tabs = ["Refresh", "Cell", "Templates", "Settings"] as const;
let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openWorkbook("/", { width: 1280, height: 800 });
  await workbook.until(async () => (await workbook.sheetNames()).includes("Planning"));
  // The page fills a sheet when it is first shown.
  await workbook.select("Planning", 1, 2);
  await workbook.filled("Planning", 1, 2);
  await workbook.settled();
});

test("the numbers about the planning sheet aren't behind the pane", async () => {
  await workbook.select("Planning", 1, 2);
  const widthPx = await workbook.port(async (port) => {
    const used = await port.usedArea("Planning");
    const [line = []] = await port.formatsOf({ ...used!, rows: 1 });
    return line.reduce((sum, format) => sum + (format.widthPx ?? 88), 0);
  }, null);
  const box = await workbook.page.locator("#grid").boundingBox();
  const rowNumbersPx = 46;
  expect(widthPx + rowNumbersPx).toBeLessThanOrEqual(box!.width);
});

test("the four tabs have at most 250 words with their folds closed", async () => {
  const pane = workbook.pane();
  await narrow(pane, 350);
  await workbook.select("Planning", 1, 2);
  const counts: Record<string, number> = {};
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Refresh") await pane.getByText(/^\d+ cells: /).waitFor();
    if (name === "Templates") await pane.locator(".template-card").first().waitFor();
    if (name === "Cell") await pane.getByRole("heading", { name: "Stock" }).waitFor();
    counts[name] = (await firstView(pane)).words.length;
    expect(await problemsInBothThemes(pane)).toEqual([]);
  }
  const all = Object.values(counts).reduce((sum, words) => sum + words, 0);
  expect([all <= 250, all, counts]).toEqual([true, all, counts]);
});
