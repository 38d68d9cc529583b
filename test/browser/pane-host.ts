/**
 * The pane beside a minimal host: the built page in a frame, as in the browser workbook, with a small and simple workbook.
 * The workbook's formulas are INV calls with plain arguments. The functions that the page registered calculate them against
 * the real server. A test can give the frame its own list of environments.
 */
import type { Frame, Page } from "playwright-core";
import { paneDrawn } from "./pane-parts";
import { type OpenOptions, openPage, origin } from "./support";

interface HostStart {
  readonly formulas?: readonly string[];
  /** Settings in the workbook at the start. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PaneOptions extends OpenOptions, HostStart {
  /** Replaces the server's `environments.json`. */
  readonly environments?: readonly object[];
  /** Another server than the tests' own. */
  readonly server?: string;
}

export interface OpenedPane {
  readonly page: Page;
  readonly pane: Frame;
  readonly complaints: string[];
  /** Current values of the formula cells. */
  values(): Promise<unknown[]>;
  /** Values of the formula cells once each has its final one. */
  answered(): Promise<unknown[]>;
  settings(): Promise<Record<string, string>>;
  gridFocused(): Promise<number>;
}

/** An environment whose kind is production, answered by the server's demo. Tests use it for appearance and consent. */
export function productionLike(change: object = {}): object {
  return {
    id: "production",
    label: "Production",
    kind: "production",
    tokenUrl: "/relay/demo/token",
    searchUrl: "/relay/demo/search-items",
    eventsUrl: "/relay/demo/events",
    quota: { search: 600, events: 600 },
    credentials: "user",
    ...change,
  };
}

/** The environments that the server lists and can use. */
export async function usableEnvironments(): Promise<object[]> {
  const response = await fetch(new URL("environments.json", origin));
  const { environments } = (await response.json()) as { environments: object[] };
  return environments.filter((entry) => !("configured" in entry));
}

export async function openPane(options: PaneOptions = {}): Promise<OpenedPane> {
  const { formulas = [], environments, server = origin } = options;
  const first = new URL("/environments.json", server);
  const { page, complaints } = await openPage(first.href, { width: 360, ...options });
  await serveHost(page, options);
  if (environments) {
    await page.route("**/environments.json", (route) => route.fulfill({ json: { environments } }));
  }
  await page.goto(new URL("/pane-host.html", server).href);
  const pane = page.frames().find((frame) => frame.url().endsWith("/workbook-pane.html"));
  if (!pane) throw new Error("The host page has no pane.");
  await paneDrawn(pane);
  const values = () => page.evaluate(() => window.testHost.values());
  return {
    page,
    pane,
    complaints,
    values,
    async answered() {
      await page.waitForFunction((count) => {
        const shown = window.testHost.values().filter((value) => value !== "#BUSY!" && value !== null);
        return shown.length === count;
      }, formulas.length);
      return values();
    },
    settings: () => page.evaluate(() => window.testHost.settings),
    gridFocused: () => page.evaluate(() => window.testHost.gridFocused),
  };
}

/** Serves the host as `/pane-host.html`, to the page and its frames. */
export async function serveHost(page: Page, options: HostStart): Promise<void> {
  const { formulas, settings } = options;
  const start = JSON.stringify({ formulas, settings });
  await page.route("**/pane-host.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><html lang="en"><title>Host</title><link rel="stylesheet" href="pane-host.css"><script src="pane-host.js"></script><iframe src="/workbook-pane.html" title="INV"></iframe>',
    }),
  );
  await page.route("**/pane-host.css", (route) =>
    route.fulfill({
      contentType: "text/css",
      body: "body{margin:0}iframe{border:0;width:100vw;height:100vh;display:block}",
    }),
  );
  await page.route("**/pane-host.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `(${String(hostScript)})(${start})` }),
  );
}

declare global {
  interface Window {
    testHost: {
      values(): unknown[];
      settings: Record<string, string>;
      gridFocused: number;
      selected: unknown[];
    };
  }
}

