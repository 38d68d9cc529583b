/** A workbook that can't be calculated leaves the page usable. */
import { bookOf, putSaved } from "./saved-workbook";
import { openPage } from "./support";
import { openWorkbook, scratch } from "./workbook-page";

test("an array too large to build shows #NUM!, from a saved workbook, after a reload, and typed", async () => {
  const formulas = ["=MAKEARRAY(10000,10000,LAMBDA(r,c,r*c))", "=SEQUENCE(100000,100000)"];
  const saved = bookOf({ name: "Plan", cellData: { 0: { 0: { f: formulas[0] }, 1: { f: formulas[1] } } } });
  const workbook = await openWorkbook("/", { saved });
  const { page } = workbook;
  expect(await workbook.values("Plan", 0, 0, 1, 2)).toEqual([["#NUM!", "#NUM!"]]);
  await page.reload();
  await workbook.settled();
  expect(await workbook.values("Plan", 0, 0, 1, 2)).toEqual([["#NUM!", "#NUM!"]]);
  await workbook.select("Plan", 1, 0);
  await workbook.type("=MAKEARRAY(100000,100000,LAMBDA(r,c,1))");
  await page.keyboard.press("Enter");
  await workbook.until(async () => (await workbook.values("Plan", 1, 0))[0]?.[0] === "#NUM!");
});

test("a workbook of more than 200,000 formulas opens with the values it had", async () => {
  const formula = { f: "=1+1", v: 5, t: 2 };
  const row = Object.fromEntries(Array.from({ length: 201 }, (_, col) => [col, formula]));
  const cellData = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [index, row]));
  const saved = bookOf({ name: scratch, rowCount: 1_000, columnCount: 201, cellData });
  const workbook = await openWorkbook("/", { saved });
  await workbook.page.getByRole("button", { name: "Calculate now" }).waitFor();
  expect(await workbook.values(scratch, 999, 200, 1, 1)).toEqual([[5]]);
});

test("after two loads that did not finish, the workbook opens without calculating, and calculates when asked", async () => {
  const rows = Array.from(
    { length: 30_000 },
    (_, row) => [row, { 0: { f: `=SUM(C${row + 1},2)` } }] as const,
  );
  const saved = bookOf({
    name: scratch,
    rowCount: 40_000,
    columnCount: 20,
    cellData: { ...Object.fromEntries(rows), 35_000: { 1: { f: "=1+1", v: "as saved", t: 1 } } },
  });
  const { page } = await openPage("/environments.json");
  await putSaved(page, saved);
  for (const unfinished of ["1", "2"]) {
    await page.goto(new URL("/", page.url()).href);
    await page.waitForFunction(
      (count) => localStorage.getItem("inv.workbook.demo.unfinished") === count,
      unfinished,
    );
  }
  await page.goto(new URL("/", page.url()).href);
  await page.getByText("This workbook took too long to calculate").waitFor();
  await page.waitForSelector('body[data-calculating="false"]');
  const state = page.frameLocator("#pane-frame").locator(".header-state");
  await state.getByText("Not calculated").waitFor();
  const first = () =>
    page.evaluate(async (sheet) => {
      const port = await window.invHost!.workbook;
      return (await port.read({ sheet, row: 0, col: 0, rows: 1, cols: 1 }, "values"))[0]?.[0];
    }, scratch);
  expect(await first()).toBeNull();
  await page.getByRole("button", { name: "Calculate now" }).click();
  await page.waitForFunction(() => localStorage.getItem("inv.workbook.demo.unfinished") === null);
  expect(await first()).toBe(2);
  await state.getByText("Ready").waitFor();
  expect(await page.getByText("This workbook took too long to calculate").isVisible()).toBe(false);
});
