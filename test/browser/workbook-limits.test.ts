/** What is too much for the page is an error with its reason, and leaves the page usable. */
import { button, openTab } from "./pane-parts";
import { bookOf } from "./saved-workbook";
import { gone } from "./support";
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
  await workbook.enter("=MAKEARRAY(100000,100000,LAMBDA(r,c,1))");
  await workbook.until(async () => (await workbook.values("Plan", 1, 0))[0]?.[0] === "#NUM!");
});

test("a cell beyond 5,000 INV formulas says so, and is calculated when there is room again", async () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => [
    row,
    { 0: { f: '=INV.QTY(1234,"00012345678905")' } },
  ]);
  const saved = bookOf({ name: scratch, rowCount: 6_000, cellData: Object.fromEntries(rows) as object });
  const workbook = await openWorkbook("/", { saved });
  // On a slow computer the cell is counted before INV hears of the edit.
  const computer = await workbook.page.context().newCDPSession(workbook.page);
  await computer.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  expect(typeof (await workbook.values(scratch, 4_999, 0))[0]?.[0]).toBe("number");
  await workbook.write([scratch, 5_000, 1], [['=INV.QTY(1234,"00012345678912")'], ["=1/0"]]);
  await workbook.settled();
  expect(await workbook.values(scratch, 5_000, 1)).toEqual([["#VALUE!"]]);
  await workbook.select(scratch, 5_000, 1);
  await workbook.page
    .getByText("The browser workbook calculates at most 5,000 cells with INV formulas.")
    .first()
    .waitFor();
  // The pane says it before somebody builds more.
  const pane = workbook.pane();
  await openTab(pane, "Templates");
  await pane.getByRole("button", { name: /Planning sheet/ }).click();
  await button(pane, "Use sample rows").click();
  await pane.getByText("This workbook calculates at most 5,000 INV cells, and would have").waitFor();
  // Build counts for itself, and refuses.
  const sheets = await workbook.sheetNames();
  await button(pane, /^Build/).click();
  await pane.getByText("This workbook calculates at most 5,000 INV cells").nth(1).waitFor();
  expect(await workbook.sheetNames()).toEqual(sheets);
  // The pane counts the cell and its badge does.
  await pane.locator(".badge", { hasText: "1 cell with #VALUE!" }).waitFor();
  await computer.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  // A refresh doesn't wait for that cell.
  await openTab(pane, "Refresh");
  await button(pane, "Refresh").click();
  await pane.getByText(/: 5,000 cells refreshed in/).waitFor();
  await workbook.write([scratch, 0, 0], [[null]]);
  await workbook.write([scratch, 5_000, 1], [['=INV.QTY(1234,"00012345678912")']]);
  await workbook.filled(scratch, 5_000, 1);
  await gone(pane.locator(".badge"));
  expect(workbook.complaints).toEqual([]);
});
