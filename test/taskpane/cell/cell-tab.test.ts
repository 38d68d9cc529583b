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

it("a mistyped item leads to the check of its list", async () => {
  const pane = await openPane({ settings, formulas: [malformed] });
  // As if the item was in a cell.
  pane.workbook.put({ sheet: "Plan", row: 1, col: 2 }, "=INV.QTY(1234,B2)");
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 });
  await pane.openTab("Cell");
  await pane.sees("Check items finds all such cells of the list.");
  await pane.press("Check the list");
  await pane.sees("Finds wrong stores and items without sending a request");
});

it("a list's findings name each fault once, and a space behind an item isn't called a number", async () => {
  const pane = await openPane({ settings });
  const items = ["GTIN", "00012345678905", "00012345678905 ", "OO012345678912", "00012345678929"];
  const rows = items.map((item, row) => [row === 0 ? "Store" : 1234, item]);
  rows.forEach((cells, row) => {
    cells.forEach((value, col) => pane.workbook.put({ sheet: "Plan", row, col }, value));
  });
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 1, rows: 1, cols: 1 });
  await pane.openTab("Templates");
  await pane.unfold("Check items");
  await pane.press(/^Check$/);
  await pane.sees("4 rows of Plan: stores in column A, GTINs in column B. 2 findings.");
  expect(shown()).toMatch(/1 cell\s*: The same item written in two ways/);
  await pane.unfold("Neither a store nor an item");
  await pane.sees("It contains letters in place of digits.");
});
