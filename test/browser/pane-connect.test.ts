/** Connecting in Chromium: testing, refusals, remembering, forgetting, changing the environment, the first run. */
import type { Frame } from "playwright-core";
import { shownBy, storedBy } from "./kept";
import { openPane, productionLike, usableEnvironments, type OpenedPane } from "./pane-host";
import { button, connectTo, controlsReady, openTab, reloadPane, tab } from "./pane-parts";
import { eventually, problemsInBothThemes } from "./support";

const known = '=INV.QTY(1234,"00012345678905")';
const secret = "demo-secret";

async function withProduction(
  settings: Record<string, string> = {},
  formulas: string[] = [],
): Promise<OpenedPane> {
  const environments = [...(await usableEnvironments()), productionLike()];
  const opened = await openPane({ environments, settings, formulas });
  await openTab(opened.pane, "Connect");
  await opened.pane.locator("#inv-environment").selectOption("production");
  return opened;
}

async function type(pane: Frame, consumerId: string, clientSecret: string): Promise<void> {
  await pane.locator("#inv-consumer-id input").fill(consumerId);
  await pane.locator("#inv-client-secret input").fill(clientSecret);
}

describe("connecting", () => {
  it("tests what is typed, trimmed, says why it is refused, and changes nothing that is in use", async () => {
    const { pane, settings, complaints } = await withProduction();
    await type(pane, "  demo-consumer ", ` ${secret}\n`);
    await button(pane, "Test connection").click();
    await pane.getByText(/The connection works/).waitFor();
    expect(complaints).toEqual([]);
    await type(pane, "demo-consumer", "wrong");
    await pane.getByText(/The connection works/).waitFor({ state: "detached" });
    await button(pane, "Test connection").click();
    const refusal = pane.locator(".message-error", { hasText: /refused/i });
    await refusal.first().waitFor();
    expect(await pane.locator(".band-demo").count()).toBe(1);
    expect(await settings()).toEqual({});
  });

  it("shows another demo account's refusal, and in the cells too when asked to", async () => {
    const { pane, values, answered } = await openPane({
      settings: { "inv.environment": "demo" },
      formulas: [known],
    });
    const before = await answered();
    await openTab(pane, "Connect");
    await button(pane, "Connect again").waitFor();
    await pane.locator("#inv-account").selectOption("unsubscribed");
    await pane.getByText("This workbook uses the account demo until you connect.").waitFor();
    await button(pane, "Connect to Demo").click();
    await pane.locator(".message-error", { hasText: "not subscribed" }).waitFor();
    expect(await values()).toEqual(before);
    await button(pane, "Use it anyway").click();
    await pane.getByText(/Inventory calls are stopped/).waitFor();
    await eventually(async () => expect(await values()).not.toEqual(before));
  });

  it("stores the environment in the workbook, recalculates every cell, and asks nothing by keyboard but Enter", async () => {
    const { page, pane, settings } = await withProduction({}, [known, known]);
    await type(pane, "demo-consumer", secret);
    await page.keyboard.press("Enter");
    await pane.getByText(/Connected to Production/).waitFor();
    await eventually(async () =>
      expect(await settings()).toMatchObject({
        "inv.environment": "production",
        "inv.mark": expect.any(String) as string,
      }),
    );
    await pane.locator(".band-production").waitFor();
    await pane.getByText(/still show/).waitFor({ state: "detached" });
    expect(await problemsInBothThemes(pane)).toEqual([]);
  });
});

it("the tab that a person has chosen stays when the environment becomes ready, though it was shown before", async () => {
  const { page, pane } = await openPane({ settings: { "inv.environment": "demo" } });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/environments.json", (route) => held.then(() => route.continue()));
  await pane.evaluate(() => location.reload());
  await pane.getByText("Reading the list of environments…").waitFor();
  await controlsReady(pane);
  await tab(pane, "Connect").click();
  release();
  await pane.locator(".band-demo", { hasText: "Ready" }).waitFor();
  await pane.locator("#inv-panel-connect").waitFor();
  expect(await pane.locator("#inv-panel-refresh").isVisible()).toBe(false);
});

describe("secrets", () => {
  const hidden = [secret, "demo-consumer"];

  it("leave nothing at all behind when they are not to be remembered, and are not in the diagnostics", async () => {
    const { page, pane, settings } = await withProduction();
    await type(pane, "demo-consumer", secret);
    await button(pane, "Connect to Production").click();
    await pane.getByText(/Connected to Production/).waitFor();
    const kept = [await storedBy(pane), JSON.stringify(await settings()), page.url(), pane.url()].join();
    for (const text of hidden) expect(kept).not.toContain(text);
    expect(await shownBy(pane)).not.toContain(secret);

    await openTab(pane, "Activity");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(pane, "Copy diagnostics").click();
    await pane.getByText("Copied").waitFor();
    const diagnostics = await pane.evaluate(() => navigator.clipboard.readText());
    expect(diagnostics).toContain('"id": "production"');
    for (const text of hidden) expect(diagnostics).not.toContain(text);
  });

  it("are remembered unreadably, used at the next start, and gone once forgotten", async () => {
    const { pane, settings } = await withProduction();
    await connectTo(pane, "production", true);
    await pane.getByText(/Connected to Production/).waitFor();
    const kept = [await storedBy(pane), JSON.stringify(await settings())].join();
    expect(kept).toContain("inv-vault credentials: production");
    for (const text of hidden) expect(kept).not.toContain(text);

    await reloadPane(pane);
    await pane.locator(".band-production", { hasText: "Ready" }).waitFor();
    await openTab(pane, "Connect");
    await pane.getByText("remembered on this device").waitFor();
    await button(pane, "Forget").click();
    await pane.getByText(/credentials are forgotten/).waitFor();
    await pane.locator("#inv-client-secret").waitFor();

    await reloadPane(pane);
    await pane.locator(".band-production", { hasText: "No credentials" }).waitFor();
  });
});

it("the first run fills a sample sheet with values, by one button", async () => {
  const { pane, values, settings } = await openPane();
  await openTab(pane, "Connect");
  await button(pane, "Try with demo data").click();
  await pane.locator("#inv-panel-refresh:visible").waitFor();
  await eventually(async () => {
    const numbers = (await values()).filter((value) => typeof value === "number");
    expect(numbers.length).toBeGreaterThan(100);
    expect(await settings()).toMatchObject({ "inv.environment": "demo" });
  });
});
