/** A workbook that this device has not seen asks once before it uses remembered credentials. */
import type { Page } from "playwright-core";
import { openPane, productionLike, usableEnvironments } from "./pane-host";
import { button, connectTo, openTab, reloadPane } from "./pane-parts";
import { accessibilityProblems, eventually, gone, type Theme } from "./support";
import { openWorkbook } from "./workbook-page";

const refused = "#VALUE! Open the INV pane to allow Production for this workbook.";
const known = '=INV.QTY(1234,"00012345678905")';
const question = /This workbook asks for Production, with your remembered credentials/;

const paneOf = (page: Page) => page.frames().find((frame) => frame.url().endsWith("/taskpane.html"))!;

/** The one cell has a number. */
async function filled(values: () => Promise<unknown[]>): Promise<void> {
  await eventually(async () => expect(await values()).toEqual([expect.any(Number)]));
}

/** Credentials are remembered on this device; then another workbook comes, as by mail. */
async function openMailed(settings: Record<string, string>, theme: Theme = "light") {
  const environments = [...(await usableEnvironments()), productionLike()];
  const opened = await openPane({ environments, settings, formulas: [known], theme, width: 350 });
  const { page, pane } = opened;
  await connectTo(pane, "production", true);
  await pane.locator(".band-production", { hasText: "Ready" }).waitFor();
  // The host forgets what was stored in its workbook and begins with the given settings again.
  const sent: string[] = [];
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) sent.length = 0;
  });
  page.on("request", (request) => {
    if (request.url().includes("/relay/")) sent.push(request.url());
  });
  await page.reload();
  return { ...opened, pane: paneOf(page), sent };
}

describe.each<Theme>(["light", "dark"])("a workbook that names Production, unseen, in %s", (theme) => {
  it("sends nothing and says in its cells where to allow it; a yes by keyboard fills them, once and for all", async () => {
    const { page, pane, values, sent, settings } = await openMailed(
      { "inv.environment": "production" },
      theme,
    );
    await pane.getByText(question).waitFor();
    await eventually(async () => expect(await values()).toEqual([refused]));
    expect(sent).toEqual([]);
    expect(await accessibilityProblems(pane)).toEqual([]);

    const connect = pane.locator(".notices fluent-button", { hasText: "Connect" });
    for (let press = 0; press < 10; press += 1) {
      await page.keyboard.press("Tab");
      if (await connect.evaluate((element) => element.matches(":focus-within, :focus"))) break;
    }
    await page.keyboard.press("Enter");
    await gone(pane.getByText(question));
    await filled(values);
    await eventually(async () =>
      expect(await settings()).toMatchObject({
        "inv.environment": "production",
        "inv.mark": expect.any(String) as string,
      }),
    );

    // The add-in starts again in the same workbook.
    await reloadPane(pane);
    const later = paneOf(page);
    await later.locator(".band-production", { hasText: "Ready" }).waitFor();
    expect(await later.getByText(question).count()).toBe(0);
  });
});

describe("an unseen workbook", () => {
  it("that names no environment but came with formulas asks as well; a no sends nothing and can be changed", async () => {
    const { pane, values, sent } = await openMailed({});
    await pane.getByText(question).waitFor();
    await button(pane, "Not now").click();
    await gone(pane.getByText(question));
    await eventually(async () => expect(await values()).toEqual([refused]));
    expect(sent).toEqual([]);
    await openTab(pane, "Connect");
    await pane.getByText("remembered on this device").waitFor();
    await button(pane, "Connect to Production").click();
    await pane.locator(".band-production", { hasText: "Ready" }).waitFor();
    await filled(values);
  });

  it("that names the demo needs no question", async () => {
    const { pane, values } = await openMailed({ "inv.environment": "demo" });
    await pane.locator(".band-demo").waitFor();
    await filled(values);
    expect(await pane.getByText(question).count()).toBe(0);
  });
});

describe("the browser workbook", () => {
  it("asks as Excel does when its workbook came from elsewhere, and its cells fill on a yes", async () => {
    const environments = [...(await usableEnvironments()), productionLike()];
    const workbook = await openWorkbook();
    const { page } = workbook;
    await page.route("**/environments.json", (route) => route.fulfill({ json: { environments } }));
    const restarted = async () => {
      await reloadPane(workbook.pane());
      return workbook.pane();
    };
    const first = await restarted();
    await connectTo(first, "production", true);
    await first.locator(".band-production", { hasText: /Ready|Working/ }).waitFor();
    // As if another device had allowed it: a mark that this one never gave.
    await workbook.until(
      async () => (await workbook.port((port) => port.setting("inv.mark"), null)) !== null,
    );
    await workbook.port((port) => port.setSetting("inv.mark", "of another device"), null);
    const later = await restarted();
    await later.getByText(question).waitFor();
    await later.locator(".notices fluent-button", { hasText: "Connect" }).click();
    await later.locator(".band-production", { hasText: /Ready|Working/ }).waitFor();
    await workbook.until(
      async () => (await workbook.port((port) => port.setting("inv.environment"), null)) === "production",
    );
    await workbook.until(
      async () => (await workbook.port((port) => port.setting("inv.mark"), null)) !== "of another device",
    );
    await page.context().close();
  });
});
