/** The pane in Chromium: its tabs, both themes, the keyboard alone, and the page outside Excel. */
import { openPane } from "./pane-host";
import { openTab, tab } from "./pane-parts";
import { drawnTheme, eventually, gone, isCutOff, openPage, problemsInBothThemes, turnTo } from "./support";

const known = '=INV.QTY(1234,"00012345678905")';
const malformed = '=INV.QTY(1234,"12345")';
const tabs = ["Refresh", "Look", "Templates", "Activity", "Connect", "Settings"] as const;

it("has no accessibility problem on any tab in either theme, and nothing cut off in 320 pixels", async () => {
  const { pane, complaints, answered } = await openPane({ width: 320, formulas: [known, malformed] });
  await answered();
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Activity") await pane.locator("#inv-panel-activity summary").first().click();
    expect(await problemsInBothThemes(pane)).toEqual([]);
    expect(await isCutOff(pane)).toBe(false);
  }
  expect(complaints).toEqual([]);
});

it("follows the host's theme", async () => {
  const { pane } = await openPane();
  for (const theme of ["dark", "light"] as const) {
    await turnTo(pane, theme);
    await eventually(async () => expect(await drawnTheme(pane)).toBe(theme));
  }
});

it("has values from the demo without anybody typing, and lists problems with their cell", async () => {
  const { page, pane, answered } = await openPane({ formulas: [known, malformed] });
  const [quantity, refused] = await answered();
  expect(quantity).toEqual(expect.any(Number));
  expect(refused).toMatch(/^#VALUE! .*GTIN/);
  await pane.getByRole("tab", { name: "Activity 1 cell not answered or mistyped" }).click();
  await pane.locator("#inv-panel-activity summary").first().click();
  await pane.getByRole("button", { name: "Sheet1!C3" }).click();
  await eventually(async () =>
    expect(await page.evaluate(() => window.testHost.selected)).toEqual([
      { sheet: "Sheet1", row: 2, col: 2, rows: 1, cols: 1 },
    ]),
  );
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

  it("is told that a freshness is no whole number of minutes", async () => {
    const { page, pane } = await openPane();
    await openTab(pane, "Settings");
    await pane.locator("#inv-freshness").fill("0");
    await page.keyboard.press("Tab");
    await pane.getByRole("alert").getByText("Expected a whole number from 1 to 1440; kept 15.").waitFor();
    await eventually(async () => expect(await pane.locator("#inv-freshness").inputValue()).toBe("15"));
  });
});

it("an environment that is not set up says what to ask the administrator", async () => {
  const { pane } = await openPane();
  await openTab(pane, "Connect");
  await pane.locator("#inv-environment").selectOption("sandbox");
  await pane.getByText(/Sandbox is not set up yet\. Ask your administrator/).waitFor();
  await gone(pane.locator("fluent-button:visible", { hasText: "Connect to" }));
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
