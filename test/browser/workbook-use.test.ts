/** Using the browser workbook: keyboard, pane, themes, narrow windows, and the workbook port. */
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually, turnTo } from "./support";
import { openScratch, tryFormulas, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch();
});

const cell = (row: number, col: number) => ({ sheet: "Scratch", row, col, rows: 1, cols: 1 });

test("F6 moves between sheet and pane, and keys typed in the pane never touch the sheet", async () => {
  const { page } = workbook;
  await workbook.port((port, area) => port.select(area), cell(20, 5));
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("F6");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("pane-frame");
  await workbook.until(() => workbook.pane().evaluate(() => document.activeElement !== document.body));
  await page.keyboard.type("123");
  await page.keyboard.press("Delete");
  expect(await workbook.values("Scratch", 20, 5, 1, 1)).toEqual([[null]]);
  await page.keyboard.press("F6");
  await page.keyboard.type("42");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await workbook.values("Scratch", 20, 5, 1, 1)).toEqual([[42]]));
});

test("F6 goes back to where the pane was left", async () => {
  const { page } = workbook;
  const focused = () => workbook.pane().evaluate(() => document.activeElement?.outerHTML);
  for (const key of ["F6", "Tab"]) await page.keyboard.press(key);
  const left = await focused();
  for (const key of ["F6", "F6"]) await page.keyboard.press(key);
  expect([await focused(), /^<button[^>]* role="tab"/.test(left ?? "")]).toEqual([left, false]);
});

test("Shift+F6 reaches the buttons above sheet and pane from either of them", async () => {
  const { page } = workbook;
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Shift+F6");
  expect(await focused()).toBe("Help");
  await page.keyboard.press("F6");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("pane-frame");
  await page.keyboard.press("Shift+F6");
  expect(await focused()).toBe("Help");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("download");
});

test("announces the selected cell with its shown text", async () => {
  const { page } = workbook;
  const announced = () => page.textContent("#selection");
  await tryFormulas(workbook, ['=INV.QTY(1234,"00012345678905")']);
  const [[quantity]] = (await workbook.values("Scratch", 0, 0, 1, 1)) as [[number]];
  await workbook.port((port, area) => port.select(area), cell(0, 0));
  await workbook.until(async () => (await announced()) === `A1: ${quantity}`);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("ArrowRight");
  await workbook.until(async () => (await announced()) === "B1: blank");
});

test("the tooltip of an error gives the function's reason", async () => {
  const { page } = workbook;
  await tryFormulas(workbook, ['=INV.QTY(1234,"12345ABC")']);
  await workbook.port((port, area) => port.select(area), cell(0, 5));
  const grid = await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox();
  const tooltip = page.locator("div", { hasText: /received "12345ABC"/ }).last();
  await workbook.until(async () => {
    await page.mouse.move((grid?.x ?? 0) + 300, (grid?.y ?? 0) + 300);
    await page.mouse.move((grid?.x ?? 0) + 90, (grid?.y ?? 0) + 32, { steps: 4 });
    return tooltip.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  });
  await page.mouse.move((grid?.x ?? 0) + 300, (grid?.y ?? 0) + 300);
});

test("page, grid and pane follow the system to dark and back", async () => {
  const { page } = workbook;
  const reportedTheme = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        let first = true;
        window.invHost?.onTheme((theme) => {
          if (!first) resolve(theme);
          first = false;
        });
      }),
  );
  await turnTo(page, "dark");
  expect(await reportedTheme).toBe("dark");
  expect(await accessibilityProblems(page)).toEqual([]);
  // The formula bar has the colour of its surroundings, and isn't a black box.
  const bar = await page.locator('[data-u-comp="formula-bar"]').screenshot();
  expect(await page.evaluate(blackPixels, [...bar])).toBeLessThan(500);
  await turnTo(page, "light");
});

