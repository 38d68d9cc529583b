/** Problems in the browser workbook: refused items, and cells that show #NAME?. */
import type { Frame } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { eventually, problemsInBothThemes } from "./support";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;
let pane: Frame;

beforeAll(async () => {
  workbook = await openScratch({ width: 1500, height: 1000 });
  pane = workbook.pane();
});

it("a group of refused items shows each bad value and what was probably meant", async () => {
  const items = ["OOO12345678905", "OOO12345678912", "OOO12345678911"];
  const rows = items.map((gtin, row) => [1234, gtin, `=INV.QTY(A${row + 1},B${row + 1})`]);
  await workbook.write([scratch, 0, 0], rows);
  await workbook.select(scratch, 0, 4);
  await workbook.settled();
  await openTab(pane, "Inspect", "Problems");
  // The sample sheets also have refused entries. The pane reads a group only when it is open.
  const group = pane.locator("details", { hasText: "OOO12345678912" });
  const closed = pane.locator("#inv-panel-inspect .view:not([hidden]) details:not([open]) > summary");
  await eventually(async () => {
    if ((await closed.count()) > 0) await closed.first().click();
    expect([await closed.count(), await group.count()]).toEqual([0, 1]);
  });
  await group.getByText("item OOO12345678912").waitFor();
  await group.getByText("was 00012345678912 meant?").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
});

it("#NAME? is shown on Refresh, among the problems and where a list is checked, and entered again by the keyboard", async () => {
  const list = [
    ["Store", "GTIN"],
    [1234, "00012345678905"],
  ];
  await workbook.write([scratch, 10, 0], [["=INV.ENV()&Not_Yet_Known", "=Not_Yet_Known+1"]]);
  await workbook.write([scratch, 20, 3], list);
  await workbook.select(scratch, 21, 3);
  await workbook.settled();
  const notice = (tab: string) =>
    pane.locator(`#inv-panel-${tab}`).getByText("1 cell with an INV formula shows #NAME?");
  await openTab(pane, "Refresh");
  await notice("refresh").waitFor();
  await openTab(pane, "Inspect", "Check items");
  await button(pane, "Check").click();
  await notice("inspect").first().waitFor();
  await openTab(pane, "Inspect", "Problems");
  await notice("inspect").locator("visible=true").waitFor();
  await button(pane, "Enter it again").press("Enter");
  const onActivity = pane.locator("#inv-panel-inspect .view:not([hidden])");
  await onActivity.getByText("1 formula entered again.").waitFor();
  await onActivity.getByText("still shows #NAME?. Another name in it may be unknown").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  // Only developers of INV see the check of an Excel.
  await openTab(pane, "Settings");
  await pane.getByText("About INV").waitFor();
  expect(await button(pane, "Check this Excel").count()).toBe(0);
  expect(workbook.complaints).toEqual([]);
});
