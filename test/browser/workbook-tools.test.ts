/** What people expect of any sheet: filter and find; visible tabs to click and rename; numbers that are not cut off. */
import { accessibilityProblems } from "./support";
import { openScratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;
/** A new sheet for each test. */
let sheet: string;
let sheets = 0;

beforeAll(async () => {
  workbook = await openScratch({ before: recordDrawing });
});
beforeEach(async () => {
  sheet = `Try ${(sheets += 1)}`;
  await workbook.port((port, name) => port.addSheet(name), sheet);
  await workbook.select(sheet, 0, 0);
});
afterEach(() => expect(workbook.complaints).toEqual([]));

/** Records every text that is drawn into a canvas. */
function recordDrawing(): void {
  const drawn: string[] = [];
  Reflect.set(window, "drawn", drawn);
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...given) {
    drawn.push(given[0]);
    draw.apply(this, given);
  };
}

const drawnTexts = () => workbook.page.evaluate(() => Reflect.get(window, "drawn") as string[]);

test("a range is filtered from the toolbar, and found by Ctrl+F", async () => {
  const { page } = workbook;
  await workbook.write([sheet, 0, 6], [["Name"], ["pear"], ["apple"], ["fig"]]);
  await workbook.select(sheet, 0, 6, 4);
  // The command is in the toolbar itself, not in its overflow menu.
  await page.locator("[data-u-command='sheet.command.smart-toggle-filter']:visible").first().click();
  // Otherwise the button's tooltip stays.
  await page.mouse.move(0, 0);
  const find = page.getByPlaceholder("Find in this Sheet");
  // The find dialog works only a few seconds after the first drawing.
  await workbook.until(async () => {
    await page.evaluate(() => window.invHost?.focusGrid());
    await page.keyboard.press("Control+f");
    return (await find.count()) > 0;
  });
  await find.fill("pear");
  await page.getByText("1/1").waitFor();
  expect(await page.textContent("#reason")).not.toContain("could not be loaded");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
});

test("the menu of a cell has INV's commands, in the words of Excel's menu", async () => {
  const { page } = workbook;
  const formula = '=INV.QTY(1234,"00012345678905")';
  await workbook.write([sheet, 1, 1], [[formula]]);
  await workbook.select(sheet, 1, 1);
  await workbook.filled(sheet, 1, 1);
  await workbook.settled();
  async function choose(title: string): Promise<void> {
    // The grid is the largest canvas. B2 is right of the row headings and column A, and below the column headings and row 1.
    const [x, y] = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("canvas")].map((canvas) => canvas.getBoundingClientRect());
      const grid = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
      return [(grid?.x ?? 0) + 46 + 88 + 44, (grid?.y ?? 0) + 20 + 24 + 12] as const;
    });
    await page.mouse.click(x, y, { button: "right" });
    const entry = page.getByText(title, { exact: true });
    await entry.waitFor();
    await entry.click();
    await entry.waitFor({ state: "hidden" });
  }
  await workbook.settled();
  const before = workbook.searches.length;
  await choose("Refresh selected INV cells");
  await workbook.until(() => Promise.resolve(workbook.searches.length === before + 1));
  await workbook.settled();
});

test("types into the cells after a tab was clicked or renamed", async () => {
  const { page } = workbook;
  await workbook.port((port) => port.addSheet("Item"), null);
  await workbook.write(["Item", 1, 3], [['=INV.QTY(1234,123456789,,,"wm_item_number")']]);
  await workbook.settled();
  const tab = (hasText: string) => page.locator("[data-u-comp='slide-tab-item']", { hasText });
  const contains = (row: number, value: number) => async () =>
    (await workbook.values(sheet, row, 5))[0]?.[0] === value;
  await workbook.select(sheet, 22, 5);
  await tab("Item").click();
  await tab(sheet).click();
  await page.keyboard.type("43");
  await page.keyboard.press("Enter");
  await workbook.until(contains(22, 43));

  await tab("Item").click({ button: "right" });
  await page.locator(".univer-popup button", { hasText: "Rename" }).click();
  // The grid focuses the name some milliseconds after it makes it editable.
  await tab("Item").locator("[contenteditable='true']:focus").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("My week");
  await page.keyboard.press("Enter");
  await tab("My week").waitFor();
  await workbook.select("My week", 1, 3);
  // The pane shows what the cell's formula requested, not what is in its row, which has no store or item.
  const pane = workbook.pane();
  await pane.getByRole("tab", { name: "Cell" }).click();
  await pane.getByText("'My week'!D2").waitFor();
  await pane.getByText("123456789", { exact: true }).waitFor();

  await tab(sheet).click();
  await workbook.select(sheet, 23, 5);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("44");
  await page.keyboard.press("Enter");
  await workbook.until(contains(24, 44));
});

