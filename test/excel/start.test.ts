/** The add-in's start in Excel when something is late, hidden or missing: the pane says so, and no cell waits forever. */
import { until } from "../helpers/until";
import { openInExcel } from "./excel-in-browser";

const connected = { settings: { "inv.environment": "demo" } };

it("without the add-in's script, the pane says so and offers to try again, and Excel stops waiting", async () => {
  const { page, host, functionsWhenReady } = await openInExcel({ ...connected, withoutAddin: true });
  await page.getByText("INV's functions could not be loaded from its server").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await until(() => host.functions.isReady());
  expect(functionsWhenReady()).toBe(0);
});

it("reports that Excel doesn't answer, and shows the reason in waiting cells", async () => {
  const { page } = await openInExcel({ ...connected, officeAnswers: false, clock: true });
  await page.locator("script[src='addin.js']").waitFor({ state: "attached" });
  await page.waitForFunction(() => "QTY" in window.CustomFunctions._association.mappings);
  const waiting = page.evaluate(() => {
    const { QTY } = window.CustomFunctions._association.mappings;
    return Promise.resolve(QTY?.([[1234]], [["00012345678905"]])).catch((error: unknown) => String(error));
  });
  await page.clock.runFor(16_000);
  await page.getByText("Excel has not answered INV yet").waitFor();
  await page.clock.runFor(50_000);
  expect(await waiting).toContain("Excel has not answered INV yet");
});

it("a pane that starts hidden is drawn when Excel shows it", async () => {
  const { page, host } = await openInExcel({
    ...connected,
    before: () => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }),
  });
  await until(() => host.functions.isReady());
  expect(await page.locator("[role=tablist]").count()).toBe(0);
  // The add-in starts to listen only at some point of its start, so the event is repeated until it does.
  await until(async () => {
    host.showPane();
    return (await page.locator("[role=tablist]").count()) > 0;
  });
});

declare global {
  interface Window {
    CustomFunctions: {
      _association: { mappings: Record<string, (...given: unknown[]) => Promise<unknown>> };
    };
  }
}
