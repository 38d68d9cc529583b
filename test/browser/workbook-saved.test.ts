/** The browser workbook keeps a person's work: after a reload, with a second tab open, and if it can't be opened. */
import { bookOf, isSaved, saved } from "./saved-workbook";
import { button, openTab } from "./pane-parts";
import { openScratch, openWorkbook, scratch, undoAfterEach, type WorkbookPage } from "./workbook-page";

const area = { sheet: "Scratch", row: 0, col: 0, rows: 2, cols: 1 };
const formulas = [['=INV.QTY(1234,"00012345678905")'], ["mine"]];

async function write(workbook: WorkbookPage): Promise<void> {
  await workbook.port(
    async (port, [at, cells]) => {
      await port.write(at, cells);
      await port.select({ ...at, rows: 1 });
    },
    [area, formulas] as const,
  );
  await workbook.settled();
}

async function reload(workbook: WorkbookPage): Promise<void> {
  await workbook.page.reload();
  await workbook.settled();
}

test("work is there after a reload, the next morning too", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  const first = '=INV.QTY(1234,"00012345678905")';
  await workbook.write(
    [scratch, 0, 0],
    [[first, '=0*INV.QTY(1234,"00012345678912")', '=IF(INV.QTY(1234,"00012345678929")>=0,"")', "mine"]],
  );
  await workbook.write([scratch, 4, 0], [['=INV.EVENTS(1234,"00012345678912")']]);
  await workbook.select(scratch, 0, 0);
  await workbook.settled();
  // Only a refresh of the whole workbook gives the file its time.
  await openTab(workbook.pane(), "Refresh");
  await button(workbook.pane(), "Refresh").click();
  await workbook
    .pane()
    .getByText(/cells refreshed in/)
    .waitFor();
  const [values] = await workbook.values(scratch, 0, 0, 1, 4);
  expect(values).toEqual([expect.any(Number), 0, "", "mine"]);
  const events = await workbook.values(scratch, 4, 0, 6, 2);
  await workbook.until(isSaved(page, "mine"));
  await workbook.until(isSaved(page, "inv.as-of"));
  const stock = () => page.textContent("#stock");
  // The time includes its time zone.
  const asOf = /\d\d:\d\d [^,]+/.exec((await stock()) ?? "")?.[0];
  // The next morning: the sheets show the age of the saved values.
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 20 * 3_600_000;
  });
  const requests: string[] = [];
  page.on("request", (request) => {
    if (/\/(search-items|events)/.test(request.url())) requests.push(new URL(request.url()).pathname);
  });
  await reload(workbook);
  await workbook.until(async () => (await stock())?.includes(`${asOf}, 20 h`) === true);
  expect(await page.getAttribute("#stock", "data-warning")).toBe("");
  await workbook.pane().locator(".stock-old button").click();
  const fold = workbook.pane().locator("details", { hasText: /cells not updated since/ });
  await fold.getByText(/saved with the workbook, and are of .*\d\d:\d\d or later/).waitFor();
  // All values stay, including 0 and blanks, and nothing is requested.
  await workbook.settled();
  expect(await workbook.values(scratch, 0, 0, 1, 4)).toEqual([values]);
  expect(await workbook.formulas(scratch, 0, 0)).toEqual([[first]]);
  expect(await workbook.values(scratch, 4, 0, 6, 2)).toEqual(events);
  expect(requests).toEqual([]);
  expect(workbook.complaints).toEqual([]);
});

