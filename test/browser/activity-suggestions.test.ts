/** Grouped problems in the browser workbook: each row says what was wrong, and suggestions are written at a click, one undo. */
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";
import { openWorkbook } from "./workbook-page";

it("a group of refused items shows each bad value, and one click corrects what is sure", async () => {
  const workbook = await openWorkbook("/", { width: 1500, height: 1000 });
  const { page } = workbook;
  const pane = workbook.pane();
  const items = ["OOO12345678905", "OOO12345678912", "OOO12345678911"];
  await workbook.port(async (port, gtins) => {
    await port.addSheet("List");
    await port.write(
      { sheet: "List", row: 0, col: 0, rows: gtins.length, cols: 3 },
      gtins.map((gtin, row) => [1234, gtin, `=INV.QTY(A${row + 1},B${row + 1})`]),
    );
    await port.select({ sheet: "List", row: 0, col: 4, rows: 1, cols: 1 });
  }, items);
  await workbook.settled();
  await openTab(pane, "Activity");
  // The sample sheets have refused entries of their own beside these; a group is read when it is open.
  const group = pane.locator("details", { hasText: "OOO12345678912" });
  const closed = pane.locator("#inv-panel-activity details:not([open]) > summary");
  await eventually(async () => {
    if ((await closed.count()) > 0) await closed.first().click();
    expect([await closed.count(), await group.count()]).toEqual([0, 1]);
  });
  await group.getByText("item OOO12345678912").waitFor();
  await button(pane, "Write 00012345678912 into B2").waitFor();
  expect(await accessibilityProblems(pane)).toEqual([]);
  const columnB = async () => (await workbook.values("List", 0, 1, 3, 1)).map(([value]) => value);
  // The third would have a wrong check digit: only its own button writes it.
  await button(pane, /Apply \d+ suggestions/).click();
  await pane.getByText(/cells corrected; one Undo takes it back\./).waitFor();
  expect(await columnB()).toEqual(["00012345678905", "00012345678912", "OOO12345678911"]);
  await workbook.until(async () => typeof (await workbook.values("List", 1, 2, 1, 1))[0]?.[0] === "number");
  await page.mouse.click(500, 600);
  await page.keyboard.press("ControlOrMeta+z");
  await eventually(async () => expect(await columnB()).toEqual(items));
});
