/** The page started by Excel, as far as a stand-in for Office.js can tell: host, theme, settings, requirements. */
import type { Page } from "playwright-core";
import { controlsReady, openTab } from "./pane-parts";
import { eventually, openPage } from "./support";

interface Excel {
  readonly dark: boolean;
  readonly supports: readonly string[];
  readonly settings: Record<string, string>;
}

/** Runs in the page in place of office.js. */
function standIn(excel: Excel): void {
  const settings = new Map(Object.entries(excel.settings));
  const associated: string[] = [];
  Object.assign(window, {
    CustomFunctions: { associate: (id: string) => associated.push(id), associated },
    Excel: { run: () => Promise.reject(new Error("no workbook in the stand-in")) },
    Office: {
      onReady: () => Promise.resolve({ host: "Excel", platform: "PC" }),
      HostType: { Excel: "Excel" },
      EventType: { OfficeThemeChanged: "officeThemeChanged" },
      AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
      StartupBehavior: { load: "Load", none: "None" },
      VisibilityMode: { taskpane: "Taskpane", hidden: "Hidden" },
      actions: { associate: () => undefined },
      addin: {
        onVisibilityModeChanged: () => Promise.resolve(() => Promise.resolve()),
        setStartupBehavior: (behavior: string) => Promise.resolve(Reflect.set(window, "startup", behavior)),
      },
      context: {
        diagnostics: { host: "Excel", version: "16.0.1", platform: "PC" },
        requirements: { isSetSupported: (name: string) => excel.supports.includes(name) },
        officeTheme: { isDarkTheme: excel.dark },
        document: {
          addHandlerAsync: () => undefined,
          settings: {
            get: (key: string) => settings.get(key) ?? null,
            set: (key: string, value: string) => settings.set(key, value),
            saveAsync: (done: (result: { status: string }) => void) => done({ status: "succeeded" }),
          },
        },
      },
    },
  });
}

async function openInExcel(excel: Partial<Excel> = {}): Promise<{ page: Page; complaints: string[] }> {
  const whole: Excel = {
    dark: false,
    supports: ["SharedRuntime", "CustomFunctionsRuntime", "ExcelApi"],
    settings: {},
    ...excel,
  };
  const { page, complaints } = await openPage("/environments.json", { width: 350 });
  await page.route("https://appsforoffice.microsoft.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `(${String(standIn)})(${JSON.stringify(whole)})` }),
  );
  await page.goto(new URL("/taskpane.html", page.url()).href);
  await controlsReady(page);
  return { page, complaints };
}

describe("the page in Excel", () => {
  it("registers every function, asks for an environment, and never begins with the demo by itself", async () => {
    const { page, complaints } = await openInExcel();
    await page.locator(".band-none", { hasText: "No environment chosen" }).waitFor();
    const associated = await page.evaluate(() => {
      const functions = Reflect.get(window, "CustomFunctions") as unknown as { associated: string[] };
      return functions.associated;
    });
    expect(associated).toEqual(expect.arrayContaining(["QTY", "STOCK", "EVENTS", "ENV"]));
    await page.locator("fluent-button", { hasText: "Try with demo data" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("opens on the environment that the workbook names, in Excel's dark theme", async () => {
    const { page } = await openInExcel({ dark: true, settings: { "inv.environment": "demo" } });
    await page.locator(".band-demo", { hasText: "Ready" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await openTab(page, "Settings");
    await page.getByText("Excel 16.0.1 (PC)").waitFor();
  });

  it("says what an old Excel lacks", async () => {
    const { page } = await openInExcel({ supports: ["SharedRuntime", "CustomFunctionsRuntime"] });
    await page.getByText("This Excel is too old to refresh chosen cells. Update Excel.").waitFor();
  });

  it("marks the workbook to start INV when automatic refresh is turned on, and unmarks it", async () => {
    const { page } = await openInExcel({ settings: { "inv.environment": "demo" } });
    const startup = () => page.evaluate(() => Reflect.get(window, "startup") as unknown);
    await openTab(page, "Refresh");
    await page.locator("#inv-auto-refresh").selectOption("5");
    await eventually(async () => expect(await startup()).toBe("Load"));
    await page.locator("#inv-auto-refresh").selectOption("0");
    await eventually(async () => expect(await startup()).toBe("None"));
    await page.locator("#inv-auto-refresh").selectOption("10");
    await eventually(async () => expect(await startup()).toBe("Load"));
    // Another workbook on the same device: the stand-in begins with settings of its own.
    await page.goto(page.url());
    await controlsReady(page);
    await openTab(page, "Refresh");
    await page.locator("#inv-auto-refresh").waitFor();
    expect(await page.locator("#inv-auto-refresh").inputValue()).toBe("0");
    expect(await startup()).toBeUndefined();
  });
});
