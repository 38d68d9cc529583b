/** Finds and operates parts of the pane for tests: buttons, tabs, and reloading the pane. */
import type { Frame, Locator, Page } from "playwright-core";
import { gone } from "./support";

/** A visible button that isn't disabled: Playwright would also find a disabled one. */
export function button(pane: Page | Frame, text: string | RegExp): Locator {
  return pane.locator(".button:visible:not([disabled], [aria-disabled])", { hasText: text });
}

export function tab(pane: Page | Frame, name: string): Locator {
  return pane.getByRole("tab", { name: new RegExp(`^${name}`) });
}

/** Chooses a tab, leaving the connection form if it is shown. Resolves when the tab's chunk is loaded. */
export async function openTab(pane: Page | Frame, name: string): Promise<void> {
  const start = pane.getByRole("button", { name: "Continue without a connection" });
  await tab(pane, name).or(start).first().waitFor();
  // The pane draws tabs before it has the list, and removes them if nothing is connected.
  await gone(pane.getByText("Reading the list of environments…"));
  if (await start.isVisible()) await start.click();
  await tab(pane, name).click();
  const panel = pane.locator(`#inv-panel-${name.toLowerCase()}`);
  await panel.waitFor();
  await gone(panel.getByText("Loading…"));
}

/** Opens a part that is folded, or leaves it open. */
export async function unfold(pane: Page | Frame, title: string | RegExp): Promise<void> {
  const summary = pane.locator("details > summary:visible", { hasText: title }).first();
  const isOpen = await summary.evaluate((one) => (one.parentElement as HTMLDetailsElement).open);
  if (!isOpen) await summary.click();
}

/** Presses Tab until the wanted element has the focus. */
export async function tabTo(pane: Frame, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    if (await wanted.first().evaluate((element) => element.matches(":focus, :focus-within"))) return;
    await pane.page().keyboard.press("Tab");
  }
  throw new Error(`The keyboard did not come to ${String(wanted)}.`);
}

/** Chooses an environment, types the demo's credentials, remembered or not, and connects. */
export async function connectTo(
  pane: Page | Frame,
  environment: string,
  isRemembered = false,
): Promise<void> {
  await openTab(pane, "Settings");
  await pane.locator("#inv-environment").selectOption(environment);
  await pane.locator("#inv-consumer-id").fill("demo-consumer");
  await pane.locator("#inv-client-secret").fill("demo-secret");
  if (isRemembered) await pane.getByRole("checkbox", { name: /Remember on this device/ }).check();
  await button(pane, "Connect to").click();
}

export async function paneDrawn(pane: Page | Frame): Promise<void> {
  await pane.locator("[role=tablist]").waitFor({ state: "attached" });
}

export async function reloadPane(pane: Frame): Promise<void> {
  await pane.evaluate(() => {
    Reflect.set(window, "isBeforeReload", true);
    location.reload();
  });
  await pane.waitForFunction(
    () => !("isBeforeReload" in window) && document.querySelector("[role=tablist]") !== null,
  );
}

/** What a person can see at first, without text that is only for screen readers. */
export function firstView(pane: Page | Frame): Promise<{ words: string[]; heightPx: number }> {
  return pane.evaluate(() => {
    const words: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      if (parentElement === null || parentElement.closest(".spoken, script, style") !== null) continue;
      if (!parentElement.checkVisibility()) continue;
      words.push(...(node.textContent ?? "").split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)));
    }
    return { words, heightPx: document.documentElement.scrollHeight };
  });
}
