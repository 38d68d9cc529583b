/**
 * What a refresh has changed, as the pane lists it: 10,000 changes in a narrow pane, found, narrowed, gone to and copied
 * by mouse and by keyboard.
 */
import type { Frame } from "playwright-core";
import { openPane, type OpenedPane } from "./pane-host";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";

const width = 300;
const rowsOfGrid = 10_000;

/** A pane whose only formula has filled 10,000 cells, each with another number after the refresh. */
async function refreshed(theme: "light" | "dark" = "light"): Promise<OpenedPane> {
  const formulas = ['=INV.QTY(1234,"00012345678905")'];
  const opened = await openPane({ theme, width, formulas, spillsOver: rowsOfGrid });
  await opened.page.waitForFunction(() =>
    window.testHost.values().every((value) => typeof value === "number"),
  );
  await openTab(opened.pane, "Refresh");
  await button(opened.pane, "Refresh").click();
  await rows(opened.pane).first().waitFor();
  return opened;
}

const rows = (pane: Frame) => pane.getByRole("list", { name: "Changes" }).getByRole("listitem");

/** Goes on by Tab until this has the keyboard. */
async function tabTo({ page, pane }: OpenedPane, text: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    const isThere = await pane.evaluate(
      (wanted) => document.activeElement?.textContent.trim() === wanted,
      text,
    );
    if (isThere) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard did not come to ${text}.`);
}

it.each(["light", "dark"] as const)(
  "says how many of 10,000 changed and lists them page by page in 300 pixels, in %s",
  async (theme) => {
    const opened = await refreshed(theme);
    const { pane } = opened;
    await pane
      .getByText(/: 10,000 of 10,000 values of 1 formula changed, 100 went to zero, 101 came back\.$/)
      .waitFor();
    expect(await rows(pane).count()).toBe(50);
    expect(await rows(pane).first().innerText()).toMatch(
      /^Sheet1!C10001\s+\+9,999\s+before\s+0\s*→\s*after\s+9,999\s+store 1234, item 00012345678905$/,
    );
    await tabTo(opened, "Next");
    await opened.page.keyboard.press("Enter");
    await pane.getByText("51 to 100 of 10,000", { exact: true }).waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
    expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  },
);

it("goes to a cell, and is copied as a table in which items keep their zeros", async () => {
  const { page, pane } = await refreshed();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await pane.getByRole("button", { name: "Sheet1!C9999" }).click();
  await eventually(async () =>
    expect(await page.evaluate(() => window.testHost.selected)).toEqual([
      { sheet: "Sheet1", row: 9_998, col: 2, rows: 1, cols: 1 },
    ]),
  );
  const list = pane.getByLabel("List", { exact: true });
  await list.selectOption("more-than");
  await pane.getByLabel("Difference, up or down").fill("much");
  await pane.getByText("Expected a number of 0 or more.").waitFor();
  await list.selectOption("to-zero");
  await pane.getByText("100 of 10,000 changes", { exact: true }).waitFor();
  await button(pane, "Copy").click();
  await pane.getByText("100 rows copied. Paste them into a sheet.").waitFor();
  const text = await pane.evaluate(() => navigator.clipboard.readText());
  expect(text.split(/\r?\n/).slice(0, 2)).toEqual([
    "Cell\tStore\tItem\tBefore\tAfter\tDifference",
    'Sheet1!C10000\t1234\t="00012345678905"\t9998\t0\t-9998',
  ]);
});
