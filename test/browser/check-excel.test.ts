/**
 * "Check this Excel" in the browser workbook: its sheets are built, its formulas judge themselves with the demo's
 * stock, what only Excel can answer is told apart, and the sheets are taken out again.
 */
import { button, openTab } from "./pane-parts";
import { problemsInBothThemes } from "./support";
import { openWorkbook } from "./workbook-page";

it("is built, judges itself, gives its outcome as text, and is taken out again", async () => {
  const workbook = await openWorkbook("/?check=excel", { width: 1700, height: 1000 });
  const pane = workbook.pane();
  const names = () =>
    workbook.port(
      async (port) => (await port.sheets()).filter(({ visible }) => visible).map(({ name }) => name),
      null,
    );
  const before = await names();
  await openTab(pane, "Settings");
  await button(pane, "Check this Excel").press("Enter");
  const outcome = pane.getByLabel("What the check found");
  await outcome.waitFor({ timeout: 100_000 });
  const text = await outcome.inputValue();
  const lines = text.split("\n").slice(2);
  expect(lines.filter((line) => line.startsWith("DIFFERS"))).toEqual([]);
  expect(lines.filter((line) => line.startsWith("ok")).length).toBeGreaterThan(20);
  expect(lines.filter((line) => line.startsWith("not run"))).toEqual([]);
  expect(
    lines.filter((line) => line.startsWith("not here")).every((line) => line.includes("needs Excel")),
  ).toBe(true);
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await names()).toEqual([...before, "INV check data", "INV check by eye", "INV check"]);
  await button(pane, "Remove the check's sheets").click();
  await pane.getByText("The check's sheets are gone.").waitFor();
  expect(await names()).toEqual(before);
  expect(workbook.complaints).toEqual([]);
});