/** Runs in the page, so it can't use anything outside the function. */
function hostScript({ formulas = [], settings = {} }: HostStart): void {
  type Implementation = (...parameters: unknown[]) => unknown;
  type Ref = { sheet: string; row: number; col: number };
  type Cell = Ref & { formula: string; value: unknown };
  const functions = new Map<string, Implementation>();
  const cells: Cell[] = [];
  const state = { settings: { ...settings }, gridFocused: 0, selected: [] as unknown[] };

  class HostError extends Error {
    constructor(
      readonly code: string,
      message?: string,
    ) {
      super(message);
    }
  }

  function calculate(cell: Cell): void {
    const [, name = "", list = ""] = /^=INV\.([A-Z]+)\((.*)\)$/.exec(cell.formula) ?? [];
    const implementation = functions.get(name);
    if (!implementation) return;
    const given = list === "" ? [] : (JSON.parse(`[${list}]`) as unknown[]);
    const matrices = name === "QTY" || name === "UPDATED" || name === "STATUS";
    const parameters = given.map((value) => (matrices ? [[value]] : value));
    cell.value = "#BUSY!";
    const address = `${cell.sheet}!${String.fromCharCode(65 + cell.col)}${cell.row + 1}`;
    const invocation = { address, functionName: name };
    void Promise.resolve()
      .then(() => implementation(...parameters, invocation))
      .then((result) => {
        cell.value = Array.isArray(result) ? (result as unknown[][])[0]?.[0] : result;
      })
      .catch((error: unknown) => {
        const { code = "#VALUE!", message = "" } = error as { code?: string; message?: string };
        cell.value = `${code} ${message}`;
      });
  }

  const same = (a: Ref, b: Ref): boolean => a.sheet === b.sheet && a.row === b.row && a.col === b.col;
  const selection = { sheet: "Sheet1", row: 1, col: 2, rows: 1, cols: 1 };
  const listeners: ((areas: unknown) => void)[] = [];
  const sheets = ["Sheet1"];
  function shown(ref: Ref): unknown {
    const value = cells.find((cell) => same(cell, ref))?.value;
    return typeof value === "string" && value.startsWith("#")
      ? { error: value.split(" ")[0] }
      : (value ?? null);
  }

  const workbook = {
    sheets: async () => sheets.map((name) => ({ id: name, name, visible: true })),
    addSheet: async (name: string) => {
      sheets.push(name);
      return name;
    },
    read: async ({ rows }: { rows: number }) => Array.from({ length: rows }, () => [null]),
    contentsOf: async (areas: (Ref & { rows: number })[]) =>
      areas.map((area) =>
        Array.from({ length: area.rows }, (_, r) => [shown({ ...area, row: area.row + r })]),
      ),
    extents: async (asked: Ref[]) => asked.map((ref) => ({ ...ref, rows: 1, cols: 1, isSharedArray: false })),
    calculated: async () => {},
    write: async (area: Ref, rows: unknown[][]) => {
      const at = (row: number, col: number): unknown => rows[row - area.row]?.[col - area.col];
      rows.forEach((line, row) =>
        line.forEach((content, col) => {
          if (typeof content !== "string" || !content.startsWith("=INV.QTY(")) return;
          // References to the same block become their values, which is all that the sample sheet needs.
          const formula = content.replace(/([A-Z])(\d+)/g, (text, letter: string, digits: string) => {
            const value = at(Number(digits) - 1, letter.charCodeAt(0) - 65);
            return value === undefined ? text : JSON.stringify(value);
          });
          const cell = { sheet: area.sheet, row: area.row + row, col: area.col + col, formula, value: null };
          cells.push(cell);
          calculate(cell);
        }),
      );
    },
    format: async () => {},
    highlight: async () => {},
    note: async () => {},
    addTable: async () => {},
    addChart: async () => false,
    tables: async () => [],
    names: async () => [],
    usedArea: async (sheet: string) => {
      const own = cells.filter((cell) => cell.sheet === sheet);
      const rows = Math.max(0, ...own.map(({ row }) => row + 1));
      const cols = Math.max(0, ...own.map(({ col }) => col + 1));
      return own.length === 0 ? null : { sheet, row: 0, col: 0, rows, cols };
    },
    deleteSheet: async (name: string) => void sheets.splice(sheets.indexOf(name), 1),
    findFormulas: async (matches: (formula: string) => boolean) =>
      cells
        .filter(({ formula }) => matches(formula))
        .map(({ sheet, row, col, formula }) => ({ sheet, row, col, formula })),
    recalculate: async (refs: Ref[]) => {
      for (const ref of refs) for (const cell of cells) if (same(ref, cell)) calculate(cell);
      return [];
    },
    onEdit: () => () => {},
    onBeyondLimit: () => {},
    onSelection: (listener: (areas: unknown) => void) => {
      listeners.push(listener);
      listener([selection]);
      return () => {};
    },
    select: async (area: unknown) => void state.selected.push(area),
    setting: async (key: string) => state.settings[key] ?? null,
    setSetting: async (key: string, value: string) => {
      state.settings[key] = value;
    },
    step: (work: (workbook: unknown) => Promise<unknown>) => work(workbook),
  };

  Object.assign(window, {
    invHost: {
      customFunctions: {
        associate: (id: string, implementation: Implementation) => functions.set(id, implementation),
        Error: HostError,
        ErrorCode: { notAvailable: "#N/A", invalidValue: "#VALUE!" },
      },
      workbook: Promise.resolve(workbook),
      onTheme: (listener: (theme: string) => void) => {
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const tell = () => listener(dark.matches ? "dark" : "light");
        dark.addEventListener("change", tell);
        tell();
        return () => {};
      },
      onCommand: () => {},
      showPane: () => {},
      focusGrid: () => (state.gridFocused += 1),
      showStock: () => undefined,
      editedFormula: () => null,
    },
    testHost: Object.assign(state, { values: () => cells.map(({ value }) => value) }),
  });

  // Excel calculates as soon as the functions are registered, while the add-in still starts.
  const waiting = setInterval(() => {
    if (!functions.has("QTY")) return;
    clearInterval(waiting);
    formulas.forEach((formula, index) => {
      const cell = { sheet: "Sheet1", row: index + 1, col: 2, formula, value: null };
      cells.push(cell);
      calculate(cell);
    });
  }, 5);
}
