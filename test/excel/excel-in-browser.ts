/**
 * The built add-in in Chromium as in Excel's page. Microsoft's runtime replaces Office's address. Our host is behind the
 * runtime's bridge in the test's own process, as Excel is a different process from the page. The parts of `Office`
 * beyond the runtime (host, context, settings) are simulated.
 */
import type { Page } from "playwright-core";
import { openPage, type OpenOptions } from "../browser/support";
import { createExcelHost, type ExcelHost } from "./host";
import { readMicrosoftRuntime } from "./microsoft-runtime";

export interface ExcelPageOptions extends OpenOptions {
  readonly sheets?: readonly string[];
  /** Settings in the workbook at the start. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Milliseconds until the add-in's own script arrives. */
  readonly addinDelayMs?: number;
  /** The add-in's own script doesn't load. */
  readonly withoutAddin?: boolean;
  /** Whether Office reports the host at once, or never. */
  readonly officeAnswers?: boolean;
  /** The page's time stands still until the test moves it. */
  readonly clock?: boolean;
  readonly isDark?: boolean;
  /** Days are counted from 1904. */
  readonly countsFrom1904?: boolean;
  /** Requirement sets and versions that this Excel lacks, such as `CustomFunctionsRuntime 1.4`. */
  readonly lacks?: readonly string[];
}

export interface ExcelPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly host: ExcelHost;
  /** Number of functions when the runtime reported to Excel that it is ready; null before. */
  functionsWhenReady(): number | null;
}

/** Opens the pane's page. Resolves when it has loaded, before functions are ready. */
export async function openInExcel(options: ExcelPageOptions = {}): Promise<ExcelPage> {
  const { settings = {}, addinDelayMs = 0, officeAnswers = true, lacks = [], sheets = ["Sheet1"] } = options;
  const { isDark = false } = options;
  const host = createExcelHost(sheets);
  host.countsFrom1904 = options.countsFrom1904 ?? false;
  const { page, complaints } = await openPage("/environments.json", { width: 350, ...options });
  if (options.clock) await page.clock.install();
  let whenReady: number | null = null;

  await page.exposeFunction("toExcel", (text: string, functions: number) => {
    if (text.includes("_SetOsfControlContainerReadyForCustomFunctions")) whenReady ??= functions;
    host.bridge.sendMessageToHost(text);
  });
  let delivered: Promise<unknown> = Promise.resolve();
  host.bridge.onMessageFromHost = (text) => {
    delivered = delivered
      .then(() => deliver(page, text))
      // The page may be closed when a late answer arrives.
      .catch(() => undefined);
  };
  const start = JSON.stringify({ settings, officeAnswers, isDark, lacks });
  const script = `(${String(standIn)})(${start});\n${readMicrosoftRuntime()}`;
  await page.route("https://appsforoffice.microsoft.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body: script }),
  );
  await page.route("**/addin.js", async (route) => {
    if (options.withoutAddin) return route.abort();
    await new Promise((resolve) => setTimeout(resolve, addinDelayMs));
    return route.continue();
  });
  await page.goto(new URL("/taskpane.html", page.url()).href);
  return { page, complaints, host, functionsWhenReady: () => whenReady };
}

/**
 * Delivers a message in pieces. The driver reads its arguments on the page's thread. For a message of some megabytes, this
 * takes longer than all of Microsoft's runtime's own work, and Excel has no such driver.
 */
async function deliver(page: Page, text: string): Promise<void> {
  for (let from = 0; from < text.length; from += pieceLength) {
    const piece = text.slice(from, from + pieceLength);
    const isLast = from + pieceLength >= text.length;
    await page.evaluate(([next, isWhole]) => window.fromExcel(next, isWhole), [piece, isLast] as const);
  }
}

const pieceLength = 100_000;

declare global {
  interface Window {
    /** Receives a piece of a message. `isLast` marks the last piece. */
    fromExcel(piece: string, isLast: boolean): void;
  }
}

interface Start {
  readonly settings: Record<string, string>;
  readonly officeAnswers: boolean;
  readonly isDark: boolean;
  readonly lacks: readonly string[];
}

/** Runs in the page before Microsoft's runtime, so it can't use anything outside the function. */
function standIn({ settings: stored, officeAnswers, isDark, lacks }: Start): void {
  const settings = new Map(Object.entries(stored));
  const page = window as unknown as Record<string, unknown>;
  const toExcel = page["toExcel"] as (text: string, functions: number) => void;
  const associated = (): number => {
    const functions = page["CustomFunctions"] as { _association?: { mappings: object } } | undefined;
    return Object.keys(functions?._association?.mappings ?? {}).length;
  };
  const bridge = { sendMessageToHost: (text: string) => toExcel(text, associated()) };
  const isLower = (version: string, than: string): boolean => {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const [thanMajor = 0, thanMinor = 0] = than.split(".").map(Number);
    return major < thanMajor || (major === thanMajor && minor < thanMinor);
  };
  const isSetSupported = (name: string, version: string | number = "1.1"): boolean =>
    lacks.every((each) => {
      const [set, from = "0"] = each.split(" ");
      return set !== name || isLower(String(version), from);
    });
  const pieces: string[] = [];
  const told = { host: "Excel", platform: "PC" };
  const onReady = (callback?: (info: object) => void): Promise<object> => {
    if (!officeAnswers) return new Promise(() => undefined);
    return Promise.resolve(told).then((info) => (callback?.(info), info));
  };
  Object.assign(page, {
    _richApiNativeBridge: bridge,
    fromExcel(piece: string, isLast: boolean) {
      pieces.push(piece);
      if (!isLast) return;
      const text = pieces.splice(0).join("");
      (bridge as { onMessageFromHost?: (text: string) => void }).onMessageFromHost?.(text);
    },
    // Flag 2 means a page with custom functions.
    OSF: { DDA: {}, _OfficeAppFactory: { getHostInfo: () => ({ flags: 2, hostPlatform: "win32" }) } },
    OSFAriaLogger: { AriaLogger: {} },
    CustomFunctionMappings: page["CustomFunctionMappings"] ?? {},
    Office: {
      onReady,
      HostType: { Excel: "Excel" },
      EventType: { OfficeThemeChanged: "officeThemeChanged" },
      AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
      context: {
        diagnostics: { host: "Excel", version: "16.0.1", platform: "PC" },
        requirements: { isSetSupported },
        officeTheme: { isDarkTheme: isDark },
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
