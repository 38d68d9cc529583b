/** Refresh: what the pane shows before, during and after it, and which buttons it offers. */
import { buttons, press, shown } from "../page";
import { gateway, problem } from "../../helpers/scripted-service";
import { cellAddresses } from "../../../src/workbook/addresses";
import { openPane, type PaneBed, type PaneOptions } from "../pane-bed";

const gtins = ["00012345678905", "00012345678912"];
const formulas = gtins.map((item) => `=INV.QTY(1234,"${item}")`);
const settings = { "inv.environment": "demo" };
const open = (): Promise<PaneBed> => openPane({ formulas, settings });

it("shows the price, the progress, the end and the changes", async () => {
  const pane = await open();
  const before = pane.values().map(Number);
  expect(shown()).toMatch(/2 cells: 1 request, under 1 s/);
  pane.service.demo.version = 1;
  await pane.press(/^Refresh$/);
  await pane.sees("Asking the service…");
  // The figures of earlier work don't belong to a refresh that begins.
  expect(shown()).not.toContain("of 2 cells");
  expect(buttons("Cancel")).toHaveLength(1);
  await pane.sees("2 cells refreshed");
  expect(pane.values()).toEqual(before.map((value) => value + 1));
  await pane.sees("2 cells changed.");
  await pane.unfold("2 cells changed.");
  await pane.sees("Plan!C2");
});

it("says how many formulas aren't calculated yet, and not that there are none", async () => {
  const pane = await openPane({ settings });
  expect(shown()).toContain("No INV formulas yet.");
  pane.workbook.put({ sheet: "Plan", row: 0, col: 0 }, formulas[0] ?? "");
  await pane.press("This sheet");
  await pane.press("Whole workbook");
  await pane.sees("1 cell not updated since the workbook was opened");
  expect(shown()).not.toContain("No INV formulas yet.");
});

/** A workbook that contains these formulas when the pane opens. This session hasn't calculated them. */
function openFile(contents: readonly string[], options: PaneOptions): Promise<PaneBed> {
  return openPane({
    ...options,
    instead: ({ workbook }) => {
      const fill = (): void => {
        const open = workbook.get();
        const area = { sheet: "Plan", row: 0, col: 0, rows: contents.length, cols: 1 };
        const cells = contents.map((formula) => [formula]);
        if (open.kind === "open") void open.workbook.write(area, cells);
      };
      fill();
      workbook.subscribe(fill);
      return {};
    },
  });
}

it("looks for formulas in a workbook that nobody has connected or calculated", async () => {
  const pane = await openFile(formulas, { environments: [] });
  await pane.openTab("Refresh");
  await pane.sees("2 cells not updated since the workbook was opened");
  expect(shown()).not.toContain("No INV formulas yet.");
});

it("cells that are calculated after the count are counted once, and marks of stale values never", async () => {
  const cells = [...formulas, ...formulas, '=INV.STATUS(1234,"00012345678905",,TRUE)'];
  const pane = await openFile(cells, { settings: { ...settings, "inv.as-of": "2026-11-19T08:00:00.000Z" } });
  await pane.sees("4 cells: 1 request");
  await pane.sees(/\b4 INV cells/);
  // They begin in one turn, and request in later ones.
  const reports = cells.map((_, row) =>
    pane.services.cells.begin(cellAddresses({ sheet: "Plan", row, col: 0 })[0], "demo"),
  );
  await pane.clock.advance(200);
  expect(shown()).toMatch(/\b4 INV cells/);
  await pane.clock.advance(800);
  expect(shown()).toMatch(/\b4 INV cells/);
  expect(shown()).toContain("4 cells: 1 request");
  for (const report of reports) report.settled();
});

