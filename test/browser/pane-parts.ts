/** The parts of the pane as tests reach for them: buttons, tabs, and the pane when it is loaded again. */
import type { Frame, Locator, Page } from "playwright-core";
import { gone } from "./support";

/**
 * A button that can be pressed. Fluent gives its buttons their role where only assistive technology sees it, so they
 * are found by their text; and Playwright would click one that is disabled.
 */
export function button(pane: Page | Frame, text: string | RegExp): Locator {
  return pane.locator("fluent-button:visible:not([disabled])", { hasText: text });
}

export function tab(pane: Page | Frame, name: string): Locator {
  return pane.getByRole("tab", { name: new RegExp(`^${name}`) });
}

/** Turns to a tab; its panel is drawn then, and what comes as a chunk of its own is there. */
export async function openTab(pane: Page | Frame, name: string): Promise<void> {
  await tab(pane, name).click();
  const panel = pane.locator(`#inv-panel-${name.toLowerCase()}`);
  await panel.waitFor();
  await gone(panel.getByText("Loading…"));
}

/** Goes on by Tab until this has the keyboard. */
export async function tabTo(pane: Frame, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    if (await wanted.first().evaluate((element) => element.matches(":focus, :focus-within"))) return;
    await pane.page().keyboard.press("Tab");
  }
  throw new Error(`The keyboard did not come to ${String(wanted)}.`);
}

/** Chooses an environment, types the demo's credentials there, remembered or not, and connects. */
export async function connectTo(
  pane: Page | Frame,
  environment: string,
  isRemembered = false,
): Promise<void> {
  await openTab(pane, "Connect");
  await pane.locator("#inv-environment").selectOption(environment);
  await pane.locator("#inv-consumer-id input").fill("demo-consumer");
  await pane.locator("#inv-client-secret input").fill("demo-secret");
  if (isRemembered) await pane.getByRole("checkbox", { name: /Remember on this device/ }).check();
  await button(pane, "Connect to").click();
}

/** Fluent's components are registered: the keyboard reaches them. */
export async function controlsReady(pane: Page | Frame): Promise<void> {
  await pane.locator("fluent-tablist:defined").waitFor();
}

/** Loads the pane again; resolves when the new one's controls are at work. */
export async function reloadPane(pane: Frame): Promise<void> {
  await pane.evaluate(() => {
    Reflect.set(window, "isBeforeReload", true);
    location.reload();
  });
  await pane.waitForFunction(
    () =>
      !("isBeforeReload" in window) && document.querySelector("fluent-tablist")?.matches(":defined") === true,
  );
}
