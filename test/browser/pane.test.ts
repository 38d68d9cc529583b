/** The pane in Chromium: its tabs, both themes, keyboard only, and the page outside Excel. */
import type { Frame, Page } from "playwright-core";
import { builtInTemplates } from "../../src/workbook/templates/built-in";
import { openPane, productionLike, usableEnvironments } from "./pane-host";
import { button, firstView, openTab, tab, tabTo, unfold } from "./pane-parts";
import { drawnTheme, eventually, isCutOff, openPage, problemsInBothThemes, turnTo } from "./support";

const known = '=INV.QTY(1234,"00012345678905")';
const malformed = '=INV.QTY(1234,"12345")';
const tabs = ["Refresh", "Cell", "Templates", "Settings"] as const;

it("has no accessibility problem on any tab in either theme, and fits in 480, 320, 300 and 240 pixels with names of 200 letters", async () => {
  const environments = [...(await usableEnvironments()), productionLike({ label: "W".repeat(200) })];
  const formulas = [known, malformed];
  const { page, pane, complaints, answered } = await openPane({ width: 320, formulas, environments });
  const longNamed = {
    ...builtInTemplates()[0],
    id: "long",
    title: "W".repeat(60),
    summary: "Größe".repeat(30),
  };
  await page.route("**/templates.json", (route) => route.fulfill({ json: { templates: [longNamed] } }));
  await answered();
  const tabLines = () =>
    pane.evaluate(
      () =>
        new Set([...document.querySelectorAll("[role=tab]")].map((tab) => tab.getBoundingClientRect().top))
          .size,
    );
  /** Zooming to 200% halves the width of a page in CSS pixels, so 240 are 480 at that zoom. */
  async function expectFits(view: string): Promise<void> {
    for (const width of [480, 300, 240, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect([view, width, await isCutOff(pane)]).toEqual([view, width, false]);
      if (width >= 300) expect([view, width, await tabLines()]).toEqual([view, width, 1]);
    }
  }
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Templates") {
      await pane.getByText(longNamed.title).waitFor();
      for (const fold of ["Save this sheet", "Check a list", "Copy with values"]) await unfold(pane, fold);
      await button(pane, "Use the selected cells").waitFor();
    }
    if (name === "Settings") {
      await pane.locator("#inv-environment").selectOption("production");
      for (const fold of ["Values", "Automatic", "Quota", "Diagnostics"]) await unfold(pane, fold);
    }
    expect(await problemsInBothThemes(pane)).toEqual([]);
    await expectFits(name);
  }
  await pane.getByRole("tab", { name: "Refresh 1 cell with #VALUE!" }).waitFor();
  await openTab(pane, "Refresh");
  await unfold(pane, "without a number");
  await unfold(pane, "1 cell");
  expect(await problemsInBothThemes(pane)).toEqual([]);
  for (const theme of ["dark", "light"] as const) {
    await turnTo(pane, theme);
    await eventually(async () => expect(await drawnTheme(pane)).toBe(theme));
  }
  expect(complaints).toEqual([]);
});

describe("the first view of Refresh", () => {
  it.each(["light", "dark"] as const)(
    "has at most 70 words and needs no scrolling at 320 x 600, before and after a refresh, in %s",
    async (theme) => {
      const formulas = Array.from({ length: 40 }, (_, row) => `=INV.QTY(${1234 + row},"00012345678905")`);
      const { pane, answered } = await openPane({ theme, width: 320, height: 600, formulas });
      await answered();
      await openTab(pane, "Refresh");
      const cost = pane.getByText(/^40 cells: 40 requests, /);
      await cost.waitFor();
      for (const part of [".environment", ".header-state", ".stock"]) {
        expect([part, await pane.locator(part).count()]).toEqual([part, 1]);
      }
      const before = await firstView(pane);
      await button(pane, "Refresh").click();
      await pane
        .getByText(/40 cells refreshed|of 40 values updated|40 values updated/)
        .first()
        .waitFor();
      await pane
        .getByText(/ changed/)
        .first()
        .waitFor();
      await cost.waitFor();
      for (const view of [before, await firstView(pane)]) {
        expect(view.words.length).toBeGreaterThan(20);
        expect([view.words.length <= 70, view.words.join(" ")]).toEqual([true, expect.any(String)]);
        expect(view.heightPx).toBeLessThanOrEqual(600);
      }
    },
  );
});