test("the pane is hidden and shown without being loaded again", async () => {
  const { page } = workbook;
  await workbook.pane().evaluate(() => Reflect.set(window, "stillHere", true));
  await page.click("#toggle-pane");
  await page.locator("#pane").waitFor({ state: "hidden" });
  expect(await page.getAttribute("#toggle-pane", "aria-expanded")).toBe("false");
  const [value] = await tryFormulas(workbook, ['=INV.QTY(1301,"00012345678905")']);
  expect(value).toEqual(expect.any(Number));
  await page.click("#toggle-pane");
  expect(await workbook.pane().evaluate(() => Reflect.get(window, "stillHere") as unknown)).toBe(true);
});

test("prices and refreshes each formula once in a selection of several areas", async () => {
  const { page } = workbook;
  const formula = '=INV.QTY(1234,"00012345678905")';
  await workbook.port(
    async (port, rows) => {
      await port.write({ sheet: "Scratch", row: 0, col: 0, rows: 5, cols: 3 }, rows);
      await port.select({ sheet: "Scratch", row: 0, col: 0, rows: 1, cols: 1 });
    },
    Array<(string | null)[]>(5).fill([formula, null, formula]),
  );
  await workbook.settled();
  const grid = await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox();
  const drag = async ([fromCol, fromRow, toCol, toRow]: readonly [number, number, number, number]) => {
    const x = (col: number) => (grid?.x ?? 0) + 90 + 88 * col;
    const y = (row: number) => (grid?.y ?? 0) + 32 + 24 * row;
    await page.mouse.move(x(fromCol), y(fromRow));
    await page.mouse.down();
    await page.mouse.move(x(toCol), y(toRow), { steps: 4 });
    await page.mouse.up();
  };
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  await pane.getByText("Selected cells").click();
  await drag([0, 0, 0, 2]);
  await pane.getByText(/^3 cells: 1 request, /).waitFor();
  await page.keyboard.down("Control");
  await drag([2, 0, 2, 1]);
  await pane.getByText(/^5 cells: 1 request, /).waitFor();
  // A2:C4 overlaps both areas.
  await drag([0, 1, 2, 3]);
  await page.keyboard.up("Control");
  await pane.getByText(/^8 cells: 1 request, /).waitFor();
  await button(pane, /^\s*Refresh/).click();
  await pane.getByText(/: 8 cells refreshed/).waitFor();
});

test("formulas that are deleted or overwritten leave the pane's count at once", async () => {
  const { page } = workbook;
  const pane = workbook.pane();
  await openTab(pane, "Refresh");
  // The cost of a selection would read the workbook at every click.
  await pane.getByText("Whole workbook").first().click();
  const shown = async () => Number((await pane.getByText(/ INV cells$/).textContent())?.replace(/\D/g, ""));
  const formula = '=INV.QTY(1234,"00012345678905")';
  const before = await shown();
  await workbook.port(async (port, given) => {
    const area = { sheet: "Scratch", row: 100, col: 3, rows: 5, cols: 1 };
    await port.write(area, Array<string[]>(5).fill([given]));
    await port.select({ ...area, rows: 2 });
  }, formula);
  await workbook.until(async () => (await shown()) === before + 5);
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Delete");
  await workbook.until(async () => (await shown()) === before + 3);
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await workbook.settled();
  expect(await shown()).toBe(before + 3);
  await workbook.port((port, area) => port.select(area), cell(102, 3));
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await workbook.until(async () => (await shown()) === before + 2);
  await page.keyboard.press("Control+z");
  await workbook.until(async () => (await shown()) === before + 3);
});

