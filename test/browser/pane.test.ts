/** The pane in Chromium: its tabs, both themes, the keyboard alone, and what it costs. */
import { usableEnvironments, openPane, productionLike } from "./pane-host";
import { openTab, tab } from "./pane-parts";
import { accessibilityProblems, eventually, gone, openPage } from "./support";

const known = '=INV.QTY(1234,"00012345678905")';
const malformed = '=INV.QTY(1234,"12345")';
const tabs = ["Refresh", "Look", "Templates", "Activity", "Connect", "Settings"] as const;

async function settles(values: () => Promise<unknown[]>): Promise<unknown[]> {
  for (;;) {
    const found = await values();
    if (found.length > 0 && !found.includes("#BUSY!") && !found.includes(null)) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// Widths need not be tried in each theme: colours have none.
describe.each([
  ["light", 400],
  ["dark", 320],
] as const)("the pane in %s", (theme, width) => {
  it(`has no accessibility problem and nothing cut off on any tab at ${width} px`, async () => {
    const { pane, complaints, values } = await openPane({ theme, width, formulas: [known, malformed] });
    await settles(values);
    for (const name of tabs) {
      await openTab(pane, name);
      if (name === "Activity") await pane.locator("#inv-panel-activity summary").first().click();
      expect(await accessibilityProblems(pane)).toEqual([]);
      expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(complaints).toEqual([]);
  });

  it("follows the host's theme", async () => {
    const { pane } = await openPane({ theme });
    await eventually(async () => {
      const background = await pane.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = 0] = background.match(/\d+/g)?.map(Number) ?? [];
      if (theme === "dark") expect(red).toBeLessThan(80);
      else expect(red).toBeGreaterThan(200);
    });
  });
});

describe("values in the pane's host", () => {
  it("come from the demo without anybody typing, and problems are listed with their cell", async () => {
    const { page, pane, values } = await openPane({ formulas: [known, malformed] });
    const [quantity, refused] = await settles(values);
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
});

describe("the keyboard alone", () => {
  it("reaches every tab by arrow keys and works its controls", async () => {
    const { page, pane, values } = await openPane({ formulas: [known] });
    await settles(values);
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
    // What is typed stays while cells calculate and the pane is drawn again.
    await page.evaluate(async () => {
      const workbook = await window.invHost?.workbook;
      await workbook?.recalculate(await workbook.findFormulas(() => true));
    });
    await page.waitForTimeout(500);
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

  it("refreshes by Enter, and goes back to the grid by F6", async () => {
    const { page, pane, values, gridFocused } = await openPane({ formulas: [known] });
    await settles(values);
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

  it("refuses a freshness that is not a whole number of minutes, and says so", async () => {
    const { page, pane } = await openPane();
    await openTab(pane, "Settings");
    await pane.locator("#inv-freshness").fill("0");
    await page.keyboard.press("Tab");
    await pane.getByRole("alert").getByText("Expected a whole number from 1 to 1440; kept 15.").waitFor();
    await eventually(async () => expect(await pane.locator("#inv-freshness").inputValue()).toBe("15"));
  });
});

describe("the look of an environment", () => {
  it("is production by its kind, whatever its label says", async () => {
    const environments = [...(await usableEnvironments()), productionLike({ label: "Demo for the boss" })];
    const { pane } = await openPane({ environments, settings: { "inv.environment": "production" } });
    expect(await pane.locator(".band.band-production").textContent()).toContain("Production");
    const demo = await openPane({});
    expect(await demo.pane.locator(".band.band-demo").textContent()).toContain("not real stock");
    expect(await demo.pane.locator(".band-production").count()).toBe(0);
  });

  it("that is not set up says what to ask the administrator", async () => {
    const { pane } = await openPane();
    await openTab(pane, "Connect");
    await pane.locator("#inv-environment").selectOption("sandbox");
    await pane.getByText(/Sandbox is not set up yet\. Ask your administrator/).waitFor();
    await gone(pane.locator("fluent-button:visible", { hasText: "Connect to" }));
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
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("says so when Office's library cannot be had", async () => {
    const { page } = await openPage("/environments.json");
    await page.route("https://appsforoffice.microsoft.com/**", (route) => route.abort());
    await page.goto(new URL("/taskpane.html", page.url()).href);
    await page.getByText(/Excel's library could not be loaded/).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });
});
