/**
 * The Look tab in Chromium: the selected cell with its numbers, reasons and events, and the check of a list in the
 * browser workbook, in both themes, in contrast colours, by keyboard, and without a call that nobody asked for.
 */
import type { Frame } from "playwright-core";
import { openPane } from "./pane-host";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";
import { openWorkbook } from "./workbook-page";

const known = '=INV.QTY(1234,"00012345678905")';
const malformed = '=INV.QTY(1234,"OOO12345678905")';

async function openLook(pane: Frame): Promise<void> {
  await openTab(pane, "Look");
  await pane.locator(".views:visible").waitFor();
}

// Widths need not be tried in each theme: colours have none.
it.each([
  ["light", 400],
  ["dark", 320],
] as const)(
  "the selected cell in %s shows stock, ages and events at %i px, with no accessibility problem",
  async (theme, width) => {
    const { pane, complaints } = await openPane({
      theme,
      width,
      height: 1300,
      formulas: [known],
    });
    await openLook(pane);
    await pane.getByRole("table", { name: "Quantity by location area and state" }).waitFor();
    await pane.getByText("At least 1 call for its events.").waitFor();
    await button(pane, "Bring up to date").click();
    await pane
      .getByRole("img", { name: /^Chart of \d+ events\. The quantity after them goes from \d+ to \d+/ })
      .waitFor();
    await pane.locator(".events-canvas canvas").waitFor();
    const rows = pane.getByRole("table", { name: /newest first/ }).getByRole("row");
    await eventually(async () => expect(await rows.count()).toBeGreaterThan(5));
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(complaints).toEqual([]);
  },
);

describe("the chart", () => {
  it("is drawn, in the colours that the page has", async () => {
    const chart = async (options: object): Promise<Frame> => {
      const { pane } = await openPane({ height: 1300, formulas: [known], ...options });
      await openLook(pane);
      await button(pane, "Bring up to date").click();
      return pane;
    };
    const painted = async (pane: Frame): Promise<number> => {
      const colours = await pane.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(".events-canvas canvas");
        const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        const seen = new Set<string>();
        for (let at = 0; at < data.length; at += 4) {
          if (data[at + 3] === 255) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
        }
        return [...seen];
      });
      return colours.length;
    };
    const inColours = await chart({});
    await eventually(async () => expect(await painted(inColours)).toBeGreaterThan(3));
    const inFew = await chart({ forcedColors: true });
    await eventually(async () => expect(await painted(inFew)).toBeGreaterThan(0));
  });
});

describe("a cell without a value", () => {
  it("says why, that nothing was sent, and what to do", async () => {
    const { pane } = await openPane({ width: 320, height: 700, formulas: [malformed] });
    await openLook(pane);
    await pane.getByText(/It holds letters for digits: was 00012345678905 meant\?/).waitFor();
    await pane.getByText("nothing: INV was given store 1234, item OOO12345678905").waitFor();
    await pane.getByText(/Correct the cell that the formula points at/).waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
  });
});

describe("in the browser workbook", () => {
  it("a row's stock is told without a call, its events by their price, and an input error is put right by its button", async () => {
    const workbook = await openWorkbook("/", { width: 1500, height: 1000 });
    const { page, searches } = workbook;
    const pane = workbook.pane();
    const events: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (url.includes("/events?") && !url.includes("page_token")) events.push(url);
    });
    await workbook.port(async (port) => {
      await port.addSheet("List");
      await port.write({ sheet: "List", row: 0, col: 0, rows: 3, cols: 2 }, [
        ["Store", "GTIN"],
        [1234, "OOO12345678905"],
        [1234, "00012345678912"],
      ]);
      await port.write({ sheet: "List", row: 1, col: 3, rows: 1, cols: 1 }, [["=INV.QTY(A2,B2)"]]);
      await port.select({ sheet: "List", row: 2, col: 4, rows: 1, cols: 1 });
    }, null);
    await workbook.settled();
    const before = searches.length;
    await openLook(pane);
    // The planning sheet has asked for this item already.
    await pane.getByRole("table", { name: "Quantity by location area and state" }).waitFor();
    await pane.getByText("At least 1 call for its events.").waitFor();
    await page.waitForTimeout(300);
    expect([searches.length, events.length]).toEqual([before, 0]);
    await button(pane, "Bring up to date").click();
    await pane.locator(".events-canvas canvas").waitFor();
    expect(searches.length).toBe(before);
    expect(events).toEqual([expect.stringContaining("gtin=00012345678912")]);

    await workbook.port((port) => port.select({ sheet: "List", row: 1, col: 3, rows: 1, cols: 1 }), null);
    await button(pane, "Write 00012345678905 into B2").click();
    await workbook.until(async () => typeof (await workbook.values("List", 1, 3, 1, 1))[0]?.[0] === "number");
    await pane.getByRole("table", { name: "Quantity by location area and state" }).waitFor();
  });

  it("a list is checked without a call, corrected at once, and one Undo takes it back", async () => {
    const workbook = await openWorkbook("/", { width: 1500, height: 1000 });
    const { page, searches } = workbook;
    const pane = workbook.pane();
    const list = [
      ["Store", "GTIN"],
      [1234, 12345678905],
      ["2O45", "00012345678905"],
      [1234, "OOO12345678912"],
      [1234, "00012345678911"],
      [1234, "123456789"],
      [1234, "00012345678905"],
    ];
    await workbook.port(async (port, rows) => {
      await port.addSheet("List");
      await port.write({ sheet: "List", row: 0, col: 0, rows: rows.length, cols: 2 }, rows);
      await port.select({ sheet: "List", row: 3, col: 1, rows: 1, cols: 1 });
    }, list);
    const before = searches.length;
    await openTab(pane, "Look");
    // By keyboard alone.
    await pane.getByRole("radio", { name: "Selected cell" }).focus();
    await page.keyboard.press("ArrowRight");
    await button(pane, "Check").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await pane.getByText("6 rows of List: stores in column A, GTINs in column B. 6 findings.").waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    await pane.locator("summary", { hasText: "The check digit is wrong" }).click();
    await pane.getByText('"00012345678911"').waitFor();
    await button(pane, "Fix all 3 that are sure").click();
    await pane.getByText("3 cells corrected; one Undo takes it back.").waitFor();
    const after = [
      ["Store", "GTIN"],
      [1234, "00012345678905"],
      [2045, "00012345678905"],
      [1234, "00012345678912"],
      ...list.slice(4),
    ];
    expect(await workbook.values("List", 0, 0, 7, 2)).toEqual(after);
    expect(searches.length).toBe(before);
    await page.mouse.click(400, 600);
    await page.keyboard.press("ControlOrMeta+z");
    await eventually(async () => expect(await workbook.values("List", 0, 0, 7, 2)).toEqual(list));
  });
});
