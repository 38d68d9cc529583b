/**
 * The Cell tab in Chromium: the selected cell with its numbers, reasons and events; and the check of a list, in the browser
 * workbook. It works in both themes, in contrast colours and by keyboard.
 */
import { openPane } from "./pane-host";
import { button, openTab, tabTo } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes } from "./support";
import { narrow, openScratch, type WorkbookPage } from "./workbook-page";

const known = '=INV.QTY(1234,"00012345678905")';

it("the selected cell shows stock, ages and events, readably in a narrow pane", async () => {
  const { pane, complaints } = await openPane({ width: 320, height: 1300, formulas: [known] });
  await openTab(pane, "Cell");
  await pane.getByRole("table", { name: "Quantity by location area and state" }).waitFor();
  await pane.getByText("At least 1 request for its events.").waitFor();
  await button(pane, "Bring up to date").click();
  await pane
    .getByRole("img", { name: /^Chart of \d+ events\. The quantity after them goes from \d+ to \d+/ })
    .waitFor();
  await pane.locator(".events-canvas canvas").waitFor();
  const rows = pane.getByRole("table", { name: /newest first/ }).getByRole("row");
  await eventually(async () => expect(await rows.count()).toBeGreaterThan(5));
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
  expect(complaints).toEqual([]);
});

it.each([
  [false, 4],
  [true, 1],
])(
  "the chart fills its place, in the colours that the page has, be they few: %s",
  async (forcedColors, fewest) => {
    const { pane } = await openPane({ height: 1300, formulas: [known], forcedColors });
    await openTab(pane, "Cell");
    await button(pane, "Bring up to date").click();
    const painted = () =>
      pane.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(".events-canvas canvas");
        if (canvas === null) return { colours: 0, width: 0, height: 0 };
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        const [colours, columns, lines] = [new Set<string>(), new Set<number>(), new Set<number>()];
        for (let at = 0; at < data.length; at += 4) {
          if (data[at + 3] !== 255) continue;
          colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
          columns.add((at / 4) % canvas.width);
          lines.add(Math.floor(at / 4 / canvas.width));
        }
        const { width, height } = canvas;
        return { colours: colours.size, width: columns.size / width, height: lines.size / height };
      });
    await eventually(async () => {
      const { colours, width, height } = await painted();
      expect(colours).toBeGreaterThanOrEqual(fewest);
      expect(width).toBeGreaterThan(0.7);
      expect(height).toBeGreaterThan(0.5);
    });
  },
);

describe("in the browser workbook", () => {
  let workbook: WorkbookPage;

  beforeAll(async () => {
    workbook = await openScratch({ width: 1500, height: 1000 });
  });

  it("a list is checked without a call, by keyboard, and its findings go to a new sheet, while the list stays as it is", async () => {
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
    await workbook.port((port) => port.addSheet("List"), null);
    await workbook.write(["List", 0, 0], list);
    await workbook.select("List", 3, 1);
    const before = searches.length;
    await openTab(pane, "Templates");
    await tabTo(pane, pane.locator("summary", { hasText: "Check a list" }));
    await page.keyboard.press("Enter");
    await button(pane, "Use the selected cells").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await pane.locator(".rows li", { hasText: "1234 00012345678905" }).waitFor();
    await tabTo(pane, button(pane, /^Check$/));
    await page.keyboard.press("Enter");
    await pane.getByText("6 stores and 6 items checked. 5 findings.").waitFor();
    await narrow(pane, 350);
    for (const kind of ["Refused by INV", "Nine digits", "The check digit", "The same item"]) {
      await pane.locator("summary", { hasText: kind }).click();
    }
    await pane.getByText('"00012345678911"').waitFor();
    expect(await problemsInBothThemes(pane)).toEqual([]);
    expect(await isCutOff(pane)).toBe(false);
    await button(pane, "List them on a new sheet").click();
    await pane.getByText('The findings are on the sheet "Check List".').waitFor();
    expect((await workbook.texts("Check List", 1, 0, 1, 3))[0]).toEqual([
      "List!B2",
      "12345678905",
      "The same item in two spellings, which a lookup takes for two items",
    ]);
    expect(await problemsInBothThemes(pane)).toEqual([]);
    expect(await workbook.values("List", 0, 0, 7, 2)).toEqual(list);
    expect(searches.length).toBe(before);
  });

  it("the longest name of a sheet fits into a narrow pane", async () => {
    const sheet = "W".repeat(31);
    await workbook.port((port, name) => port.addSheet(name), sheet);
    await workbook.write([sheet, 0, 0], [[known]]);
    await workbook.settled();
    await workbook.select(sheet, 0, 0);
    const pane = workbook.pane();
    await openTab(pane, "Cell");
    await narrow(pane);
    await pane.getByRole("button", { name: `${sheet}!A1` }).waitFor();
    expect(await isCutOff(pane)).toBe(false);
  });
});