it("a refresh that fails at its first call keeps every number, says why, and can be resumed", async () => {
  const pane = await open();
  const before = pane.values();
  pane.service.demo.script(({ operation }) => (operation === "search" ? problem(404, "gone") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees("Every cell keeps what it shows.");
  expect(pane.values()).toEqual(before);
  pane.service.demo.script(() => undefined);
  await pane.press("Refresh the rest");
  await pane.sees("2 cells refreshed");
  expect(buttons("Refresh the rest")).toEqual([]);
});

it("a refused token stops requests until Try again, which continues the refresh", async () => {
  const pane = await open();
  pane.service.demo.script(({ operation }) => (operation === "search" ? gateway(401, "no") : undefined));
  await pane.press(/^Refresh$/);
  await pane.sees(/Stopped .*last refresh failed/);
  pane.service.demo.script(() => undefined);
  pane.service.demo.version = 1;
  await pane.press("Try again");
  await pane.sees("2 cells changed.");
  expect(shown()).toMatch(/Ready/);
  expect(buttons(/Try again|Refresh the rest/)).toEqual([]);
});

it("labels the changes of an earlier refresh below one that fails, and shows nothing without changes", async () => {
  const pane = await open();
  const fail = async () => {
    pane.service.demo.script(({ operation }) => (operation === "search" ? problem(404, "gone") : undefined));
    await pane.press(/^Refresh$/);
    await pane.sees("Every cell keeps what it shows.");
    pane.service.demo.script(() => undefined);
  };
  await pane.press(/^Refresh$/);
  await pane.sees(/\d\d: no refreshed cell changed\./);
  await fail();
  expect(shown()).not.toContain("no refreshed cell changed");
  pane.service.demo.version = 1;
  await pane.press(/^Refresh$/);
  await pane.sees(/(?<!refresh, )\d\d:\d\d: 2 cells changed\./);
  await fail();
  expect(shown()).toMatch(/Earlier refresh, \d\d:\d\d: 2 cells changed\./);
});

it("a cancelled refresh keeps what has arrived, and Refresh the rest requests the others", async () => {
  const pane = await open();
  pane.service.demo.latencyMs = 5_000;
  await pane.press(/^Refresh$/);
  await pane.sees("Asking the service…");
  await pane.press("Cancel");
  await pane.sees("cancelled after 0 of 2 cells");
  await pane.press("Refresh the rest");
  await pane.clock.advance(10_000);
  await pane.sees("2 cells refreshed");
});

it("a double-click on Refresh refreshes, and doesn't press Cancel", async () => {
  const pane = await open();
  await pane.press(/^Refresh$/);
  press(/^Cancel$/, 2);
  await pane.sees("2 cells refreshed");
  await pane.press(/^Refresh$/);
  await pane.press(/^Cancel$/);
  await pane.sees("cancelled after 0 of 2 cells");
});

it("the cost of refreshing old values follows as values grow old", async () => {
  const pane = await open();
  await pane.press("Only values older");
  await pane.sees("Nothing to refresh: no value is older than 15 min.");
  await pane.clock.advance(16 * 60_000);
  await pane.sees(/2 cells: 1 request/);
  await pane.unfold("2 cells older than 15 min");
  await pane.sees("store 1234, item 00012345678905, 16 min old");
});

it("the cost is right while somebody looks at it: a minute after a refresh, it is what the click sends", async () => {
  const pane = await openPane({
    settings: { "inv.environment": "demo" },
    formulas: ['=INV.QTY(1234,"00012345678905")'],
  });
  await pane.openTab("Settings");
  await pane.type("inv-environment", "production");
  await pane.type("inv-consumer-id", "consumer");
  await pane.type("inv-client-secret", "secret");
  await pane.press("Connect to Production");
  await pane.clock.advance(5_000);
  await pane.openTab("Refresh");
  await pane.press(/^Refresh$/);
  await pane.clock.advance(3_000);
  await pane.sees("1 cell: no requests");
  await pane.clock.advance(65_000);
  expect(shown()).toContain("1 cell: 1 request");
});

it("recalculates results that Excel has lost, and says what to do if it shows #BUSY! even then", async () => {
  const pane = await open();
  pane.workbook.valueOf = () => "#BUSY!";
  await pane.press(/^Refresh$/);
  await pane.clock.advance(60_000);
  await pane.sees(
    "nothing refreshed. Excel doesn't show the new value. Refresh again. If #BUSY! stays, save the workbook, close it and open it again.",
  );
});

it("a tab chosen while the list of environments loads stays open afterwards", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const pane = await openPane({ settings, until: held });
  await pane.sees("Reading the list of environments…");
  await pane.openTab("Settings");
  release();
  await pane.sees("Connect again");
  expect(shown()).not.toContain("What to refresh");
});

describe("a fill-down of many calls", () => {
  /** Each store is a call of its own; the first 100 are answered, and the pane asks. */
  async function fillDown(): Promise<PaneBed> {
    const pane = await openPane();
    await pane.type("inv-environment", "production");
    await pane.type("inv-consumer-id", "consumer");
    await pane.type("inv-client-secret", "secret");
    await pane.press("Connect to Production");
    await pane.sees(/real stock.*Ready/s);
    const cells = Array.from({ length: 150 }, (_, row) => ({ sheet: "Plan", row, col: 4 }));
    for (const cell of cells) pane.workbook.put(cell, `=INV.QTY(${1000 + cell.row},"${gtins[0]}")`);
    await pane.workbook.onRecalculate(cells);
    await pane.sees(/50 cells use 50 of \d+ requests, .*Your company shares this quota\./s);
    return pane;
  }

  it("shows its price and a countdown, and is fetched when the person chooses so", async () => {
    const pane = await fillDown();
    expect(shown()).toMatch(/If you don't choose, INV continues at \d\d:\d\d \(in \d+ s\)/);
    await pane.press("Fetch all");
    await pane.clock.advance(10_000);
    expect(shown()).not.toContain("shares this quota");
    expect(pane.service.production.of("search").length).toBe(151);
  });

  it("can be stopped, and then only the unanswered are asked for", async () => {
    const pane = await fillDown();
    await pane.press("Stop");
    await pane.clock.advance(1_000);
    expect(shown()).not.toContain("shares this quota");
    const before = pane.service.production.of("search").length;
    await pane.openTab("Refresh");
    await pane.press("Refresh the rest");
    await pane.clock.advance(30_000);
    await pane.sees("50 cells refreshed");
    expect(pane.service.production.of("search").length - before).toBe(50);
  });
});
