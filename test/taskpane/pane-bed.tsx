/**
 * The pane with everything that it has in Excel: engine, connection, cells and refresher, on a virtual clock. A test provides
 * only a workbook in memory whose plain INV formulas are calculated, a scripted service for each environment, and the
 * files beside the add-in.
 */
import { render } from "preact";
import { compose } from "../../src/addin/compose";
import { createObservable } from "../../src/domain/notices";
import type { EnvironmentEntry } from "../../src/domain/environment";
import { functionsById } from "../../src/functions/preview";
import { Pane } from "../../src/taskpane/pane";
import type { PaneServices } from "../../src/taskpane/services";
import type { Theme } from "../../src/workbook/browser-host";
import { withKind } from "../../src/workbook/cell-content";
import type { CellContent, CellRef, CellValue } from "../../src/workbook/port";
import { cellAddresses, cellKey, parseCellAddress } from "../../src/workbook/addresses";
import { aDevice } from "../connection/device";
import { shownBy, withHost } from "../functions/fakes";
import { createScriptedService, type ScriptedService } from "../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";
import { createMemoryWorkbook, type MemoryWorkbook } from "../workbook/memory-workbook";
import { press, root, shown, turnTo, type, unfold } from "./page";

export interface PaneBed {
  readonly clock: VirtualClock;
  readonly workbook: MemoryWorkbook;
  /** By the environment's id. */
  readonly service: Readonly<Record<(typeof kinds)[number], ScriptedService>>;
  readonly services: PaneServices;
  /** The files beside the add-in, by path. A promise is a slow file. */
  readonly files: Record<string, unknown>;
  /** The values that the formulas show. */
  values(): CellValue[];
  press(words: string | RegExp): Promise<void>;
  openTab(name: string): Promise<void>;
  /** Opens a group by its heading. */
  unfold(words: string): Promise<void>;
  /** Types into a field, or chooses from a list, by its id. */
  type(id: string, value: string): Promise<void>;
  /** Lets time pass until the pane shows this. */
  sees(words: string | RegExp): Promise<void>;
  /** Closes the workbook and opens it again: nothing is calculated, and cells show what the file contains. */
  reopen(): Promise<PaneBed>;
}

const kinds = ["demo", "production"] as const;

export interface PaneOptions {
  /** Formulas below each other in column C of Plan. */
  readonly formulas?: readonly string[];
  /** Settings in the workbook. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Replace demo and production. */
  readonly environments?: readonly EnvironmentEntry[];
  readonly device?: Readonly<Record<string, string>>;
  /** The device's database, with which INV can remember credentials. */
  readonly indexedDB?: IDBFactory;
  /** Delays the list of environments. */
  readonly until?: Promise<void>;
  /** The clipboard. */
  readonly copyText?: (text: string) => Promise<void>;
  /** Replaces some of the services. */
  readonly instead?: (services: PaneServices) => Partial<PaneServices>;
}

withHost();
afterEach(() => render(null, root));

