/**
 * The pictures of the documents. `UPDATE_DOCS=1 npm test -- browser/pictures` draws them all again, at the tests' fixed
 * date, so that they differ only if the pages do. Without it, the test reports missing pictures and pictures that no test draws.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import type { CellValue } from "../../src/workbook/port";
import { builtInTemplates } from "../../src/workbook/templates/built-in";
import { recordMovingPicture } from "./moving-picture";
import { button, openTab } from "./pane-parts";
import { stillness, type Theme } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

const folder = join(__dirname, "..", "..", "docs", "images");

/** A row of the start sheet Planning: store, GTIN, shelf, backroom. */
type Row = readonly CellValue[];

/** Rows of the start sheet that are typed into each template's box. */
const rowsOf: Readonly<Record<string, (rows: readonly Row[]) => readonly Row[]>> = {
  planning: (rows) => rows,
  grid: (rows) => rows,
  history: (rows) => rows.slice(0, 1),
  receiving: (rows) => rows.filter((_row, at) => at % 15 === 0),
  "empty-shelf": (rows) => rows.filter(([, , shelf], at) => shelf === 0 || at % 20 === 0).slice(0, 14),
};

/** The boxes of a template's form, and what is typed into them. */
function boxesOf(id: string, rows: readonly Row[]): [label: RegExp, text: string][] {
  if (rows.length === 0) return [];
  const pairs = rows.map(([store, item]) => `${store} ${item}`);
  if (id !== "grid") return [[/Or type or paste them/, pairs.join("\n")]];
  const column = (at: number) => [...new Set(rows.map((row) => row[at]))].join("\n");
  return [
    [/Or type or paste the stores/, column(0)],
    [/And the GTINs/, column(1)],
  ];
}

const panes: Readonly<Record<string, { readonly theme: Theme; show(pane: Frame): Promise<void> }>> = {
  "pane-refresh-dark": { theme: "dark", show: (pane) => openTab(pane, "Refresh") },
  "pane-settings": { theme: "light", show: (pane) => openTab(pane, "Settings") },
  "pane-inspect": {
    theme: "light",
    async show(pane) {
      await openTab(pane, "Cell");
      await button(pane, "Bring up to date").click();
      await pane.locator(".events-canvas canvas").waitFor();
    },
  },
};

const size = { width: 1400, height: 900 };
const drawn = [...Object.keys(panes), ...Object.keys(rowsOf).map(pictureOf)];
const story = "story.gif";
/** README pages load quickly up to this size. */
const storyBytes = 1_500_000;

if (process.env["UPDATE_DOCS"] !== undefined) {
  it.each(Object.entries(panes))("%s is drawn", async (name, { theme, show }) => {
    const workbook = await openWorkbook("/", { ...size, theme });
    await select(workbook, "Planning", 1, 2);
    await workbook.settled();
    await show(workbook.pane());
    await stillness(workbook.pane());
    await keep(name, workbook.page, () => workbook.page.locator("#pane-frame").screenshot());
  });

  it.each(builtInTemplates().map(({ id, title }) => [id, title] as const))(
    "template %s is drawn",
    async (id, title) => {
      const workbook = await openWorkbook("/", size);
      const { page } = workbook;
      const pane = workbook.pane();
      await workbook.select("Planning", 0, 0);
      await workbook.settled();
      const rows = rowsOf[id]?.(await workbook.values("Planning", 1, 0, 200, 4)) ?? [];
      await openTab(pane, "Templates");
      await pane.getByRole("button", { name: new RegExp(`^${title}`) }).click();
      for (const [label, text] of boxesOf(id, rows)) await pane.getByLabel(label).fill(text);
      await button(pane, "Build the sheet").click();
      await pane.getByText(/^\s*The sheet ".*" is built\.$/).waitFor();
      await workbook.settled();
      await page.click("#toggle-pane");
      const grid = await page.locator("canvas[id^='univer-sheet-main-canvas']").boundingBox();
      const clip = { x: grid?.x ?? 0, y: grid?.y ?? 0, width: 1160, height: 400 };
      await keep(pictureOf(id), page, () => page.screenshot({ clip }));
    },
  );
}

if (process.env["UPDATE_DOCS"] !== undefined) {
  it("the README's story is recorded: type, fill down, refresh, an outage, recovery", async () => {
    const workbook = await openWorkbook("/", { width: 1100, height: 560 });
    const { page } = workbook;
    await workbook.select("Planning", 0, 0);
    await workbook.settled();
    const pane = workbook.pane();
    const rows = (await workbook.values("Planning", 1, 0, 14, 2)).map((row) => [...row, null]);
    const sheet = "Shelf";
    await workbook.port((port, name) => port.addSheet(name), sheet);
    await workbook.write([sheet, 0, 0], [["Store", "Item", "Shelf"], ...rows]);
    const items = { sheet, row: 0, col: 1, rows: 1, cols: 1 };
    await workbook.port((port, area) => port.format(area, { widthPx: 140 }), items);
    await workbook.select(sheet, 1, 2, 1, 1);
    await openTab(pane, "Refresh");
    await pane.getByLabel("This sheet").check();
    await stillness(page);
    const movie = await recordMovingPicture(page);
    await movie.show(1_000);

    await workbook.focusGrid();
    for (const character of "=INV.QTY(A2,B2)") {
      await page.keyboard.type(character);
      await movie.show(character === "(" ? 500 : 100);
    }
    await movie.show(600);
    await page.keyboard.press("Enter");
    await workbook.filled(sheet, 1, 2, 1, 1);
    await movie.show(1_300);

    await workbook.select(sheet, 1, 2, 1, 1);
    await page.keyboard.press("ControlOrMeta+c");
    await workbook.select(sheet, 2, 2, rows.length - 1, 1);
    await movie.show(500);
    await page.keyboard.press("ControlOrMeta+v");
    await workbook.filled(sheet, rows.length, 2, 1, 1);
    await stillness(page);
    await movie.show(1_800);

    const refreshButton = pane.getByRole("button", { name: "Refresh", exact: true });
    const refresh = async (resultMs: number) => {
      await refreshButton.click();
      await movie.show(500);
      await refreshButton.waitFor();
      await workbook.settled();
      await stillness(page);
      await movie.show(resultMs);
    };
    await refresh(2_000);
    await page.route("**/search-items", (route) => route.fulfill({ status: 503, json: {} }));
    await refresh(3_500);
    await page.unroute("**/search-items");
    await refresh(3_500);

    const { bytes, durationMs } = movie.save(join(folder, story));
    expect(bytes).toBeLessThan(storyBytes);
    expect(durationMs).toBeLessThan(25_000);
  });
}

// This test is last: by then missing pictures have been drawn.
it("each template has one, and each that is there is drawn here", () => {
  expect(Object.keys(rowsOf).sort()).toEqual(
    builtInTemplates()
      .map(({ id }) => id)
      .sort(),
  );
  expect(readdirSync(folder).sort()).toEqual([...drawn.map((name) => `${name}.png`), story].sort());
});

function pictureOf(template: string): string {
  return `template-${template}`;
}

function select(workbook: WorkbookPage, sheet: string, row: number, col: number): Promise<void> {
  return workbook.port((port, area) => port.select(area), { sheet, row, col, rows: 1, cols: 1 });
}

/** Saves the picture once two in a row are equal, so that nothing is still being drawn. */
async function keep(name: string, page: Page, take: () => Promise<Buffer>): Promise<void> {
  await stillness(page);
  let last = await take();
  for (let next = await take(); !next.equals(last); next = await take()) last = next;
  writeFileSync(join(folder, `${name}.png`), last);
}
