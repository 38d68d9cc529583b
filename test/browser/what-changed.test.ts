/**
 * Changes of a refresh, as the pane lists them: 10,000 changes in a narrow pane, which a person finds, filters, goes to
 * and copies by mouse and by keyboard.
 */
import { openPane } from "./pane-host";
import { button, openTab, tabTo } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes } from "./support";

it("says how many of 10,000 changed, lists them page by page, goes to a cell, and copies a table", async () => {
  // The only formula fills 10,000 cells, and each shows another number after the refresh.
  const formulas = ['=INV.QTY(1234,"00012345678905")'];
  const { page, pane, answered } = await openPane({ width: 300, formulas, spillsOver: 10_000 });
  await answered();
  await openTab(pane, "Refresh");
  await button(pane, "Refresh").click();
  await pane.getByText(/: 10,000 values changed, 100 went to zero, 101 came back\.$/).waitFor();
  await pane.getByText("store 1234, item 00012345678905: 10,000 cells").click();
  const rows = pane.getByRole("list", { name: "Changes of store 1234" }).getByRole("listitem");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(50);
  expect(await rows.first().innerText()).toMatch(
    /^Sheet1!C10001\s+\+9,999\s+before\s+0\s*→\s*after\s+9,999\s*$/,
  );
  await pane.getByRole("button", { name: "Sheet1!C9999" }).click();
  await eventually(async () =>
    expect(await page.evaluate(() => window.testHost.selected)).toEqual([
      { sheet: "Sheet1", row: 9_998, col: 2, rows: 1, cols: 1 },
    ]),
  );
  await tabTo(pane, button(pane, "Next"));
  await page.keyboard.press("Enter");
  await pane.getByText("51 to 100 of 10,000", { exact: true }).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);

  const list = pane.getByLabel("List", { exact: true });
  await list.selectOption("more-than");
  await pane.getByLabel("Difference, up or down").fill("much");
  await pane.getByText("Enter a number of 0 or more.").waitFor();
  await list.selectOption("to-zero");
  await pane.getByText("100 of 10,000 changes", { exact: true }).waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(pane, "Copy").click();
  await pane.getByText("100 rows copied. Paste them into a sheet.").waitFor();
  const text = await pane.evaluate(() => navigator.clipboard.readText());
  // Items keep their leading zeros.
  expect(text.split(/\r?\n/).slice(0, 2)).toEqual([
    "Cell\tStore\tItem\tBefore\tAfter\tDifference",
    '="Sheet1!C10000"\t1234\t="00012345678905"\t9998\t0\t-9998',
  ]);
});
