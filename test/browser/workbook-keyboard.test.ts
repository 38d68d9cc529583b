/** The browser workbook by keyboard alone, on a German system: every sheet, the toolbar's menus, and what the box of the selected cell and a formula's references show. */
import { drawnTheme, problemsInBothThemes, turnTo } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;
beforeAll(async () => {
  workbook = await openScratch({ locale: "de-DE", width: 1400, before: recordColours });
});
afterEach(() => expect(workbook.complaints).toEqual([]));

describe("without a mouse", () => {
  beforeAll(async () => {
    await workbook.port(async (port) => {
      await port.addSheet("Second");
      await port.addSheet("It's 3");
    }, null);
  });

  const shown = () => workbook.page.locator("[role='tab'][aria-selected='true']").textContent();
  const shows = (name: string) => workbook.until(async () => (await shown()) === name);
  const focused = () =>
    workbook.page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });

  test("Tab from the pane's last control leads to the cells: what is typed then is in the selected cell", async () => {
    const { page } = workbook;
    await workbook.select(scratch, 20, 2);
    await workbook.focusGrid();
    await page.keyboard.press("F6");
    const isInPane = () => page.evaluate(() => document.activeElement?.tagName === "IFRAME");
    expect(await isInPane()).toBe(true);
    for (let steps = 0; steps < 30 && (await isInPane()); steps += 1) await page.keyboard.press("Tab");
    expect(await isInPane()).toBe(false);
    await page.keyboard.type("57");
    await page.keyboard.press("Enter");
    await workbook.until(async () => (await workbook.values(scratch, 20, 2))[0]?.[0] === 57);
  });

  test("the tabs come after the buttons above, arrow keys show their sheets, and Enter goes to the cells", async () => {
    const { page } = workbook;
    await workbook.select("Second", 4, 4);
    await workbook.select(scratch, 0, 0);
    await workbook.focusGrid();
    for (const name of ["Help", scratch]) {
      await page.keyboard.press("Shift+F6");
      expect(await focused()).toBe(name);
    }
    await page.keyboard.press("ArrowRight");
    await shows("Second");
    await page.keyboard.press("Enter");
    await page.keyboard.type("9");
    await page.keyboard.press("Enter");
    await workbook.until(async () => (await workbook.values("Second", 4, 4))[0]?.[0] === 9);
  });

  test("Tab reaches each menu of the toolbar, which opens, works and closes by keys", async () => {
    const { page } = workbook;
    await workbook.select(scratch, 2, 2);
    await workbook.write([scratch, 2, 2], [[0.5]]);
    await workbook.focusGrid();
    await page.keyboard.press("Shift+F6");
    const reached: string[] = [];
    while (reached.at(-1) !== "Selected cell or name" && reached.length < 60) {
      await page.keyboard.press("Tab");
      reached.push(await focused());
    }
    const menus = [
      "horizontal text align",
      "worksheet merge",
      "More: background color",
      "General",
      "Common Functions",
    ];
    for (const menu of menus) expect(reached).toContain(menu);

    const open = page.locator("[aria-expanded='true']");
    await page.locator("#grid [role='button']", { hasText: "General" }).first().focus();
    await page.keyboard.press("Enter");
    await workbook.until(async () => (await open.count()) > 0);
    await page.getByRole("button", { name: /^Percentage/ }).focus();
    await page.keyboard.press("Enter");
    await workbook.until(async () => (await workbook.texts(scratch, 2, 2))[0]?.[0] === "50,00%");
    await page.locator("#grid [data-u-command$='set-horizontal-text-align']").first().focus();
    await page.keyboard.press("Enter");
    await workbook.until(async () => (await focused()) === "left");
    await page.keyboard.press("ArrowDown");
    await workbook.until(async () => (await focused()) === "center");
    await page.keyboard.press("Enter");
    const align = () =>
      workbook.port(
        async (port, sheet) =>
          (await port.formatsOf({ sheet, row: 2, col: 2, rows: 1, cols: 1 }))[0]?.[0]?.align,
        scratch,
      );
    await workbook.until(async () => (await align()) === "center");
    expect(await problemsInBothThemes(page)).toEqual([]);
  });

  test("Ctrl+Z with the focus in the pane undoes the last entry, but not in a field of the pane", async () => {
    const { page } = workbook;
    await workbook.select(scratch, 9, 0);
    await workbook.enter("17");
    const value = async () => (await workbook.values(scratch, 9, 0))[0]?.[0] ?? null;
    await workbook.until(async () => (await value()) === 17);
    await page.keyboard.press("F6");
    await workbook.until(() => workbook.pane().evaluate(() => document.activeElement !== document.body));
    await page.keyboard.press("ControlOrMeta+z");
    await workbook.until(async () => (await value()) === null);
    await page.keyboard.press("ControlOrMeta+y");
    await workbook.until(async () => (await value()) === 17);
    await workbook.pane().evaluate(() => {
      const field = document.body.appendChild(document.createElement("input"));
      field.focus();
    });
    await page.keyboard.press("ControlOrMeta+z");
    await workbook.pane().evaluate(() => document.activeElement?.remove());
    expect(await value()).toBe(17);
  });

  test("the menu of a row inserts as many rows as are selected, wherever it is clicked", async () => {
    const { page } = workbook;
    await workbook.write([scratch, 12, 0], [["first"], ["second"]]);
    await workbook.select(scratch, 13, 0, 2, 1);
    const grid = (await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox())!;
    await page.mouse.click(grid.x + 46 + 40, grid.y + 20 + 13 * 24 + 12, { button: "right" });
    const entry = page.getByRole("button", { name: "Insert rows above" });
    const { width } = (await entry.boundingBox())!;
    await entry.click({ position: { x: width - 6, y: 8 } });
    await workbook.until(async () => (await workbook.values(scratch, 15, 0))[0]?.[0] === "second");
    expect(await workbook.values(scratch, 12, 0)).toEqual([["first"]]);
  });
});