/** Draws the pane after all formulas of the workbook are calculated. */
export async function openPane(options: PaneOptions = {}, before?: PaneBed): Promise<PaneBed> {
  const encryption = new Set<Promise<unknown>>();
  const clock = before?.clock ?? createVirtualClock({ realWork: encryption });
  const workbook = before?.workbook ?? createMemoryWorkbook(["Plan"]);
  const service = before?.service ?? {
    demo: createScriptedService({ clock, environmentId: "demo" }),
    production: createScriptedService({ clock, environmentId: "production" }),
  };
  const environments = options.environments ?? [
    { ...service.demo.connection.environment, label: "Demo", accounts: [account("demo"), account("rival")] },
    { ...service.production.connection.environment, label: "Production", kind: "production" },
  ];
  const files: Record<string, unknown> = {
    "environments.json": (options.until ?? Promise.resolve()).then(() => ({ environments })),
    "templates.json": { templates: [] },
  };
  for (const [key, value] of Object.entries(options.settings ?? {})) await workbook.setSetting(key, value);
  if (before === undefined) calculates(workbook);
  const cells = (options.formulas ?? []).map((_, row): CellRef => ({ sheet: "Plan", row: row + 1, col: 2 }));
  const { services: composed } = compose(
    {
      facts: {
        kind: "excel",
        description: "Excel of a test",
        lacks: [],
        countsFrom1904: createObservable(false),
      },
      theme: createObservable<Theme>("light"),
      workbook: Promise.resolve(workbook),
      partition: "",
      focusGrid: null,
      showStock: null,
      dialogs: null,
      editedFormula: null,
      formatsTimes: true,
      takesAllTexts: true,
      onShown: () => undefined,
      showPane: () => Promise.resolve(true),
      openPage: () => true,
      showMessage: () => undefined,
      startWithWorkbook: () => Promise.resolve(),
    },
    {
      clock,
      transport: async (request) => {
        const { host, pathname } = new URL(request.url);
        const kind = kinds.find((each) => host === `${each}.example`);
        if (kind) return service[kind].transport(request);
        const file = await files[pathname.slice(1)];
        return file === undefined ? new Response("", { status: 404 }) : Response.json(file);
      },
      baseUrl: "https://inv.example/",
      storage: aDevice(options.device) as unknown as Storage,
      pageStorage: null,
      vaultParts: options.indexedDB
        ? { indexedDB: options.indexedDB, crypto: cryptoThatIsWaitedFor(encryption) }
        : null,
      copyText: options.copyText ?? (() => Promise.resolve()),
      randomId: () => "an id",
    },
  );
  const services = { ...composed, ...options.instead?.(composed) };
  await clock.turns();
  if (before === undefined) {
    for (const [at, cell] of cells.entries()) workbook.put(cell, options.formulas?.[at] ?? null);
    await workbook.onRecalculate(cells);
  }
  render(<Pane services={services} />, root);
  await clock.advance(2_000);
  const bed: PaneBed = {
    clock,
    workbook,
    service,
    services,
    files,
    values: () => cells.map((cell) => workbook.valueOf(String(workbook.cells.get(cellKey(cell))), cell)),
    async press(words) {
      press(words);
      await clock.turns();
    },
    async openTab(name) {
      turnTo(name);
      await clock.turns();
    },
    async unfold(words) {
      unfold(words);
      await clock.turns();
    },
    async type(id, value) {
      type(id, value);
      await clock.turns();
    },
    async sees(words) {
      const isThere = () => (typeof words === "string" ? shown().includes(words) : words.test(shown()));
      for (let turn = 0; turn < 100 && !isThere(); turn += 1) await clock.advance(50);
      expect(shown()).toEqual(
        typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words),
      );
    },
    async reopen() {
      render(null, root);
      return openPane(options, bed);
    },
  };
  return bed;
}

/** Encryption takes real time. It is added to this work until it ends. */
function cryptoThatIsWaitedFor(work: Set<Promise<unknown>>): Crypto {
  const { subtle } = globalThis.crypto;
  const waitedFor = new Proxy(subtle, {
    get:
      (_, name: keyof SubtleCrypto) =>
      (...given: never[]) => {
        const result = (subtle[name] as (...all: never[]) => Promise<unknown>)(...given);
        work.add(result);
        return result.finally(() => work.delete(result));
      },
  });
  return new Proxy(globalThis.crypto, {
    get: (real, name: keyof Crypto) => (name === "subtle" ? waitedFor : real[name].bind(real)),
  });
}

function account(name: string) {
  return { name, supplierName: `${name} foods`, consumerId: `${name}-id`, clientSecret: `${name}-secret` };
}

/** Calculates each formula as the host does. Its arguments are plain, or cells of its sheet. */
function calculates(workbook: MemoryWorkbook): void {
  function valueOf(argument: string, { sheet }: CellRef): unknown {
    if (argument === "" || argument === "TRUE") return argument === "TRUE" || null;
    const cell = parseCellAddress(`${sheet}!${argument}`);
    return cell === null ? JSON.parse(argument) : workbook.cells.get(cellKey(cell));
  }
  const values = new Map<string, CellValue>();
  workbook.valueOf = (formula, ref) => values.get(cellKey(ref)) ?? formula;
  const { contentsOf } = workbook;
  // A cell contains the first value of a spilled result, and an error without its text.
  workbook.contentsOf = async (areas) => {
    const contents = await contentsOf(areas);
    return contents.map((rows) => rows.map((line) => line.map(contentOf)));
  };
  workbook.onRecalculate = (cells) => {
    for (const ref of cells) {
      const [, id = "", list = ""] =
        /^=INV\.(\w+)\((.*)\)$/.exec(String(workbook.cells.get(cellKey(ref)))) ?? [];
      const calculate = functionsById[id] as ((...all: unknown[]) => Promise<unknown[][]>) | undefined;
      if (calculate === undefined) continue;
      const given = list.split(/,(?!.*\])|,(?=\[)/).map((each) => valueOf(each, ref));
      const all = Array.from({ length: calculate.length - 1 }, (_, at) => [[given[at] ?? null].flat()]);
      values.set(cellKey(ref), "#BUSY!");
      const result = calculate(...all, { address: cellAddresses(ref)[0], functionName: id });
      void shownBy(result).then((value) => values.set(cellKey(ref), value as CellValue));
    }
  };
}

function contentOf(shown: unknown): CellContent {
  const first: unknown = Array.isArray(shown) ? [shown].flat(2)[0] : shown;
  return withKind(
    typeof first === "string" ? first.replace(/^(#[A-Z/0!]+) .*$/s, "$1") : (first as CellValue),
  );
}