describe("a workbook that is being edited", () => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch();
  });
  undoAfterEach(() => workbook);

  test("asks before the page is left with an edit that isn't saved yet, or a cell being edited", async () => {
    const { page } = workbook;
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const leave = () => page.evaluate(() => location.reload());
    await workbook.select(scratch, 2, 2);
    await workbook.type("last words");
    await leave();
    await workbook.until(() => Promise.resolve(asked.length === 1));
    // The page leaves by itself right after the key, because it saves the edit a second later.
    await page.evaluate(() => addEventListener("keyup", () => location.reload(), { once: true }));
    await page.keyboard.press("Enter");
    await workbook.until(() => Promise.resolve(asked.length === 2));
    // Nothing asks once the edit is saved.
    await workbook.until(isSaved(page, "last words"));
    await reload(workbook);
    expect(asked).toEqual(["beforeunload", "beforeunload"]);
    expect(await workbook.values(scratch, 2, 2)).toEqual([["last words"]]);
  });

  test("a second tab never overwrites the first, and shows a warning", async () => {
    const first = workbook;
    await write(first);
    await first.until(isSaved(first.page, "mine"));
    const page = await first.page.context().newPage();
    await page.goto(first.page.url());
    await page.waitForSelector('body[data-calculating="false"]');
    const warning = page.locator("#reason[data-warning]", { hasText: "open in another tab" });
    await warning.waitFor();
    await page.evaluate(async () => {
      const port = await window.invHost!.workbook;
      const at = { sheet: "Scratch", row: 5, col: 0, rows: 1, cols: 2 };
      await port.write(at, [["second tab", '=INV.QTY("x","1")']]);
      await port.select({ ...at, col: 1, cols: 1 });
    });
    // The warning stays beside the reason of a cell.
    await warning.filter({ hasText: "#VALUE! store: expected" }).waitFor();
    await first.port(
      (port) => port.write({ sheet: "Scratch", row: 6, col: 0, rows: 1, cols: 1 }, [["first tab"]]),
      null,
    );
    await first.until(isSaved(first.page, "first tab"));
    expect(await isSaved(first.page, "second tab")()).toBe(false);
  });

  test("saves an edit while cells wait for the service", async () => {
    const { page } = workbook;
    await workbook.holdAnswers();
    await workbook.write([scratch, 10, 0], [["typed", '=INV.QTY(1402,"00012345678905")']]);
    await workbook.until(isSaved(page, '"typed"'));
    expect(await page.getAttribute("body", "data-calculating")).toBe("true");
  });
});

test("a saved workbook that breaks the grid is left as it is until Start over brings back the start sheets", async () => {
  const broken = bookOf({ mergeData: [null] });
  const workbook = await openWorkbook("/", { saved: broken });
  const { page } = workbook;
  expect(await page.textContent("#reason")).toMatch(/can't be opened/);
  expect(await workbook.sheetNames()).toContain("Planning");
  // Later changes don't replace the saved workbook.
  await workbook.port((port) => port.addSheet("Meanwhile"), null);
  expect((await saved(page))?.snapshot).toEqual(broken.snapshot);
  page.once("dialog", (dialog) => void dialog.accept());
  await Promise.all([page.waitForEvent("load"), page.click("#start-over")]);
  await workbook.until(async () => (await workbook.sheetNames())[0] === "Try here");
  expect(await page.textContent("#reason")).toBe("");
  await workbook.until(isSaved(page, '"Planning"'));
});

test("colored cells keep their saved values, and ask for nothing, when the workbook is opened", async () => {
  const rows = Array.from({ length: 6 }, (_, row) => [
    row,
    {
      ...{ 0: { v: 1234 }, 1: { v: `0001234567890${row}`, t: 1 } },
      ...{ 2: { f: `=INV.QTY(A${row + 1},B${row + 1})`, v: 900 + row } },
    },
  ]);
  const saved = bookOf({ name: "Mine", cellData: Object.fromEntries(rows) as object });
  const ranges = [{ startRow: 0, endRow: 4, startColumn: 2, endColumn: 4 }];
  const look = { type: "highlightCell", subType: "formula", value: '="old"<>""', style: { it: 1 } };
  const data = JSON.stringify({ one: [{ cfId: "old", stopIfTrue: false, ranges, rule: look }] });
  const resources = [{ name: "SHEET_CONDITIONAL_FORMATTING_PLUGIN", data }];
  const workbook = await openWorkbook("/", {
    saved: { ...saved, snapshot: { ...saved.snapshot, resources } },
  });
  // The grid calculates conditional formats after its first drawing.
  await workbook.page.waitForTimeout(3_000);
  await workbook.settled();
  expect((await workbook.values("Mine", 0, 2, 6)).flat()).toEqual([900, 901, 902, 903, 904, 905]);
  expect(workbook.searches).toEqual([]);
});
