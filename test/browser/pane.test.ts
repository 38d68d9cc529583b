/** The pane in Chromium: its tabs, both themes, the keyboard alone, and the page outside Excel. */
import { openPane } from "./pane-host";
import { openTab, tab } from "./pane-parts";
import { drawnTheme, eventually, isCutOff, openPage, problemsInBothThemes, turnTo } from "./support";

const known = '=INV.QTY(1234,"00012345678905")';
const malformed = '=INV.QTY(1234,"12345")';
const tabs = ["Refresh", "Look", "Templates", "Activity", "Connect", "Settings"] as const;

it("has no accessibility problem on any tab in either theme, and nothing cut off in 320 pixels", async () => {
  const { pane, complaints, answered } = await openPane({ width: 320, formulas: [known, malformed] });
  await answered();
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Activity") {
      await pane.getByRole("tab", { name: "Activity 1 cell not answered or mistyped" }).waitFor();
      await pane.locator("#inv-panel-activity summary").first().click();
    }
    expect(await problemsInBothThemes(pane)).toEqual([]);
    expect(await isCutOff(pane)).toBe(false);
  }
  for (const theme of ["dark", "light"] as const) {
    await turnTo(pane, theme);
    await eventually(async () => expect(await drawnTheme(pane)).toBe(theme));
  }
  expect(complaints).toEqual([]);
});

describe("the keyboard alone", () => {
  it("reaches every tab by arrow keys and works its controls, also while cells calculate", async () => {
    const { page, pane, answered } = await openPane({ formulas: [known] });
    await answered();
    await tab(pane, "Refresh").focus();
    for (const name of tabs.slice(1)) {
      await page.keyboard.press("ArrowRight");
      await eventually(async () => expect(await tab(pane, name).getAttribute("aria-selected")).toBe("true"));
    }
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
    await pane.locator(".band-state", { hasText: "Busy…" }).waitFor();
    release();
    await pane.locator(".band-state", { hasText: "Ready" }).waitFor();
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

  it("refreshes by Enter, with the price told before, and goes back to the grid by F6", async () => {
    const { page, pane, answered, gridFocused } = await openPane({ formulas: [known] });
    await answered();
    await pane.getByText(/^1 cell: 1 call, /).waitFor();
    await tab(pane, "Refresh").focus();
    await page.keyboard.press("Tab");
    expect(await pane.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("workbook");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await pane.getByText(/1 cell refreshed/).waitFor();
    await page.keyboard.press("F6");
    await eventually(async () => expect(await gridFocused()).toBe(1));
  });
});

describe("the page without a host", () => {
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

  it("says so when Office's library cannot be had", async () => {
    const { page } = await openPage("/environments.json");
    await page.route("https://appsforoffice.microsoft.com/**", (route) => route.abort());
    await page.goto(new URL("/taskpane.html", page.url()).href);
    await page.getByText(/Excel's library could not be loaded/).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });
});
