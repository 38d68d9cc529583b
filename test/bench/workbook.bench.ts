/**
 * The cost of 10,000 INV formulas in the browser workbook, compared with the grid's own cost for 10,000 plain formulas. They
 * are on separate sheets, in one run, in Chromium. The formulas are recalculated, refreshed by a click (including engine, relay and
 * embedded service over loopback), filled down, pasted, and opened as a saved workbook. For 40,000 formulas, and for a
 * planning template of 1,200 rows, the longest block counts. Seconds depend on the machine; the ratio shows INV's part.
 */
import { openTab } from "../browser/pane-parts";
import { openScratch, type WorkbookPage } from "../browser/workbook-page";
import { byTitle, middle, seconds, table } from "./figures";
import { demoPlaces, findings } from "./in-jest";
import { beginWatch, endWatch, type Watched, watchPage } from "./page-watch";

jest.setTimeout(240_000);

const rows = 10_000;
const many = 40_000;
const templateRows = 1_200;
const found = findings<Finding>(section);
const plain = "=A{row}+B{row}+$D$1";
const inv = "=INV.QTY(A{row},B{row})";
const kinds = [
  ["plain", plain],
  ["qty", inv],
] as const;

interface Finding extends Watched {
  readonly title: string;
}

it.each([
  ["plain", plain, editDependence, 3],
  ["qty", inv, recalculate, 3],
  // One round: more would wait for their minute's quota.
  ["refresh", inv, clickRefresh, 1],
])("%s", async (title, formula, act, rounds) => {
  const workbook = await open();
  const { page } = workbook;
  await writePlaces(workbook);
  await writeFormulas(workbook, formula, rows);
  for (let round = 0; round < rounds; round += 1) {
    await beginWatch(page);
    await act(workbook);
    found({ title, ...(await endWatch(page)) });
  }
});

it.each(kinds)("filled down and opened again: %s", async (title, formula) => {
  const workbook = await open();
  const { page } = workbook;
  await writePlaces(workbook);
  await writeFormulas(workbook, formula, 1);
  await fillDown(workbook);
  // The automatic save that follows counts too.
  found({ title: `${title} filled`, ...(await endWatch(page, { isSaved: true })) });
  expect(await valuesThere(workbook)).toBe(rows);
  await page.reload();
  found({ title: `${title} opened`, ...(await endWatch(page)) });
  expect(await valuesThere(workbook)).toBe(rows);
});

it.each(kinds)("pasted: %s", async (title, formula) => {
  const workbook = await open();
  await emptySheet(workbook);
  const { stores, items } = await demoPlaces();
  const lines = Array.from({ length: rows }, (_, row) =>
    [...placeOf(row, stores, items), formula.replaceAll("{row}", String(row + 1))].join("\t"),
  );
  await workbook.port((port) => port.select({ sheet: "Bench", row: 0, col: 0, rows: 1, cols: 1 }), null);
  await workbook.page.evaluate(() => window.invHost?.focusGrid());
  await beginWatch(workbook.page);
  await workbook.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, lines.join("\r\n"));
  found({ title: `${title} pasted`, ...(await endWatch(workbook.page, { isSaved: true })) });
  expect(await valuesThere(workbook)).toBe(rows);
});

/** Four times as many formulas: the longest block of the page, and INV's part of it. */
it.each([
  ["many plain", "=A{row}*2"],
  ["many qty", inv],
])("40,000 formulas, written and opened: %s", async (title, formula) => {
  const workbook = await open();
  const { page } = workbook;
  await writePlaces(workbook, many);
  await writeFormulas(workbook, formula, many);
  // The automatic save that follows counts too.
  found({ title: `${title} written`, ...(await endWatch(page, { isSaved: true })) });
  expect(await valuesThere(workbook, many)).toBe(many);
  await page.reload();
  found({ title: `${title} opened`, ...(await endWatch(page)) });
  expect(await valuesThere(workbook, many)).toBe(many);
});

