/** Connecting in Chromium: testing, refusals, remembering, forgetting, changing the environment, the first run. */
import type { Frame, Page, Request } from "playwright-core";
import { openPane, productionLike, usableEnvironments, type OpenedPane } from "./pane-host";
import { button, controlsReady, openTab, tab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";

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

/** Everything the browser keeps for this page, as text. */
async function everythingKept(page: Page, pane: Frame): Promise<string> {
  const stored = await pane.evaluate(async () => {
    const texts = [
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      document.cookie,
    ];
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name ?? ""));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        for (const entry of (await finished(objects.getAll())) as { data?: ArrayBuffer }[]) {
          texts.push(JSON.stringify(entry));
          if (entry.data) texts.push(new TextDecoder("latin1").decode(entry.data));
        }
      }
      database.close();
    }
    return texts.join("\n");
  });
  const settings = JSON.stringify(await page.evaluate(() => window.testHost.settings));
  return [stored, settings, page.url(), pane.url()].join("\n");
}

describe("connecting", () => {
  it("tests what is typed, trimmed, without changing what is in use", async () => {
    const { pane, settings, complaints } = await withProduction();
    await type(pane, "  demo-consumer ", ` ${secret}\n`);
    await button(pane, "Test connection").click();
    await pane.getByText(/The connection works/).waitFor();
    expect(await pane.locator(".band-demo").count()).toBe(1);
    expect(await settings()).toEqual({});
    expect(complaints).toEqual([]);
    await type(pane, "demo-consumer2", secret);
    await pane.getByText(/The connection works/).waitFor({ state: "detached" });
  });

  it("shows another demo account's refusal, and in the cells too when asked to", async () => {
    const { pane, values } = await openPane({
      settings: { "inv.environment": "demo" },
      formulas: [known],
    });
    await eventually(async () => expect(await values()).toEqual([expect.any(Number)]));
    await openTab(pane, "Connect");
    await button(pane, "Connect again").waitFor();
    await pane.locator("#inv-account").selectOption("unsubscribed");
    await pane.getByText("This workbook uses the account demo until you connect.").waitFor();
    await button(pane, "Connect to Demo").click();
    await pane.locator(".message-error", { hasText: "not subscribed" }).waitFor();
    expect(await values()).toEqual([expect.any(Number)]);
    await button(pane, "Use it anyway").click();
    await pane.getByText(/Inventory calls are stopped/).waitFor();
    await eventually(async () => expect(await values()).not.toEqual([expect.any(Number)]));
  });

  it("says why credentials are refused, and changes nothing", async () => {
    const { pane } = await withProduction();
    await type(pane, "demo-consumer", "wrong");
    await button(pane, "Test connection").click();
    await pane
      .locator(".message-error", { hasText: /refused/i })
      .first()
      .waitFor();
    expect(await pane.locator(".band-demo").count()).toBe(1);
  });

  it("names a service that cannot be reached, and may use it anyway", async () => {
    const { page, pane } = await withProduction();
    await page.route("**/relay/**", (route) => route.abort());
    await type(pane, "demo-consumer", secret);
    await button(pane, "Connect to Production").click();
    await pane.locator(".message-error").first().waitFor();
    await button(pane, "Use it anyway").click();
    await pane.locator(".band-production").waitFor();
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
    expect(await accessibilityProblems(pane)).toEqual([]);
  });
});

describe("the tab that a person has chosen", () => {
  it("stays when the environment becomes ready, though it was shown before it was chosen", async () => {
    const { page, pane } = await openPane({ settings: { "inv.environment": "demo" } });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/environments.json", async (route) => {
      await held;
      await route.continue();
    });
    await pane.evaluate(() => location.reload());
    await pane.getByText("Reading the list of environments…").waitFor();
    await controlsReady(pane);
    await tab(pane, "Connect").click();
    release();
    await pane.locator(".band-demo", { hasText: "Ready" }).waitFor();
    await pane.locator("#inv-panel-connect").waitFor();
    expect(await pane.locator("#inv-panel-refresh").isVisible()).toBe(false);
  });
});

describe("a slow attempt", () => {
  it("has no effect once the person has turned to another environment", async () => {
    const { page, pane, settings } = await withProduction({}, [known]);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let first: Request | null = null;
    await page.route("**/relay/demo/token", async (route) => {
      if (first === null) {
        first = route.request();
        await held;
      }
      await route.continue().catch(() => undefined);
    });
    const ended = new Promise<void>((resolve) => {
      const end = (request: Request) => (request === first ? resolve() : undefined);
      page.on("requestfinished", end).on("requestfailed", end);
    });
    await type(pane, "demo-consumer", secret);
    await button(pane, "Connect to Production").click();
    await pane.getByText("Connecting…").waitFor();
    await eventually(() => {
      expect(first).not.toBeNull();
    });
    await pane.locator("#inv-environment").selectOption("demo");
    await button(pane, "Connect").first().click();
    await pane.getByText(/Connected to Demo|The connection works/).waitFor();
    release();
    await ended;
    await page.waitForTimeout(300);
    expect(await pane.locator(".band-demo").count()).toBe(1);
    expect(await settings()).toMatchObject({ "inv.environment": "demo" });
  });
});

describe("secrets", () => {
  it("leave nothing at all behind when they are not to be remembered", async () => {
    const { page, pane } = await withProduction();
    await type(pane, "demo-consumer", secret);
    await button(pane, "Connect to Production").click();
    await pane.getByText(/Connected to Production/).waitFor();
    const kept = await everythingKept(page, pane);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain("demo-consumer");
    expect(await pane.evaluate(() => document.body.innerHTML)).not.toContain(secret);
  });

  it("are remembered unreadably, used at the next start, and gone once forgotten", async () => {
    const { page, pane } = await withProduction();
    await type(pane, "demo-consumer", secret);
    await pane.getByRole("checkbox", { name: /Remember on this device/ }).check();
    await button(pane, "Connect to Production").click();
    await pane.getByText(/Connected to Production/).waitFor();
    const kept = await everythingKept(page, pane);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain("demo-consumer");

    await page.reload();
    const later = page.frames().find((frame) => frame.url().endsWith("/taskpane.html"))!;
    await later.locator(".band-production", { hasText: "Ready" }).waitFor();
    await openTab(later, "Connect");
    await later.getByText("remembered on this device").waitFor();
    await button(later, "Forget").click();
    await later.getByText(/credentials are forgotten/).waitFor();
    await later.locator("#inv-client-secret").waitFor();

    await page.reload();
    const last = page.frames().find((frame) => frame.url().endsWith("/taskpane.html"))!;
    await last.locator(".band-production", { hasText: "No credentials" }).waitFor();
  });

  it("are not in the diagnostics", async () => {
    const { page, pane } = await withProduction();
    await type(pane, "demo-consumer", secret);
    await button(pane, "Connect to Production").click();
    await pane.getByText(/Connected to Production/).waitFor();
    await openTab(pane, "Activity");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(pane, "Copy diagnostics").click();
    await pane.getByText(/Copied|clipboard is closed/).waitFor();
    const area = pane.locator("textarea");
    const text =
      (await area.count()) > 0
        ? await area.inputValue()
        : await pane.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain('"id": "production"');
    expect(text).not.toContain(secret);
    expect(text).not.toContain("demo-consumer");
  });
});

describe("the first run", () => {
  it("fills a sample sheet with values within seconds, by one button", async () => {
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
});
