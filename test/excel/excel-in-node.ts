/**
 * Microsoft's runtime in a context of its own in Node, with a host of ours behind its bridge: what a page
 * in Excel has as `Excel` and `Office`, as far as the workbook adapter uses it. Proxies, loads, syncs and
 * API sets are thereby Microsoft's, and only the sheets behind them are ours.
 */
import { createContext, Script } from "node:vm";
import type { OfficeGlobals } from "../../src/workbook/office/session";
import { createExcelHost, type ExcelHost } from "./host";
import { readMicrosoftRuntime } from "./microsoft-runtime";

export interface NodeExcel extends ExcelHost, OfficeGlobals {
  /** Options given to Excel.run. */
  readonly runOptions: unknown[];
  /** Settings in the file. */
  readonly saved: Map<string, unknown>;
  failsToSave: boolean;
}

let script: Script | undefined;

/** An Excel with these sheets. */
export function openExcel(...names: string[]): NodeExcel {
  const host = createExcelHost(names);
  const office = createOffice(() => excel);
  const page = {
    Office: office,
    OSF: { DDA: {}, _OfficeAppFactory: { getHostInfo: () => ({ flags: 0, hostPlatform: "win32" }) } },
    OSFAriaLogger: { AriaLogger: {} },
    _richApiNativeBridge: host.bridge,
    navigator: { userAgent: "" },
    ...{ console, fetch, performance, setTimeout, clearTimeout },
  };
  const context = createContext(Object.assign(page, { window: page, self: page }));
  script ??= new Script(readMicrosoftRuntime(), { filename: "microsoft-runtime.js" });
  script.runInContext(context);
  const microsoft = (page as unknown as { Excel: { run: (...given: unknown[]) => Promise<unknown> } }).Excel;
  const runOptions: unknown[] = [];
  const run = (...given: unknown[]): Promise<unknown> => {
    runOptions.push(given.length > 1 ? given[0] : null);
    return microsoft.run(...given.map((each) => (isPlain(each) ? within(context, each) : each)));
  };
  const excel: NodeExcel = Object.assign(host, {
    excel: { run } as OfficeGlobals["excel"],
    office: office as unknown as OfficeGlobals["office"],
    runOptions,
    saved: new Map<string, unknown>(),
    failsToSave: false,
  });
  return excel;
}

function createOffice(excel: () => NodeExcel) {
  const unsaved = new Map<string, unknown>();
  return {
    onReady: () => Promise.resolve({ host: "Excel", platform: "PC" }),
    HostType: { Excel: "Excel" },
    context: {
      document: {
        settings: {
          get: (key: string) => unsaved.get(key) ?? excel().saved.get(key) ?? null,
          set: (key: string, value: unknown) => void unsaved.set(key, value),
          saveAsync(callback: (result: { status: string }) => void) {
            const { failsToSave, saved } = excel();
            if (!failsToSave) for (const [key, value] of unsaved) saved.set(key, value);
            setImmediate(() => callback({ status: failsToSave ? "failed" : "succeeded" }));
          },
        },
      },
      requirements: {
        isSetSupported: (set: string, version?: number | string) =>
          set !== "ExcelApi" || Number(String(version).split(".")[1]) <= excel().excelApi,
      },
    },
  };
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Options must be of the runtime's own realm: it knows plain objects by their prototype. */
function within(context: object, value: object): unknown {
  return new Script(`(${JSON.stringify(value)})`).runInContext(context);
}
