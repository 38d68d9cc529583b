/**
 * The pane's first frame, before Fluent's components are registered: it must look as the pane does
 * afterwards, to the pixel, or the user sees the controls jump.
 */
import type { Frame } from "playwright-core";
import { openPane, productionLike } from "./pane-host";
import { eventually, gone, openPage, origin, stillness } from "./support";

declare global {
  interface Window {
    registerHeld(): void;
  }
}

/** Runs in the page: keeps Fluent's components unregistered until told. */
function holdComponents(): void {
  const define = customElements.define.bind(customElements);
  const held: Parameters<typeof define>[] = [];
  customElements.define = (...definition) => {
    if (definition[0].startsWith("fluent-")) held.push(definition);
    else define(...definition);
  };
  window.registerHeld = () => {
    customElements.define = define;
    for (const definition of held) define(...definition);
  };
}

async function isRegistered(pane: Frame): Promise<boolean> {
  return pane.evaluate(() => document.querySelector("fluent-button")?.matches(":defined") ?? false);
}

/**
 * The parts of the pane that look different once the components are registered, and what has moved. The
 * selected tab, where there is one, is compared by its place alone: Fluent puts the line below it between two pixels.
 */
async function changes(pane: Frame, parts: readonly string[]): Promise<string[]> {
  const selected = pane.locator("fluent-tab[aria-selected=true]");
  const look = async (): Promise<string[]> => {
    const seen = [JSON.stringify(await selected.boundingBox())];
    for (const part of parts) {
      const picture = await pane.locator(part).first().screenshot({ animations: "disabled" });
      seen.push(picture.toString("base64"));
    }
    return seen;
  };
  expect(await isRegistered(pane)).toBe(false);
  let before = await look();
  // What the pane shows by itself has come when it looks the same twice.
  await eventually(async () => {
    const earlier = before;
    before = await look();
    expect(before).toEqual(earlier);
  });
  await pane.evaluate(() => window.registerHeld());
  expect(await isRegistered(pane)).toBe(true);
  await stillness(pane);
  const after = await look();
  return ["the selected tab", ...parts].filter((_, index) => after[index] !== before[index]);
}

describe.each(["light", "dark"] as const)("the pane's first frame in %s", (theme) => {
  it("shows tabs, count of problems and buttons as they will be", async () => {
    const { pane } = await openPane({
      theme,
      before: holdComponents,
      componentsHeld: true,
      settings: { "inv.environment": "demo" },
      formulas: ['=INV.QTY(1234,"00012345678905")', '=INV.QTY(1234,"12345")'],
    });
    await pane.locator(".badge").waitFor();
    await pane.locator(".stock").waitFor();
    await pane
      .getByText(/2 cells|1 cell/)
      .first()
      .waitFor();
    expect(
      await changes(pane, ["#inv-tab-inspect", "#inv-tab-build", "#inv-tab-settings", ".buttons"]),
    ).toEqual([]);
  });

  it("shows the credentials' fields as they will be", async () => {
    const { pane } = await openPane({
      theme,
      before: holdComponents,
      componentsHeld: true,
      environments: [productionLike()],
      settings: { "inv.environment": "production" },
    });
    await pane.locator("#inv-client-secret").waitFor();
    expect(await changes(pane, ["#inv-consumer-id", "#inv-client-secret", "form fluent-button"])).toEqual([]);
    expect(await pane.locator("#inv-consumer-id input").getAttribute("spellcheck")).toBe("false");
  });
});

describe("the components that the first frame does not wait for", () => {
  it("are on their way while the pane is loaded", async () => {
    const { pane } = await openPane();
    const preloads = await pane.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=preload]")].map(({ href }) => href),
    );
    expect(preloads).toContain(new URL("addin.fluent.js", origin).href);
  });

  it("are told about when they cannot be loaded, and no dead control is left", async () => {
    const { page } = await openPage("/environments.json", { width: 350 });
    await page.route("**/addin.fluent.js", (route) => route.abort());
    await page.goto(new URL("/taskpane.html", origin).href);
    await page.getByText("INV's functions work, but its pane could not be loaded.").waitFor();
    await gone(page.locator("fluent-button, fluent-tab"));
  });
});