/** Six formulas in each row: INV's planning template, built from the pane, and the same number of plain formulas. */
it.each(["plain", "planning"])("1,200 rows: %s", async (title) => {
  const workbook = await open();
  await emptySheet(workbook);
  const build = title === "plain" ? writeRows : buildPlanning;
  await build(workbook);
  found({ title: `rows ${title}`, ...(await endWatch(workbook.page)) });
});

async function writeRows({ page, port }: WorkbookPage): Promise<void> {
  await beginWatch(page);
  await port(
    (grid, count) =>
      grid.write(
        { sheet: "Bench", row: 0, col: 1, rows: count, cols: 6 },
        Array.from({ length: count }, (_, row) => Array.from({ length: 6 }, () => `=A${row + 1}*2`)),
      ),
    templateRows,
  );
}

async function buildPlanning(workbook: WorkbookPage): Promise<void> {
  const { stores, items } = await demoPlaces();
  const pane = workbook.pane();
  await openTab(pane, "Build", "Templates");
  await pane.getByRole("button", { name: /^Planning sheet/ }).click();
  const places = Array.from({ length: templateRows }, (_, row) => placeOf(row, stores, items).join(" "));
  await pane.getByLabel(/Or type or paste them/).fill(places.join("\n"));
  await pane.getByText(/^Uses /).waitFor();
  await beginWatch(workbook.page);
  await pane.locator(".button:visible", { hasText: "Build the sheet" }).click();
  await pane.getByText(/The sheet ".*" is built/).waitFor();
}

function open(): Promise<WorkbookPage> {
  return openScratch({ before: watchPage });
}

/** Fills the empty sheet with a store and an item in each row, in columns A and B. */
async function writePlaces(workbook: WorkbookPage, count = rows): Promise<void> {
  await emptySheet(workbook);
  const { stores, items } = await demoPlaces();
  await workbook.port(
    (port, cells) => port.writeText({ sheet: "Bench", row: 0, col: 0, rows: cells.length, cols: 2 }, cells),
    Array.from({ length: count }, (_, row) => placeOf(row, stores, items)),
  );
}

function emptySheet(workbook: WorkbookPage): Promise<void> {
  return workbook.port(async (port) => {
    const sheets = await port.sheets();
    await port.addSheet("Bench");
    for (const { name } of sheets) await port.deleteSheet(name);
  }, null);
}

function placeOf(row: number, stores: readonly number[], items: readonly string[]): [number, string] {
  const item = Math.floor(row / stores.length) % items.length;
  return [stores[row % stores.length] ?? 0, items[item] ?? ""];
}

async function writeFormulas(workbook: WorkbookPage, formula: string, count: number): Promise<void> {
  await beginWatch(workbook.page);
  await workbook.port(
    (port, given) =>
      port.write(
        { sheet: "Bench", row: 0, col: 2, rows: given.count, cols: 1 },
        Array.from({ length: given.count }, (_, row) => [given.formula.replaceAll("{row}", String(row + 1))]),
      ),
    { formula, count },
  );
  await endWatch(workbook.page);
}

/** Changes the cell that all others depend on, as a person would. */
function editDependence(workbook: WorkbookPage): Promise<void> {
  return workbook.port(
    (port) => port.write({ sheet: "Bench", row: 0, col: 3, rows: 1, cols: 1 }, [[performance.now()]]),
    null,
  );
}

async function recalculate(workbook: WorkbookPage): Promise<void> {
  await workbook.port(
    (port, count) =>
      port.recalculate(Array.from({ length: count }, (_, row) => ({ sheet: "Bench", row, col: 2 }))),
    rows,
  );
}

/** Refreshes as a person does, and waits until the pane has followed the last cell. */
async function clickRefresh(workbook: WorkbookPage): Promise<void> {
  const pane = workbook.pane();
  const calls = workbook.searches.length;
  await pane.getByRole("tab", { name: "Refresh" }).click();
  await pane.getByLabel("This sheet").check();
  const button = (text: string) => pane.locator(".button:visible", { hasText: text });
  await button("Refresh").waitFor();
  await beginWatch(workbook.page);
  await button("Refresh").click();
  await button("Cancel").waitFor();
  await button("Cancel").waitFor({ state: "detached", timeout: 90_000 });
  // Every item was requested again.
  const asked = workbook.searches.slice(calls).reduce((sum, body) => sum + body.item_type_values.length, 0);
  expect(asked).toBe(rows);
}