describe("a pane without a connection", () => {
  it("shows the connection form and nothing else, and opens on Refresh once it is connected", async () => {
    const environments = [productionLike()];
    const { pane, complaints } = await openPane({ width: 320, environments });
    await pane.locator("#inv-environment").waitFor();
    expect(await pane.getByRole("tab").count()).toBe(0);
    expect(await pane.locator("summary:visible").count()).toBe(0);
    expect(await problemsInBothThemes(pane)).toEqual([]);
    expect(await isCutOff(pane)).toBe(false);
    await pane.locator("#inv-consumer-id").fill("demo-consumer");
    await pane.locator("#inv-client-secret").fill("demo-secret");
    await button(pane, "Connect to").click();
    await pane.getByText("Whole workbook").waitFor();
    expect(await tab(pane, "Refresh").getAttribute("aria-selected")).toBe("true");
    expect(complaints).toEqual([]);
  });
});

it("the environment is changed at one click from every tab, by mouse and keyboard", async () => {
  const { page, pane, answered } = await openPane({ formulas: [known] });
  await answered();
  const environment = pane.getByRole("button", { name: /^Demo: change the environment/ });
  for (const [at, name] of tabs.entries()) {
    await openTab(pane, name);
    if (at % 2 === 0) await environment.click();
    else await environment.press("Enter");
    await eventually(async () =>
      expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-environment"),
    );
  }
  await page.keyboard.press("Shift+Tab");
  expect(await tab(pane, "Settings").evaluate((one) => one === document.activeElement)).toBe(true);
});

