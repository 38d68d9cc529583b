/** The pane in Excel, as far as a simulated Excel can show: environment, theme, and starting with the workbook. */
import { openInExcel } from "../excel/excel-in-browser";
import { paneDrawn, openTab, unfold } from "./pane-parts";
import { eventually } from "./support";

const connected = { settings: { "inv.environment": "demo" } };

it("opens on the environment that the workbook names, in Excel's dark theme", async () => {
  const { page } = await openInExcel({ ...connected, isDark: true });
  await page.locator(".header-demo", { hasText: "Ready" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  await openTab(page, "Settings");
  await unfold(page, "About INV");
  await page.getByText("Excel 16.0.1 (PC)").waitFor();
});

it("says that times show four years late in a workbook that counts days from 1904, and only there", async () => {
  const old = await openInExcel({ ...connected, countsFrom1904: true });
  await old.page.getByText("so INV's times show four years late").waitFor();
  const usual = await openInExcel(connected);
  await usual.page.locator(".header-demo", { hasText: "Ready" }).waitFor();
  expect(await usual.page.getByText("counts days from 1904").count()).toBe(0);
});

it("marks the workbook to start INV when automatic refresh is turned on, and unmarks it", async () => {
  const { page } = await openInExcel(connected);
  await paneDrawn(page);
  await page.evaluate(() => {
    Office.addin.setStartupBehavior = (behavior) =>
      Promise.resolve(void Reflect.set(window, "startup", behavior));
  });
  const chosen = async (minutes: string, startup: string) => {
    await page.locator("#inv-auto-refresh").selectOption(minutes);
    await eventually(async () => expect(await page.evaluate("window.startup")).toBe(startup));
  };
  await openTab(page, "Settings");
  await unfold(page, "Automatic refresh");
  await chosen("5", "Load");
  await chosen("0", "None");
});
