/** Check a list in the pane: over what Rows shows, by kind, and nothing of another choice stays. */
import type { CellValue } from "../../../src/workbook/port";
import { buttons, shown } from "../page";
import { openPane, type PaneBed } from "../pane-bed";

const settings = { "inv.environment": "demo" };

async function openCheck(rows: readonly (readonly CellValue[])[]): Promise<PaneBed> {
  const pane = await openPane({ settings });
  rows.forEach((cells, row) => {
    cells.forEach((value, col) => pane.workbook.put({ sheet: "Plan", row, col }, value));
  });
  await pane.workbook.select({ sheet: "Plan", row: 1, col: 1, rows: 1, cols: 1 });
  await pane.openTab("Templates");
  await pane.unfold("Check a list");
  return pane;
}

const counts = [
  ["Winkel", "Voorraad", "EAN"],
  [1234, 12, "00012345678905"],
  [57, 100, "00012345678905 "],
  [931, 57, "OO012345678912"],
];

it("checks what Rows shows, and a person chooses the columns there", async () => {
  const pane = await openCheck(counts);
  expect(buttons(/^Check$/)).toEqual([]);
  await pane.press("Use the selected cells");
  await pane.sees("00012345678905");
  await pane.press(/^Check$/);
  await pane.sees("3 items checked. 2 findings.");
  await pane.openTab("Cell");
  await pane.openTab("Templates");
  await pane.sees("3 items checked. 2 findings.");
  expect(shown()).toMatch(/1 cell\s*: The same item in two spellings/);
  await pane.unfold("Refused by INV");
  await pane.sees("It contains letters in place of digits.");
  await pane.type("inv-column-store", "0");
  await pane.sees("1234 00012345678905");
  expect(shown()).not.toContain("findings");
  await pane.press(/^Check$/);
  await pane.sees("3 stores and 3 items checked. 2 findings.");
});

it("says that nothing is wrong only of columns with values, all of which are right", async () => {
  const pane = await openCheck([
    ["Store", "GTIN"],
    [1234, "00012345678906"],
  ]);
  await pane.press("Use the selected cells");
  await pane.press(/^Check$/);
  await pane.sees("1 store and 1 item checked. 1 finding.");
  pane.workbook.put({ sheet: "Plan", row: 1, col: 1 }, "00012345678905");
  await pane.press("Check again");
  await pane.sees("1 store and 1 item checked. Nothing is wrong.");
  pane.workbook.put({ sheet: "Plan", row: 1, col: 1 }, null);
  await pane.press("Check again");
  await pane.sees("1 store and 0 items checked. Choose a column that isn't blank.");
});

it("waits for a column if none can be chosen without doubt", async () => {
  const pane = await openCheck([
    ["Bon", "Artikel"],
    [48211, "Hafer"],
    [48212, "Milch"],
  ]);
  await pane.type("inv-template-checked", "12A OOO\n13B OOO");
  await pane.sees("Choose the column of stores or of items.");
  expect(buttons(/^Check$/)).toEqual([]);
});

it("a choice that is made while the cells are read again isn't overtaken", async () => {
  const pane = await openCheck(counts);
  await pane.press("Use the selected cells");
  const { read } = pane.workbook;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  pane.workbook.read = (area, what) => held.then(() => read(area, what));
  await pane.press(/^Check$/);
  await pane.sees("Checking…");
  await pane.type("inv-column-store", "0");
  release();
  await pane.clock.advance(1_000);
  expect(shown()).not.toContain("checked.");
  await pane.press(/^Check$/);
  await pane.sees("3 stores and 3 items checked.");
});

it("names what is wrong with typed lines, which have no cells", async () => {
  const pane = await openCheck([]);
  await pane.type("inv-template-checked", "1234 00012345678905\n1234 00012345678906");
  await pane.press(/^Check$/);
  await pane.unfold("The check digit doesn't fit");
  await pane.sees("line 2");
});

it("says which kind wasn't checked, where the list has another column", async () => {
  const pane = await openCheck([
    ["Filiale", "Nummer"],
    [1234, "X"],
    [57, "Y"],
  ]);
  await pane.press("Use the selected cells");
  await pane.press(/^Check$/);
  await pane.sees(
    "2 stores checked. Nothing is wrong. Items weren't checked: choose their column if the list has one.",
  );
});