describe("with only the keyboard", () => {
  /** Positions on the page that Tab reaches from the tab on, in order. */
  async function placesOf(page: Page, pane: Frame, name: string): Promise<{ top: number; left: number }[]> {
    await tab(pane, name).focus();
    const places: { top: number; left: number }[] = [];
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const place = await pane.evaluate(() => {
        const { activeElement } = document;
        if (activeElement === null || activeElement === document.body) return null;
        const { top, left } = activeElement.getBoundingClientRect();
        return activeElement.closest(".header") ? null : { top: top + window.scrollY, left };
      });
      if (place === null) break;
      places.push(place);
    }
    return places;
  }

  it("moves through each tab in reading order", async () => {
    const { page, pane, answered } = await openPane({ width: 320, formulas: [known, malformed] });
    await answered();
    for (const name of tabs) {
      await openTab(pane, name);
      // Wait for what the panel reads first.
      if (name === "Cell") await pane.getByRole("heading", { name: "Stock" }).waitFor();
      if (name === "Templates") await pane.locator(".template-card").first().waitFor();
      const places = await placesOf(page, pane, name);
      expect(places.length).toBeGreaterThan(1);
      const read = [...places].sort((a, b) =>
        Math.abs(a.top - b.top) > 8 ? a.top - b.top : a.left - b.left,
      );
      expect([name, places]).toEqual([name, read]);
    }
  });

  it("reaches every tab by arrow keys and works its controls, also while cells calculate", async () => {
    const { page, pane, answered } = await openPane({ formulas: [known] });
    await answered();
    await tab(pane, "Refresh").focus();
    for (const name of tabs.slice(1)) {
      await page.keyboard.press("ArrowRight");
      await eventually(async () => expect(await tab(pane, name).getAttribute("aria-selected")).toBe("true"));
    }
    const values = pane.locator("#inv-panel-settings summary", { hasText: "Values" });
    await tabTo(pane, values);
    await page.keyboard.press("Enter");
    await pane.locator("#inv-freshness").waitFor();
    await page.keyboard.press("Tab");
    expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-freshness");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("30");
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/relay/demo/search-items", (route) => held.then(() => route.continue()));
    await page.evaluate(async () => {
      const workbook = await window.invHost?.workbook;
      const area = { sheet: "Sheet1", row: 5, col: 0, rows: 1, cols: 1 };
      await workbook?.write(area, [['=INV.QTY(57,"00012345678905")']]);
    });
    await pane.locator(".header-state", { hasText: "Busy…" }).waitFor();
    release();
    await pane.locator(".header-state", { hasText: "Ready" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await pane.evaluate(() => document.activeElement?.id)).toBe("inv-ask-above");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await eventually(async () =>
      expect(await pane.evaluate(() => localStorage.getItem("inv.settings"))).toContain(
        '"freshnessMinutes":30,"whenUnanswered":"error"',
      ),
    );
  });

  it("refreshes by Enter, shows the cost before, and returns to the grid by F6", async () => {
    const { page, pane, answered, gridFocused } = await openPane({ formulas: [known] });
    await answered();
    await pane.getByText(/^1 cell: 1 request, /).waitFor();
    await tab(pane, "Refresh").focus();
    await page.keyboard.press("Tab");
    expect(await pane.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("workbook");
    await tabTo(pane, button(pane, "Refresh"));
    await page.keyboard.press("Enter");
    await pane
      .getByText(/1 cell refreshed|1 value/)
      .first()
      .waitFor();
    await page.keyboard.press("F6");
    await eventually(async () => expect(await gridFocused()).toBe(1));
  });
});

describe("the page without a host", () => {
  it("reports that the pane can't be loaded, and leaves no dead control", async () => {
    const { page } = await openPage("/environments.json", { width: 350 });
    await page.route("**/assets-addin/pane.*.js", (route) => route.abort());
    await page.goto(new URL("/taskpane.html", page.url()).href);
    await page
      .getByText("INV's functions work, but this pane doesn't. INV couldn't load a part of itself.")
      .waitFor();
    expect(await page.locator(".button, [role=tab]").count()).toBe(0);
  });

  it("says where it belongs, links to the browser workbook, and has registered the functions", async () => {
    const { page, complaints } = await openPage("/taskpane.html", { width: 320 });
    await page.getByRole("link", { name: "browser workbook" }).waitFor();
    const registered = await page.evaluate(() => {
      const functions = Reflect.get(window, "CustomFunctions") as unknown as {
        _association: { mappings: object };
      };
      return Object.keys(functions._association.mappings);
    });
    expect(registered).toEqual(expect.arrayContaining(["QTY", "EVENTS", "ENV"]));
    expect(complaints).toEqual([]);
    expect(await problemsInBothThemes(page)).toEqual([]);
  });

  it("names Office's library in its own source, where reviewers look for it", async () => {
    const { page } = await openPage("/environments.json");
    const source = await (await page.request.get(new URL("/taskpane.html", page.url()).href)).text();
    expect(source).toContain(
      '<script src="https://appsforoffice.microsoft.com/lib/1/hosted/office.js" defer>',
    );
  });

  it("the browser workbook's pane, opened by itself, says where it belongs and asks Microsoft for nothing", async () => {
    const { page, complaints } = await openPage("/workbook-pane.html", { width: 320 });
    await page.getByText("works only inside the browser workbook").waitFor();
    expect(await page.content()).not.toContain("appsforoffice");
    expect(complaints).toEqual([]);
  });

  it("says that Office's library can't be loaded", async () => {
    const { page } = await openPage("/environments.json");
    await page.route("https://appsforoffice.microsoft.com/**", (route) => route.abort());
    await page.goto(new URL("/taskpane.html", page.url()).href);
    await page.getByText(/Excel's library could not be loaded/).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });
});
