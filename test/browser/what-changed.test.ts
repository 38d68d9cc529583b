/**
 * Changes of a refresh, as the pane lists them: 10,000 changes in a narrow pane, which a person finds, filters and goes
 * to by mouse and by keyboard.
 */
import { openPane } from "./pane-host";
import { button, openTab, tabTo } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes } from "./support";

it("says how many of 10,000 changed, lists them in pages, selects a cell, and filters them", async () => {
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

  await pane.getByLabel("List", { exact: true }).selectOption("to-zero");
  await pane.getByText("store 1234, item 00012345678905: 100 cells").waitFor();
});
