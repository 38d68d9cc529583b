/** A workbook that can't be calculated leaves the page usable. */
import { bookOf, putSaved } from "./saved-workbook";
import { openPage } from "./support";
import { openScratch, openWorkbook, scratch } from "./workbook-page";

test("an array too large to build is #NUM!, before it is built, and after a reload", async () => {
  const cellData = {
    0: { 0: { f: "=MAKEARRAY(10000,10000,LAMBDA(r,c,r*c))" }, 1: { f: "=SEQUENCE(100000,100000)" } },
  };
  const saved = bookOf({ name: scratch, rowCount: 100, columnCount: 20, cellData });
  const workbook = await openWorkbook("/", { saved });
  await workbook.settled();
  expect(await workbook.values(scratch, 0, 0, 1, 2)).toEqual([["#NUM!", "#NUM!"]]);
  await workbook.page.reload();
  await workbook.settled();
  expect(await workbook.values(scratch, 0, 0, 1, 2)).toEqual([["#NUM!", "#NUM!"]]);
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
  const first = () =>
    page.evaluate(async (sheet) => {
      const port = await window.invHost!.workbook;
      return (await port.read({ sheet, row: 0, col: 0, rows: 1, cols: 1 }, "values"))[0]?.[0];
    }, scratch);
  expect(await first()).toBeNull();
  await page.getByRole("button", { name: "Calculate now" }).click();
  await page.waitForFunction(() => localStorage.getItem("inv.workbook.demo.unfinished") === null);
  expect(await first()).toBe(2);
  expect(await page.getByText("This workbook took too long to calculate").isVisible()).toBe(false);
});

test("a formula pasted with a size that no page survives shows #NUM!", async () => {
  const workbook = await openScratch();
  await workbook.select(scratch, 0, 0);
  await workbook.type("=MAKEARRAY(100000,100000,LAMBDA(r,c,1))");
  await workbook.page.keyboard.press("Enter");
  await workbook.settled();
  expect(await workbook.values(scratch, 0, 0, 1, 1)).toEqual([["#NUM!"]]);
});
