/** Cells without a number and stale cells: wrong entries, stale cells, and formulas that show #NAME?. */
import { InvError } from "../../../src/domain/errors";
import { offender, problem } from "../../helpers/scripted-service";
import { root, shown } from "../page";
import { openPane } from "../pane-bed";

const settings = { "inv.environment": "demo" };
const at = (row: number, col: number) => ({ sheet: "Plan", row, col });

it("each wrong entry is listed with its cell and the reason", async () => {
  const formulas = ["OOO12345678905", "OOO12345678912"].map((item) => `=INV.QTY(1234,"${item}")`);
  const pane = await openPane({ settings, formulas });
  await pane.openTab("Refresh");
  await pane.unfold("without a number");
  await pane.sees("Wrong entries (#VALUE!)");
  await pane.unfold("2 cells:");
  await pane.sees("It contains letters in place of digits.");
  expect(shown()).not.toContain("Did you mean");
  // As a stale cell reads, whose age is that of its value.
  await pane.sees(
    /Plan!C2\s*store 1234, item OOO12345678905, under 1 s ago|Plan!C2\s*store 1234, item OOO12345678905, \d+ s ago/,
  );
  await pane.press("Plan!C3");
  expect(pane.workbook.selection).toEqual([{ ...at(2, 2), rows: 1, cols: 1 }]);
});

it("an item that the service refused is listed as failed, because waiting doesn't help", async () => {
  const formulas = ["00012345678905", "00012345678912"].map((gtin) => `=INV.QTY(1234,"${gtin}")`);
  const pane = await openPane({ settings, formulas });
  pane.service.demo.script(({ values }) => {
    const index = values.indexOf("00012345678912");
    return index < 0 ? undefined : problem(400, "Invalid", [offender(index, "00012345678912")]);
  });
  await pane.press(/^Refresh$/);
  await pane.sees("2 cells refreshed");
  await pane.openTab("Refresh");
  await pane.unfold("without a number");
  await pane.sees(/Failed \(#VALUE!\)\s*1 cell\s*:/);
  expect(shown()).not.toContain("Not answered");
});

it("problems without a cell are listed and can be cleared, however many others follow", async () => {
  const pane = await openPane({ settings });
  const { cells } = pane.services;
  const [none, outage] = [new InvError("no-data", "No data."), new InvError("service-down", "It is down.")];
  for (let each = 0; each < 5; each += 1) cells.begin(null, "demo").failed(none);
  for (let row = 1; row <= 1_200; row += 1) {
    const call = cells.begin(`Plan!C${row}`, "demo");
    call.failed(outage);
    call.settled();
  }
  await pane.openTab("Refresh");
  await pane.unfold("1,205 cells without a number: the service has none for 5");
  await pane.unfold("5 cells:");
  await pane.sees("cell not known");
  await pane.press("Clear problems without a cell");
  await pane.clock.advance(200);
  await pane.sees(/Not answered \(#VALUE!\)\s*1,?200 cells/);
  expect(shown()).not.toContain("No data.");
  expect(shown()).not.toContain("Clear problems without a cell");
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
  await pane.sees("Every cell keeps what it shows.");
  await pane.sees("Not up to date");
  await pane.unfold("2 stale cells, as of");
  await pane.sees(/2 cells, as of \d\d:\d\d: \S/);
  await pane.unfold("2 cells, as of");
  await pane.sees(/Plan!C2\s*store 1234, item 00012345678905, 10 min old/);
  await pane.clock.advance(60_000);
  expect(shown()).toContain("item 00012345678905, 11 min old");
});

it("a failed refresh of a grid counts one cell, as the list of stale cells does", async () => {
  const formulas = [`=INV.QTY(1234,["00012345678905","00012345678912"])`];
  const pane = await openPane({ settings, formulas });
  pane.service.demo.script(({ operation }) => (operation === "search" ? problem(404, "gone") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees("nothing refreshed");
  await pane.unfold("1 stale cell");
  await pane.sees(/1 cell, (as of|of unknown age)/);
});

it("a grid with missing values counts one cell, as the list of INV cells does, and its line has the values", async () => {
  const pane = await openPane({ settings });
  pane.service.demo.script(({ operation }) =>
    operation === "search" ? problem(404, "No data found") : undefined,
  );
  const items = ["00012345678905", "00012345678912", "00012345678929"];
  pane.workbook.put(at(1, 2), `=INV.QTY(1234,${JSON.stringify(items)})`);
  await pane.workbook.onRecalculate([at(1, 2)]);
  await pane.sees("1 INV cell");
  await pane.unfold("1 INV cell");
  await pane.sees(/Not found \(#N\/A\)\s*1/);
  await pane.openTab("Refresh");
  // A newcomer would take it for a fault, and it is an answer.
  await pane.unfold("1 cell without a number: the service has none");
  await pane.sees(/Not found \(#N\/A\)\s*1 cell:/);
  await pane.unfold("1 cell:");
  await pane.sees(/Plan!C2\s*3 values/);
  const values = root.querySelector<HTMLDetailsElement>("details details details");
  values!.open = true;
  values!.dispatchEvent(new window.Event("toggle"));
  for (const item of items) await pane.sees(`store 1234, item ${item}`);
  expect(shown()).not.toContain("more");
  await pane.workbook.onRecalculate([at(1, 2)]);
  await pane.clock.advance(2_000);
  await pane.sees(/Not found \(#N\/A\)\s*1 cell:/);

  pane.service.demo.script(() => undefined);
  await pane.press(/^Refresh$/);
  await pane.sees("1 cell refreshed");
  expect(shown()).not.toContain("without a number");
});

it("a formula that shows #NAME? is found, even if the tab was left during the search, and one sentence says what to do", async () => {
  const pane = await openPane({ settings });
  pane.workbook.put(at(0, 0), "=INV.QTY(1,2)");
  const { contentsOf } = pane.workbook;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  pane.workbook.contentsOf = async (areas) => {
    await held;
    const contents = await contentsOf(areas);
    return contents.map((rows) => rows.map((row) => row.map(() => ({ error: "#NAME?" }))));
  };
  await pane.openTab("Settings");
  await pane.openTab("Refresh");
  await pane.clock.advance(4_000);
  await pane.openTab("Settings");
  release();
  await pane.clock.advance(100);
  await pane.openTab("Refresh");
  await pane.unfold("1 cell without a number");
  await pane.sees(
    "1 INV formula shows #NAME?, because Excel read it before INV was loaded. In one cell, press F2, then Enter. For many, use Replace All: find INV. and replace it with INV.",
  );
});
