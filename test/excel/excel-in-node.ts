/**
 * Microsoft's runtime in its own context in Node, with our host behind its bridge. It provides what a page in Excel has as
 * `Excel` and `Office`, as far as the workbook adapter uses it. So proxies, loads, syncs and API sets are Microsoft's;
 * only the sheets are ours.
 */
import { createContext, Script } from "node:vm";
import type { OfficeGlobals } from "../../src/workbook/office/excel-batches";
import { createExcelHost, type ExcelHost } from "./host";
import { readMicrosoftRuntime } from "./microsoft-runtime";

export interface NodeExcel extends ExcelHost, OfficeGlobals {
  readonly runOptions: unknown[];
  readonly saved: Map<string, unknown>;
  failsToSave: boolean;
  /** Reading the settings returns nothing (reported, office-js 594). */
  readsEmpty: boolean;
  /** Keys of each save, in order. */
  readonly saves: string[][];
}

type Told = (result: { status: string }) => void;

function replace<K, V>(map: Map<K, V>, by: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}

let script: Script | undefined;

export function openExcel(...names: string[]): NodeExcel {
  return openExcelOn(new Map(), ...names);
}

/** An Excel with these sheets and a file's settings, which other people may also have open. */
export function openExcelOn(saved: Map<string, unknown>, ...names: string[]): NodeExcel {
  const host = createExcelHost(names);
  const office = createOffice(() => excel, saved);
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
  const microsoft = (page as unknown as { Excel: Microsoft }).Excel;
  teachValuesAsJson(microsoft.Range, host);
  const runOptions: unknown[] = [];
  const run = (...given: unknown[]): Promise<unknown> => {
    runOptions.push(given.length > 1 ? given[0] : null);
    return microsoft.run(...given.map((each) => (isPlain(each) ? within(context, each) : each)));
  };
  const excel: NodeExcel = Object.assign(host, {
    excel: { run } as OfficeGlobals["excel"],
    office: office as unknown as OfficeGlobals["office"],
    runOptions,
    saved,
    failsToSave: false,
    readsEmpty: false,
    saves: [],
  });
  return excel;
}

/** Calls `act` right before Excel receives each round trip, when another person may also act. */
export function beforeTrips(excel: NodeExcel, act: () => void): void {
  const { bridge } = excel;
  const send = bridge.sendMessageToHost.bind(bridge);
  bridge.sendMessageToHost = (text) => {
    act();
    send(text);
  };
}

interface Microsoft {
  readonly run: (...given: unknown[]) => Promise<unknown>;
  readonly Range: { readonly prototype: { _handleResult(answer: Record<string, unknown> | null): void } };
}

/** Adds `Range.valuesAsJson` (documented for ExcelApi 1.16): the installed Office.js is too old to have it. */
function teachValuesAsJson({ prototype }: Microsoft["Range"], host: ExcelHost): void {
  const { _handleResult: handle } = prototype;
  const answers = new WeakMap<object, unknown>();
  prototype._handleResult = function (answer) {
    handle.call(this, answer);
    if (answer !== null && "ValuesAsJson" in answer) answers.set(this, answer["ValuesAsJson"]);
  };
  Object.defineProperty(prototype, "valuesAsJson", {
    get(this: object) {
      return host.officeJsIsOld ? undefined : answers.get(this);
    },
  });
}

function createOffice(excel: () => NodeExcel, saved: ReadonlyMap<string, unknown>) {
  /** Read when the workbook is opened, and again when the add-in requests it. */
  const copy = new Map<string, unknown>(saved);
  return {
    onReady: () => Promise.resolve({ host: "Excel", platform: "PC" }),
    HostType: { Excel: "Excel" },
    context: {
      document: {
        settings: {
          get: (key: string) => copy.get(key) ?? null,
          set: (key: string, value: unknown) => void copy.set(key, value),
          remove: (key: string) => void copy.delete(key),
          // Saves all settings as the copy has them (documented for Office.Settings).
          saveAsync(callback: Told) {
            const { failsToSave, saved, saves } = excel();
            saves.push([...copy.keys()]);
            if (!failsToSave) replace(saved, copy);
            setImmediate(() => callback({ status: failsToSave ? "failed" : "succeeded" }));
          },
          refreshAsync(callback: Told) {
            replace(copy, excel().readsEmpty ? new Map() : excel().saved);
            setImmediate(() => callback({ status: "succeeded" }));
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

/** Creates options in the runtime's own realm: the runtime recognizes plain objects by their prototype. */
function within(context: object, value: object): unknown {
  return new Script(`(${JSON.stringify(value)})`).runInContext(context);
}
