/** Look at the selected cell: why it has no value, what to do, and the fix at one click. */
import { buttons, shown } from "../page";
import { openPane } from "../pane-bed";

const malformed = '=INV.QTY(1234,"OOO12345678905")';
const settings = { "inv.environment": "demo" };

it("a cell without a value says why, that nothing was sent, and what to do", async () => {
  const pane = await openPane({ settings, formulas: [malformed] });
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 });
  await pane.openTab("Inspect");
  await pane.sees("It contains letters in place of digits: was 00012345678905 meant?");
  expect(shown()).toContain("nothing: INV was given store 1234, item OOO12345678905");
  expect(shown()).toContain("Correct the cell that the formula refers to");
  expect(pane.service.demo.of("search")).toEqual([]);
});

it("writes the fix once, and a second click keeps its message", async () => {
  const pane = await openPane({ settings });
  pane.workbook.put({ sheet: "Plan", row: 1, col: 0 }, 1234);
  pane.workbook.put({ sheet: "Plan", row: 1, col: 1 }, "OOO12345678905");
  pane.workbook.put({ sheet: "Plan", row: 1, col: 2 }, "=INV.QTY(A2,B2)");
  await pane.workbook.onRecalculate([{ sheet: "Plan", row: 1, col: 2 }]);
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 2, rows: 1, cols: 1 });
  await pane.openTab("Inspect");
  await pane.sees("Write 00012345678905 into B2");
  await pane.press("Write 00012345678905 into B2");
  await pane.sees("Done. Press Ctrl+Z to undo.");
  for (const button of buttons("Write 00012345678905")) button.click();
  await pane.clock.advance(1_000);
  expect(shown()).toContain("Done. Press Ctrl+Z to undo.");
});
