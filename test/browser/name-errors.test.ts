/** Cells that show #NAME?: the pane counts them and enters them again, by the keyboard too, in light and dark. */
import { button, openTab } from "./pane-parts";
import { accessibilityProblems } from "./support";
import { openWithScratch, scratch } from "./workbook-page";

it("are told on the Refresh and Activity tabs and where a list is checked, and entered again by the keyboard", async () => {
  const workbook = await openWithScratch("/", { width: 1500, height: 1000 });
  const { page } = workbook;
  const pane = workbook.pane();
  await workbook.port(async (port, sheet) => {
    await port.write({ sheet, row: 0, col: 0, rows: 1, cols: 2 }, [
      ["=INV.ENV()&Not_Yet_Known", "=Not_Yet_Known+1"],
    ]);
    await port.write({ sheet, row: 0, col: 3, rows: 2, cols: 2 }, [
      ["Store", "GTIN"],
      [1234, "00012345678905"],
    ]);
    await port.select({ sheet, row: 1, col: 3, rows: 1, cols: 1 });
  }, scratch);
  await workbook.settled();
  const told = (tab: string) =>
    pane.locator(`#inv-panel-${tab}`).getByText("1 cell with an INV formula shows #NAME?");
  await openTab(pane, "Connect");
  await openTab(pane, "Refresh");
  await told("refresh").waitFor();
  await openTab(pane, "Look");
  await pane.getByRole("radio", { name: "Check items" }).click();
  await button(pane, "Check").click();
  await told("look").waitFor();
  await openTab(pane, "Activity");
  await told("activity").waitFor();
  expect(await accessibilityProblems(pane)).toEqual([]);
  await button(pane, "Enter it again").press("Enter");
  const onActivity = pane.locator("#inv-panel-activity");
  await onActivity.getByText("1 formula entered again.").waitFor();
  await onActivity.getByText("still shows #NAME?: another name in it may not be known").waitFor();
  await page.locator("#theme").click();
  await pane.locator("html[data-theme=dark]").waitFor();
  expect(await accessibilityProblems(pane)).toEqual([]);
  // Only whoever develops INV is offered to check an Excel.
  await openTab(pane, "Settings");
  await pane.getByText("About INV").waitFor();
  expect(await button(pane, "Check this Excel").count()).toBe(0);
  expect(workbook.complaints).toEqual([]);
});
