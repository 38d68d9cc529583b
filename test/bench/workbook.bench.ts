/**
 * What 10,000 INV formulas cost in the browser workbook, beside what the grid itself needs for 10,000 plain formulas:
 * both on a sheet of their own, in one run, in Chromium. Seconds depend on the machine; the ratio says what is ours.
 * Writes its findings to the file that INV_BENCH_OUT names.
 */
import type { Page } from "playwright-core";
import { openWorkbook, type WorkbookPage } from "../browser/workbook-page";
import { benchInBrowser, demoPlaces } from "./in-browser";

jest.setTimeout(240_000);

const rows = 10_000;
const rounds = 3;
const bench = benchInBrowser();

it.each([
  ["plain", "=A{row}+B{row}+$D$1", "edit"],
  ["atOnce", "=INV.QTY(A{row},B{row})", "recalculate"],
  ["qty", "=INV.QTY(A{row},B{row})", "recalculate"],
])("%s", async (title, formula, by) => {
  const workbook = await openWorkbook(bench.browser(), "/?sheets=none");
  const { page } = workbook;
  if (title === "atOnce") await page.evaluate(answerAtOnce);
  await fill(workbook, formula);
  for (let round = 0; round < rounds; round += 1) {
    bench.found({ title, ...(await recalculated(page, by)) });
  }
  await page.context().close();
});

async function fill(workbook: WorkbookPage, formula: string): Promise<void> {
  await workbook.port(
    async (port, given) => {
      const sheets = await port.sheets();
      await port.addSheet("Bench");
      for (const { name } of sheets) await port.deleteSheet(name);
      const area = { sheet: "Bench", row: 0, col: 0, rows: given.rows, cols: 2 };
      await port.writeText(
        area,
        Array.from({ length: given.rows }, (_, row) => [
          given.stores[row % given.stores.length] ?? 0,
          given.items[Math.floor(row / given.stores.length) % given.items.length] ?? "",
        ]),
      );
      await port.write(
        { ...area, col: 2, cols: 1 },
        Array.from({ length: given.rows }, (_, row) => [given.formula.replaceAll("{row}", String(row + 1))]),
      );
    },
    { rows, formula, ...(await demoPlaces()) },
  );
  await workbook.page.waitForTimeout(1_000);
  await workbook.settled();
}

/** From the wish to the last value, and the longest time in which the page took no key. */
function recalculated(page: Page, by: string): Promise<{ tookMs: number; longestBlockMs: number }> {
  return page.evaluate(
    async ({ count, isEdit }) => {
      const port = await window.invHost!.workbook;
      let longestBlockMs = 0;
      let lastMs = performance.now();
      const pulse = setInterval(() => {
        longestBlockMs = Math.max(longestBlockMs, performance.now() - lastMs);
        lastMs = performance.now();
      }, 5);
      const beganMs = performance.now();
      // A cell that all others depend on gets another number, as a person would change it.
      if (isEdit) await port.write({ sheet: "Bench", row: 0, col: 3, rows: 1, cols: 1 }, [[beganMs]]);
      else {
        await port.recalculate(Array.from({ length: count }, (_, row) => ({ sheet: "Bench", row, col: 2 })));
      }
      let endedMs = beganMs;
      for (let isBusy = true; isBusy;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        isBusy = document.body.dataset["calculating"] === "true";
        endedMs = performance.now();
      }
      clearInterval(pulse);
      return { tookMs: endedMs - beganMs, longestBlockMs };
    },
    { count: rows, isEdit: by === "edit" },
  );
}

/** In place of the add-in's: answers at once, each time another number, and asks nobody. */
function answerAtOnce(): void {
  let answers = 0;
  window.invHost!.customFunctions.associate("QTY", () => Promise.resolve((answers += 1)));
}
