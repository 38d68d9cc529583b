/** The age of the stock, in the headers of the pane and of the browser workbook. */
import { parseCellAddress } from "../../src/workbook/addresses";
import { builtInTemplate } from "../../src/workbook/templates/built-in";
import { button, openTab, unfold } from "./pane-parts";
import { problemsInBothThemes, eventually } from "./support";
import { openScratch, scratch, tryFormulas, undoAfterEach, type WorkbookPage } from "./workbook-page";

const gtin = "00012345678905";

/** In each page and frame: moves the date forward by the page's `laterMs`. */
function movable(): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + Number(Reflect.get(window.parent, "laterMs") ?? 0);
}

/** Writes two cells with stock, away from the first rows. */
async function writeStock(workbook: WorkbookPage): Promise<void> {
  const items = [gtin, "00012345678912"];
  await workbook.write(
    [scratch, 10, 0],
    items.map((item, at) => [1234, item, `=INV.QTY(A${at + 11},B${at + 11})`]),
  );
  await workbook.settled();
}

test("hours later both headers say how old the stock is, in amber", async () => {
  const workbook = await openScratch({ before: movable });
  await writeStock(workbook);
  const { page } = workbook;
  await page.evaluate(() => Reflect.set(window, "laterMs", 8 * 3_600_000));
  // Without a new value, the headers would look at the clock only every 15 s.
  await tryFormulas(workbook, [`=INV.QTY(1301,"${gtin}")`]);
  await workbook.until(async () => / 8 h( \d min)? old/.test((await page.textContent("#stock")) ?? ""));
  expect(await page.getAttribute("#stock", "data-warning")).toBe("");
  const pane = workbook.pane();
  await pane.locator(".stock-old", { hasText: "8 h" }).waitFor();

  // The button in either header leads to the list of these values, and the list leads to the cell.
  await page.click("#toggle-pane");
  await page.focus("#stock button");
  await page.keyboard.press("Enter");
  const fold = pane.locator("details", { hasText: /cells older than 15 min/ });
  await fold.locator("li").first().waitFor();
  await workbook.until(() => pane.evaluate(() => document.activeElement?.tagName === "SUMMARY"));
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await problemsInBothThemes(page)).toEqual([]);
  expect(await fold.locator("li").first().innerText()).toMatch(
    /^'?[\w ]+'?![A-Z]+\d+\s+store \d+, item \d{14}( and others)?, 8 h( \d min)? old/,
  );
  // The order of the answers determines which cells are listed, and in which order.
  const cell = await fold.locator("li button").first().innerText();
  await fold.getByRole("button", { name: cell, exact: true }).click();
  await eventually(async () => {
    const selected = await workbook.port(
      (port) =>
        new Promise<unknown>((resolve) => {
          port.onSelection(([area]) => resolve(area));
        }),
      null,
    );
    expect(selected).toEqual({ ...parseCellAddress(cell), rows: 1, cols: 1 });
  });
  await fold.locator("summary").click();
  await openTab(pane, "Settings");
  await pane.locator(".stock-old button").click();
  await fold.locator("li").first().waitFor();
  await workbook.until(() => pane.evaluate(() => document.activeElement?.tagName === "SUMMARY"));

  // After a refresh no value is old, so the button disappears.
  await button(pane, "Refresh").first().click();
  await page.locator("#stock button").waitFor({ state: "detached" });
  await fold.waitFor({ state: "detached" });
});

describe("on one page", () => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch({ before: movable });
  });
  undoAfterEach(() => workbook);

  test("the as-of time of a sheet is that of its oldest row, wherever it stands", async () => {
    const asked = async (item: string) =>
      Number((await tryFormulas(workbook, [`=IF(INV.QTY(1301,"${item}")>=0,INV.ASOF(1301,"${item}"))`]))[0]);
    const [olderItem, newerItem] = ["00012345679100", "00012345679117"] as const;
    const older = await asked(olderItem);
    const minutes = 10;
    await workbook.page.evaluate((later) => Reflect.set(window, "laterMs", later), minutes * 60_000);
    const newer = await asked(newerItem);
    expect((newer - older) * 24 * 60).toBeGreaterThan(minutes - 1);

    // The planning sheet's own formula, over a table whose first row is the newer one.
    const [, formula = ""] =
      builtInTemplate("planning").table?.beside?.rows.find(([name]) => name === "Oldest value (UTC)") ?? [];
    const rows = [
      [1301, newerItem, String(formula).replaceAll("{first}", "1").replaceAll("{last}", "2")],
      [1301, olderItem, null],
    ];
    await workbook.port(
      (port, cells) => port.write({ sheet: "Scratch", row: 0, col: 0, rows: 2, cols: 3 }, cells),
      rows,
    );
    await eventually(async () =>
      expect((await workbook.values(scratch, 0, 2, 1, 1))[0]?.[0]).toBeCloseTo(older, 6),
    );
  });

  test("a row of the planning sheet counts as not answered only if its stock was not answered", async () => {
    const [, formula = ""] =
      builtInTemplate("planning").table?.beside?.rows.find(([name]) => name === "Rows not answered") ?? [];
    const counted = String(formula)
      .replaceAll("{first}", "1")
      .replaceAll("{last}", "5")
      .replaceAll("{shelf}", "A")
      .replaceAll("{status}", "B");
    await workbook.write(
      [scratch, 0, 0],
      [
        [5, "", counted],
        [6, "as of 2026-11-20 14:02", null],
        [7, "history as of 2026-11-20 14:02", null],
        ["=1/0", "not connected", null],
        ["=NA()", "no data found", null],
      ],
    );
    await workbook.settled();
    expect(await workbook.values(scratch, 0, 2, 1, 1)).toEqual([[2]]);
  });

  test("automatic refresh says when it comes next and what it costs an hour", async () => {
    await writeStock(workbook);
    const pane = workbook.pane();
    await openTab(pane, "Settings");
    await unfold(pane, "Automatic refresh");
    await pane.getByLabel("Refresh the whole workbook").selectOption("30");
    // The number of requests depends on what the other tests have left in the sheet.
    const next = pane.getByText(
      /^Next refresh at .*\d\d:\d\d: at least \d+ requests?, \d+ requests an hour\.$/,
    );
    await next.waitFor();
    const [requests = NaN, anHour] = [...(await next.innerText()).matchAll(/(\d+) request/g)].map(
      ([, count]) => Number(count),
    );
    expect(anHour).toBe(2 * requests);
    await workbook.until(async () => /next refresh/.test((await workbook.page.textContent("#stock")) ?? ""));
  });
});
