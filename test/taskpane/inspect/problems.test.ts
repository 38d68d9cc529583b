/** Problems: wrong entries and their correction, and #NAME? that is shown and entered again. */
import { buttons, shown } from "../page";
import { problem } from "../../helpers/scripted-service";
import { openPane, type PaneBed } from "../pane-bed";

const settings = { "inv.environment": "demo" };
const at = (row: number, col: number) => ({ sheet: "Plan", row, col });

/** Two items with letters for digits, each beside its formula. */
async function withWrongItems(): Promise<PaneBed> {
  const pane = await openPane({ settings });
  for (const [row, item] of ["OOO12345678905", "OOO12345678912"].entries()) {
    pane.workbook.put(at(row, 0), 1234);
    pane.workbook.put(at(row, 1), item);
    pane.workbook.put(at(row, 2), `=INV.QTY(A${row + 1},B${row + 1})`);
  }
  await pane.workbook.onRecalculate([at(0, 2), at(1, 2)]);
  await pane.openTab("Inspect");
  await pane.press("Problems");
  await pane.sees("Wrong entries (#VALUE!)");
  return pane;
}

it("a wrong entry is corrected by its button or with all that are sure, each once", async () => {
  const pane = await withWrongItems();
  await pane.unfold("2 cells");
  await pane.sees("Apply 2 suggestions");
  await pane.press("Plan!C2");
  expect(pane.workbook.selection).toEqual([{ ...at(1, 2), rows: 1, cols: 1 }]);
  await pane.press("Write 00012345678905 into B1");
  await pane.sees("1 cell corrected. Press Ctrl+Z once to undo.");
  for (const button of buttons("Write 00012345678905")) button.click();
  await pane.clock.advance(1_000);
  expect(shown()).toContain("1 cell corrected");
  expect(buttons(/suggestions/)).toEqual([]);
  await pane.press("Write 00012345678912 into B2");
  await pane.clock.advance(1_000);
  expect((await pane.workbook.read({ ...at(0, 1), rows: 2, cols: 1 }, "values")).flat()).toEqual([
    "00012345678905",
    "00012345678912",
  ]);
});

it("a correction that can't be written shows the error, and is offered again", async () => {
  const pane = await withWrongItems();
  await pane.unfold("2 cells");
  await pane.sees("Apply 2 suggestions");
  pane.workbook.write = () => Promise.reject(new Error("The sheet is protected."));
  await pane.press("Apply 2 suggestions");
  await pane.clock.advance(1_000);
  expect(buttons("Apply 2 suggestions")).toHaveLength(1);
});

it("stale cells, values and items not found, are listed with their reason and since when", async () => {
  const formulas = [1234, 1235].map((store) => `=INV.QTY(${store},"00012345678905")`);
  const pane = await openPane({ settings, formulas });
  pane.service.demo.script(({ store }) => (store === 1235 ? problem(404, "No data found") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees("2 cells refreshed");
  await pane.clock.advance(600_000);
  pane.service.demo.script(({ operation }) => (operation === "search" ? problem(404, "gone") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees("Every cell keeps its number.");
  await pane.sees("Not up to date");
  await pane.press("2 stale cells");
  await pane.sees(/Stale: last known answers\s*2 cells, not answered since \d\d:\d\d: \S/);
  await pane.unfold("2 cells");
  await pane.sees(/Plan!C2\s*store 1234, item 00012345678905, 10 min old/);
});

it("a failed refresh of a grid counts values, and cells as the list of stale cells does", async () => {
  const formulas = [`=INV.QTY(1234,["00012345678905","00012345678912"])`];
  const pane = await openPane({ settings, formulas });
  pane.service.demo.script(({ operation }) => (operation === "search" ? problem(404, "gone") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees("0 of 2 values updated. 2 not answered, in 1 cell: ");
  await pane.press("1 stale cell");
  await pane.sees("1 cell, not answered since");
});

it("#NAME? found by a search is shown, even if the tab was left during the search", async () => {
  const pane = await openPane({ settings });
  pane.workbook.put(at(0, 0), "=INV.QTY(1,2)");
  const { contents } = pane.workbook;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  pane.workbook.contents = async (area) => {
    await held;
    const rows = await contents(area);
    return rows.map((row) => row.map(() => ({ error: "#NAME?" })));
  };
  await pane.openTab("Inspect");
  await pane.press("Problems");
  await pane.clock.advance(4_000);
  await pane.openTab("Settings");
  release();
  await pane.clock.advance(100);
  await pane.openTab("Inspect");
  await pane.sees("1 cell with an INV formula shows #NAME?");
  await pane.press("Enter it again");
  await pane.sees("1 formula entered again.");
});