test("the box left of the formula bar shows the selected cell, and takes no text", async () => {
  const { page } = workbook;
  await workbook.select(scratch, 3, 3);
  const box = page.getByLabel("Selected cell or name");
  await workbook.until(async () => (await box.inputValue()) === "D4");
  await box.focus();
  // The grid would make it a name.
  await page.keyboard.type("Storez");
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("D4");
  expect(await workbook.port((port) => port.names(), null)).toEqual([]);
  // Other boxes stay as the grid makes them, here one that takes no text either.
  const other = await page.evaluate(async () => {
    const input = document.createElement("input");
    input.readOnly = true;
    document.querySelector("#grid")!.append(input);
    while (!input.hasAttribute("aria-label")) await new Promise(requestAnimationFrame);
    input.remove();
    return input.readOnly;
  });
  expect(other).toBe(true);
});

/** Records each text and colour that is drawn into a canvas, once. */
function recordColours(): void {
  const colours = new Set<string>();
  Reflect.set(window, "colours", colours);
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...given) {
    if (typeof this.fillStyle === "string") colours.add(`${given[0]} ${this.fillStyle}`);
    draw.apply(this, given);
  };
}

/** As WCAG defines it. */
function contrast(colour: string, background: 0 | 1): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (Math.max(light, background) + 0.05) / (Math.min(light, background) + 0.05);
}

test("the references of an edited formula can be read in light and dark", async () => {
  const { page } = workbook;
  const references = Array.from({ length: 12 }, (_, index) => `Q${index + 1}`);
  for (const theme of ["light", "dark"] as const) {
    await turnTo(page, theme);
    await workbook.until(async () => (await drawnTheme(page)) === theme);
    await workbook.select(scratch, 5, 1);
    await page.evaluate(() => (Reflect.get(window, "colours") as Set<string>).clear());
    await workbook.type("=SUM(");
    // At once: the grid draws all references again at each key.
    await page.keyboard.insertText(references.join(","));
    const edited = () => page.evaluate(() => window.invHost?.editedFormula());
    await workbook.until(async () => (await edited()) === `=SUM(${references.join(",")}`);
    await page.keyboard.type(")");
    const colours = async () => {
      const drawn = await page.evaluate(() => [...(Reflect.get(window, "colours") as Set<string>)]);
      return drawn
        .map((each) => each.split(" "))
        .filter(([text, colour = ""]) => text === "Q" && !/^#(?:0{6}|f{6})$/.test(colour))
        .map(([, colour = ""]) => colour);
    };
    await workbook.until(async () => (await colours()).length >= 12);
    const unreadable = (await colours()).filter((colour) => contrast(colour, theme === "dark" ? 0 : 1) < 4.5);
    expect(unreadable).toEqual([]);
    await page.keyboard.press("Escape");
  }
});