test("a phone-size window keeps the sheet, and the pane opens over it", async () => {
  const narrow = await openScratch({ width: 390, height: 780 });
  await tryFormulas(narrow, ['=INV.QTY(1234,"00012345678905")']);
  expect(await narrow.page.locator("#pane").isVisible()).toBe(false);
  const grid = await narrow.page.locator("#grid").boundingBox();
  expect(grid?.width).toBe(390);
  await narrow.page.click("#toggle-pane");
  await narrow.page.locator("#pane").waitFor();
  const overflow = await narrow.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(overflow).toBe(false);
  expect(await accessibilityProblems(narrow.page)).toEqual([]);
  // Every button of the bar and the stock's age are reachable.
  await narrow.page.setViewportSize({ width: 320, height: 640 });
  const cutOff = () =>
    narrow.page.evaluate(() =>
      [...document.querySelectorAll(".bar :is(a, button, #stock)")]
        .filter((part) => part.getBoundingClientRect().right > 320 || part.scrollWidth > part.clientWidth + 1)
        .map(({ textContent }) => textContent),
    );
  await narrow.until(async () => (await cutOff()).length === 0);
  // A window of 1,400 pixels at 200% zoom: the bar fits on one line, and the environment is not cut off.
  await narrow.page.setViewportSize({ width: 700, height: 450 });
  const environment = narrow.page.locator("#environment");
  expect(await environment.evaluate((chip) => chip.scrollWidth - chip.clientWidth)).toBe(0);
  expect((await narrow.page.locator(".bar").boundingBox())?.height).toBeLessThanOrEqual(41);
});

test("the port finds formulas on every sheet, and not text that looks like one", async () => {
  const found = await workbook.port(async (port) => {
    await port.write({ sheet: "Scratch", row: 40, col: 0, rows: 2, cols: 1 }, [
      ["=SUM(1,B41)"],
      ["say SUM("],
    ]);
    const other = await port.addSheet("Other");
    await port.write({ sheet: other, row: 0, col: 0, rows: 1, cols: 1 }, [["=SUM(1,B1)"]]);
    const cells = await port.findFormulas((formula) => formula.includes("SUM(1,"));
    return cells.map(({ sheet, row, col, formula }) => `${sheet} ${row} ${col} ${formula}`);
  }, null);
  expect(found).toEqual(["Scratch 40 0 =SUM(1,B41)", "Other 0 0 =SUM(1,B1)"]);
});

test("a sheet whose name is taken gets a number, and writing beyond its edge makes room", async () => {
  const [name, value] = await workbook.port(async (port) => {
    const added = await port.addSheet("Scratch");
    const sheet = (await port.sheets()).find(({ id }) => id === added)?.name ?? "";
    await port.write({ sheet, row: 5_000, col: 40, rows: 1, cols: 1 }, [["far"]]);
    return [sheet, (await port.read({ sheet, row: 5_000, col: 40, rows: 1, cols: 1 }, "values"))[0]?.[0]];
  }, null);
  expect(name).toBe("Scratch 2");
  expect(value).toBe("far");
});

test("keeps settings, reports selections, and undoes a step at once", async () => {
  const { page } = workbook;
  const result = await workbook.port(async (port) => {
    await port.setSetting("inv.test", "kept");
    const rows: number[] = [];
    const stop = port.onSelection(([{ row }]) => rows.push(row));
    await port.select({ sheet: "Scratch", row: 7, col: 1, rows: 1, cols: 1 });
    stop();
    await port.select({ sheet: "Scratch", row: 9, col: 1, rows: 1, cols: 1 });
    await port.step(async () => {
      await port.write({ sheet: "Scratch", row: 50, col: 0, rows: 1, cols: 1 }, [["one"]]);
      await port.step(() => port.write({ sheet: "Scratch", row: 51, col: 0, rows: 1, cols: 1 }, [["two"]]));
    });
    return {
      setting: await port.setting("inv.test"),
      none: await port.setting("inv.none"),
      last: rows.at(-1),
    };
  }, null);
  expect(result).toEqual({ setting: "kept", none: null, last: 7 });
  await page.evaluate(() => window.invHost?.focusGrid());
  await page.keyboard.press("Control+z");
  await eventually(async () =>
    expect(await workbook.values("Scratch", 50, 0, 2, 1)).toEqual([[null], [null]]),
  );
});

/** Runs in the page, which decodes the picture. */
async function blackPixels(png: number[]): Promise<number> {
  const picture = await createImageBitmap(new Blob([new Uint8Array(png)]));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  context?.drawImage(picture, 0, 0);
  const data = context?.getImageData(0, 0, picture.width, picture.height).data ?? new Uint8ClampedArray();
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (Math.max(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255) < 8) count += 1;
  }
  return count;
}