/**
 * Double-clicks the fill handle of C1, which fills as far as the adjacent column has values. Repeats the double-click if the
 * grid missed it. The watch starts with the double-click.
 */
async function fillDown({ page, port }: WorkbookPage): Promise<void> {
  await port((open) => open.select({ sheet: "Bench", row: 0, col: 2, rows: 1, cols: 1 }), null);
  const grid = await page.locator("canvas[id^=univer-sheet-main-canvas]").boundingBox();
  if (grid === null) throw new Error("The grid is not there.");
  for (let tries = 0; tries < 5; tries += 1) {
    await page.waitForSelector('body[data-calculating="false"]');
    await beginWatch(page);
    await page.mouse.dblclick(grid.x + cornerOfC1.x, grid.y + cornerOfC1.y);
    const seen = page.waitForSelector('body[data-calculating="true"]', { timeout: 3_000 });
    if (await seen.catch(() => null)) return;
  }
  throw new Error("The grid did not fill down.");
}

/** From the grid's headings and default widths. */
const cornerOfC1 = { x: 46 + 3 * 88, y: 20 + 24 };

async function valuesThere(workbook: WorkbookPage, count = rows): Promise<number> {
  const values = (await workbook.values("Bench", 0, 2, count, 1)).flat();
  return values.filter((value) => value !== null && value !== "").length;
}

/** Shows each finding beside the grid's own of the same kind. */
function section(all: readonly Finding[]): string {
  const by = byTitle(all, middle);
  const beside = (figure: keyof Watched) => (row: readonly string[]) => {
    const [title = "", own = "", words = ""] = row;
    const { tookMs, longestBlockMs } = by.get(title) ?? missing;
    const ratio = (by.get(title) ?? missing)[figure] / (by.get(own) ?? missing)[figure];
    return [words, seconds(tookMs), seconds(longestBlockMs), ratio.toFixed(2)];
  };
  const columns = ["s until the last value", "s of the longest block of the thread"];
  const ofTime = ["10,000 formulas", ...columns, "time, of the grid's own"];
  const ofBlocks = ["many formulas", ...columns, "block, of the grid's own"];
  return `## The browser workbook

${table(ofTime, tenThousand.map(beside("tookMs")))}

${table(ofBlocks, manyFormulas.map(beside("longestBlockMs")))}
`;
}

/** A finding, the finding it is compared with, and its description. */
const tenThousand = [
  ["plain", "plain", "`=A1+B1+$D$1`, the grid's own, calculated again"],
  ["qty", "plain", "`=INV.QTY(A1,B1)`, recalculated within its freshness"],
  ["refresh", "plain", "the same, a click on Refresh: over the relay and the embedded service"],
  ["plain filled", "plain filled", "the grid's own, filled down from one, and saved"],
  ["qty filled", "plain filled", "`=INV.QTY(A1,B1)`, filled down from one, and saved"],
  ["plain pasted", "plain pasted", "a store, an item and the grid's own, pasted as 10,000 rows, and saved"],
  ["qty pasted", "plain pasted", "the same with `=INV.QTY(A1,B1)`"],
  ["plain opened", "plain opened", "the grid's own, a saved workbook opened"],
  ["qty opened", "plain opened", "`=INV.QTY(A1,B1)`, a saved workbook opened"],
];
const manyFormulas = [
  ["many plain written", "many plain written", "40,000 of the grid's own, `=A1*2`, written and saved"],
  ["many qty written", "many plain written", "40,000 `=INV.QTY(A1,B1)`, written and saved"],
  ["many plain opened", "many plain opened", "40,000 of the grid's own, a saved workbook opened"],
  ["many qty opened", "many plain opened", "40,000 `=INV.QTY(A1,B1)`, a saved workbook opened"],
  ["rows plain", "rows plain", "7,200 of the grid's own, written as 1,200 rows"],
  ["rows planning", "rows plain", "a planning template of 1,200 rows, built from the pane"],
];

const missing: Watched = { tookMs: NaN, longestBlockMs: NaN };
