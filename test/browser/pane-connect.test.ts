/** Connecting in Chromium: typed and remembered credentials, by keyboard, and what stays on the device. */
import { shownBy, storedBy } from "./kept";
import { openPane, productionLike, usableEnvironments, type OpenedPane } from "./pane-host";
import { button, connectTo, openTab, reloadPane, unfold } from "./pane-parts";
import { eventually, problemsInBothThemes } from "./support";

const secret = "demo-secret";

async function withProduction(): Promise<OpenedPane> {
  const opened = await openPane({ environments: [...(await usableEnvironments()), productionLike()] });
  await openTab(opened.pane, "Settings");
  await opened.pane.locator("#inv-environment").selectOption("production");
  return opened;
}

describe("secrets", () => {
  const hidden = [secret, "demo-consumer"];

  it("leave nothing at all behind when they are not to be remembered, and are not in the diagnostics", async () => {
    const { page, pane, settings } = await withProduction();
    await pane.locator("#inv-consumer-id").fill("demo-consumer");
    await pane.locator("#inv-client-secret").fill(secret);
    await page.keyboard.press("Enter");
    await pane.getByText(/Connected to Production/).waitFor();
    await pane.locator(".header-production").waitFor();
    expect(await problemsInBothThemes(pane)).toEqual([]);
    await eventually(async () => expect(await settings()).toMatchObject({ "inv.environment": "production" }));
    const kept = [await storedBy(pane), JSON.stringify(await settings()), page.url(), pane.url()].join();
    for (const text of hidden) expect(kept).not.toContain(text);
    expect(await shownBy(pane)).not.toContain(secret);

    await openTab(pane, "Settings");
    await unfold(pane, "Diagnostics");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(pane, "Copy diagnostics").click();
    await pane.getByText("Copied").waitFor();
    const diagnostics = await pane.evaluate(() => navigator.clipboard.readText());
    expect(diagnostics).toContain('"id": "production"');
    for (const text of hidden) expect(diagnostics).not.toContain(text);
  });

  it("are stored encrypted, used at the next start, and deleted when forgotten", async () => {
    const { pane, settings } = await withProduction();
    await connectTo(pane, "production", true);
    await pane.getByText(/Connected to Production/).waitFor();
    const kept = [await storedBy(pane), JSON.stringify(await settings())].join();
    expect(kept).toContain("inv-vault credentials: production");
    for (const text of hidden) expect(kept).not.toContain(text);

    await reloadPane(pane);
    await pane.locator(".header-production", { hasText: "Ready" }).waitFor();
    await openTab(pane, "Settings");
    await pane.getByText("remembered on this device").waitFor();
    await button(pane, "Forget").click();
    await pane.getByText(/has forgotten the credentials/).waitFor();
    await pane.locator("#inv-client-secret").waitFor();

    await reloadPane(pane);
    await pane.locator(".header-production", { hasText: "No credentials" }).waitFor();
  });
});

it("no button moves while a person presses it: sample stores are read when their fold is opened, below the buttons", async () => {
  const environments = (await usableEnvironments()).filter((each) => "embedded" in each).slice(0, 1);
  let asked = 0;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const { page, pane } = await openPane({ environments });
  await page.route("**/demo-data", (route) => {
    asked += 1;
    return isReleased.then(() => route.continue());
  });
  await reloadPane(pane);
  await pane.locator("#inv-consumer-id").waitFor();
  const texts = ["Continue without a connection", "Use test credentials", "Connect to"];
  const places = () =>
    Promise.all(texts.map((text) => pane.locator("button", { hasText: text }).boundingBox()));
  const before = await places();
  expect(asked).toBe(0);
  await unfold(pane, "Sample stores and items");
  await eventually(() => expect(asked).toBe(1));
  release();
  await pane.getByText(/^Stores to try: /).waitFor();
  expect(await places()).toEqual(before);
});

it("keeps the keyboard's place when a button makes itself disappear, and takes no focus from the grid", async () => {
  const { page, pane } = await withProduction();
  const focused = () =>
    pane.evaluate(() => {
      const { id, innerText } = document.activeElement as HTMLElement;
      return id === "" ? innerText : id;
    });
  await connectTo(pane, "production", false);
  await pane.getByText(/Connected to Production/).waitFor();
  await button(pane, "Change credentials").focus();
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await focused()).toBe("inv-consumer-id"));
  await button(pane, "Keep the earlier credentials").focus();
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await focused()).toBe("Change credentials"));
  await openTab(pane, "Templates");
  await pane.getByRole("button", { name: /Planning sheet/ }).focus();
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await focused()).toBe("All templates"));
  // Somebody goes to the grid before the click's work ends.
  await page.evaluate(() => {
    const cell = document.body.appendChild(document.createElement("input"));
    cell.id = "cell";
    cell.focus();
  });
  await pane.evaluate(() => document.querySelector<HTMLElement>(".buttons button:not([hidden] *)")?.click());
  await pane.getByRole("button", { name: /Receiving check/ }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("cell");
});