test.each([768, 1400])(
  "at %i px the tabs of the sheets stay in sight while a range is selected",
  async (width) => {
    const { page } = workbook;
    await page.setViewportSize({ width, height: 900 });
    for (const name of ["Item history", "Functions", "Try here"]) {
      await workbook.port((port, given) => port.addSheet(given), name);
    }
    await workbook.write(
      [sheet, 0, 2],
      Array.from({ length: 10 }, (_, row) => [row, row * 2]),
    );
    await workbook.select(sheet, 1, 2, 9, 2);
    // The grid draws the sums a moment later if there is room for them. The bar shows the selection in any case.
    await page.locator("#selection", { hasText: /^C2/ }).waitFor({ state: "attached" });
    if (width > 1000) await page.locator("#grid footer", { hasText: /sum/i }).waitFor();
    const seen = () =>
      page.evaluate(() => {
        const tabs = [...document.querySelectorAll("[data-u-comp='slide-tab-item']")];
        return tabs.filter((tab) => {
          const box = tab.getBoundingClientRect();
          const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return middle !== null && tab.contains(middle);
        }).length;
      });
    // The grid gives the tabs their room a frame or two after it has drawn the sums.
    const wanted = width < 1000 ? 3 : 4;
    await workbook.until(async () => (await seen()) >= wanted);
  },
);

test("a number too wide for its column is drawn as ####, never cut off, until the column is widened", async () => {
  const before = (await drawnTexts()).length;
  const at = { sheet, row: 20, col: 1, rows: 1, cols: 1 };
  await workbook.port((port, cell) => port.format(cell, { widthPx: 60 }), at);
  await workbook.write([sheet, 20, 1], [[12345678905]]);
  await workbook.until(async () => (await drawnTexts()).slice(before).some((text) => /^#{3,}$/.test(text)));
  expect(await workbook.values(sheet, 20, 1)).toEqual([[12345678905]]);

  // A double click on the column's edge makes room for it.
  const { page } = workbook;
  const width = async () => (await workbook.port((port, cell) => port.formatsOf(cell), at))[0]?.[0]?.widthPx;
  const edge = await page.evaluate(() => {
    const area = (canvas: Element) => canvas.clientWidth * canvas.clientHeight;
    const [grid] = [...document.querySelectorAll("canvas")].sort((a, b) => area(b) - area(a));
    const { left, top } = grid!.getBoundingClientRect();
    return { x: left + 46 + 88 + 60 - 2, y: top + 10 };
  });
  await page.mouse.move(edge.x - 10, edge.y);
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.dblclick(edge.x, edge.y);
  await workbook.until(async () => ((await width()) ?? 0) > 80);
});

test("a column that nobody has sized is widened for the dates that a formula spills, and no other", async () => {
  const widths = async () => {
    const area = { sheet, row: 0, col: 0, rows: 1, cols: 15 };
    const formats = await workbook.port((port, at) => port.formatsOf(at), area);
    return (formats[0] ?? []).map(({ widthPx }) => widthPx ?? 0);
  };
  const usual = await widths();
  const narrow = (col: number, widthPx: number) =>
    workbook.port(
      (port, given) => port.format({ ...given, row: 0, rows: 1, cols: 1 }, { widthPx: given.widthPx }),
      { sheet, col, widthPx },
    );
  const undrawn = (await drawnTexts()).length;
  await narrow(8, 50);
  for (const col of [0, 8]) {
    await workbook.write([sheet, 0, col], [['=INV.EVENTS(1234,"00012345678905")']]);
  }
  await workbook.settled();
  await workbook.until(async () => ((await widths())[0] ?? 0) > (usual[0] ?? 0));
  const isTime = (text: string) => /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text);
  await workbook.until(async () => (await drawnTexts()).slice(undrawn).some(isTime));
  const [first, ...others] = await widths();
  expect(first).toBeLessThan(2 * (usual[0] ?? 0));
  expect(others).toEqual(usual.map((width, col) => (col === 8 ? 50 : width)).slice(1));
  // A width that a person reduces afterwards stays.
  const before = (await drawnTexts()).length;
  await narrow(0, 70);
  await workbook.until(async () => (await drawnTexts()).slice(before).some((text) => /^#{3,}$/.test(text)));
  await workbook.settled();
  expect((await widths())[0]).toBe(70);
});

test("a sheet may be deleted while the heights of its rows are still to be measured", async () => {
  await workbook.port(async (port) => {
    const deleted = await port.addSheet("Short-lived");
    // This measures every row again, the visible ones at once.
    await port.format({ sheet: deleted, row: 0, col: 0, rows: 1, cols: 1 }, { widthPx: 120 });
    await port.deleteSheet(deleted);
  }, null);
  // The grid measures in idle callbacks. Callbacks that are requested later run later.
  await workbook.page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => requestIdleCallback(resolve));
  });
});
