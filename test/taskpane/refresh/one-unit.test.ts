/**
 * Every count of cells in the pane means the same cells: those that show answers of the service. The walk goes from an open workbook
 * through an outage, a refresh, and a reload, and compares every number that the pane shows.
 */
import { problem } from "../../helpers/scripted-service";
import { shown } from "../page";
import { openPane, type PaneBed } from "../pane-bed";

const gtin = (row: number): string => `0001234567${8900 + row}`;
const quantities = Array.from({ length: 6 }, (_, row) => `=INV.QTY(1234,"${gtin(row)}")`);
const marks = quantities.map((_, row) => `=INV.STATUS(1234,"${gtin(row)}",,TRUE)`);
const withoutQueries = ["=INV.ENV()", "=INV.EVENTTYPES()", '=INV.QTY("","")', '=INV.QTY("",1)'];
const formulas = [...quantities, ...marks, ...withoutQueries];
const settings = { "inv.environment": "demo" };

/** Every number of cells in the pane's text. */
function counts(): string[] {
  return [
    ...shown().matchAll(/\d+ of \d+ cells|\d+(?: [A-Za-z]+)? cells?\b|Refresh the \d+|cells done/g),
  ].map(([found]) => found);
}

function numbers(): Set<string> {
  return new Set(counts().flatMap((found) => found.match(/\d+/g) ?? []));
}

async function refresh(pane: PaneBed, end: RegExp): Promise<void> {
  await pane.press(/^Refresh$/);
  await pane.sees("Asking the service…");
  // A call is retried before it fails.
  await pane.clock.advance(120_000);
  await pane.sees(end);
  // The price is read again, and marks are calculated.
  await pane.clock.advance(3_000);
}

it("price, progress, end, stale cells, changes and the list of values count the same cells, before and after a reload", async () => {
  const pane = await openPane({ formulas, settings });
  const { demo } = pane.service;
  await pane.sees("6 cells: 1 request");
  await pane.sees("6 INV cells");
  expect([...numbers()]).toEqual(["6"]);

  demo.script(({ operation }) => (operation === "search" ? problem(503, "down") : undefined));
  await refresh(pane, /nothing refreshed\./);
  await pane.sees(/6 stale cells, (as of|of unknown age)/);
  expect([...numbers()]).toEqual(["6"]);
  // Nothing was answered, so there is nothing to say about changes.
  expect(shown()).not.toMatch(/changed|compared/);

  // A workbook that is opened during the outage knows only what its search finds.
  const during = await pane.reopen();
  await during.sees("6 cells: 1 request");
  expect([...numbers()]).toEqual(["6"]);
  await refresh(during, /nothing refreshed\./);
  await during.sees(/6 stale cells, (as of|of unknown age)/);
  expect([...numbers()]).toEqual(["6"]);

  // They are listed with their reason, although this session hasn't calculated them.
  await during.unfold("6 stale cells");
  await during.sees(/6 cells, (as of \d\d:\d\d|of unknown age): The service isn't available/);

  demo.script(() => undefined);
  demo.version = 1;
  await refresh(during, /6 cells refreshed/);
  await during.sees("6 cells changed.");
  await during.sees("6 INV cells");
  expect([...numbers()]).toEqual(["6"]);

  const after = await during.reopen();
  await after.sees("6 cells: 1 request");
  await after.sees("6 INV cells");
  // Two of them are calculated again, as if somebody had typed beside them.
  await after.workbook.onRecalculate([2, 3, 7, 13].map((row) => ({ sheet: "Plan", row, col: 2 })));
  await after.clock.advance(3_000);
  await after.sees("6 INV cells");
  await after.sees("6 cells: 1 request");
});

it("counts only these cells while a sheet is calculated for the first time", async () => {
  const pane = await openPane({ settings });
  await pane.sees("No INV formulas yet.");
  pane.service.demo.latencyMs = 8_000;
  const cells = formulas.map((_, row) => ({ sheet: "Plan", row: row + 1, col: 2 }));
  for (const [at, cell] of cells.entries()) pane.workbook.put(cell, formulas[at] ?? null);
  await pane.workbook.onRecalculate(cells);
  await pane.sees("6 cells waiting");
  await pane.unfold("6 INV cells");
  await pane.sees(/Waiting\s*6/);
  expect([...numbers()]).toEqual(["6"]);
  await pane.clock.advance(30_000);
  await pane.sees("6 cells: 1 request");
  expect(shown()).not.toMatch(/[Ww]aiting/);
  expect([...numbers()]).toEqual(["6"]);
});
