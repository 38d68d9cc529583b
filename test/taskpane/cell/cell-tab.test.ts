/** Look at the selected cell: why it has no value, and what to do. */
import { shown } from "../page";
import { openPane } from "../pane-bed";

const malformed = '=INV.QTY(1234,"OOO12345678905")';
const settings = { "inv.environment": "demo" };

it("a cell without a value says why, that nothing was sent, and what to do", async () => {
  const pane = await openPane({ settings, formulas: [malformed] });
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 });
  await pane.openTab("Cell");
  await pane.sees("It contains letters in place of digits.");
  expect(shown()).toContain("nothing: INV was given store 1234, item OOO12345678905");
  expect(shown()).toContain("Correct the argument in the formula.");
  // There is no list to check.
  expect(shown()).not.toContain("Check the list");
  expect(pane.service.demo.of("search")).toEqual([]);
});

it("names the cell that it shows, the first where several are selected", async () => {
  const pane = await openPane({ settings, formulas: [malformed] });
  await pane.openTab("Cell");
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 3, cols: 2 });
  await pane.sees(/Formula in\s*Plan!C2/);
  pane.workbook.put({ sheet: "Plan", row: 7, col: 2 }, '=INV.QTY(1234,"00012345678905")');
  await pane.workbook.select({ sheet: "Plan", row: 7, col: 2, rows: 3, cols: 2 });
  await pane.sees("Excel hasn't calculated the formula in Plan!C8 since the workbook was opened.");
});

it("a mistyped item leads to the check of its list", async () => {
  const pane = await openPane({ settings, formulas: [malformed] });
  // As if the item was in a cell.
  pane.workbook.put({ sheet: "Plan", row: 1, col: 2 }, "=INV.QTY(1234,B2)");
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 });
  await pane.openTab("Cell");
  await pane.sees("Check a list finds all such cells.");
  await pane.press("Check the list");
  await pane.sees("Finds wrong stores and items without sending a request");
});
