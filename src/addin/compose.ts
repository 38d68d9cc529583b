/**
 * Creates INV for a host: engine, cell register, settings, connection, refresher and the pane's services. No other file creates
 * these. Then starts the connection and the functions. Invariant: the functions start or fail within a limited time,
 * whatever the host, the list of environments or the browser's storage do, so that no cell waits forever.
 */
import packageFacts from "../../package.json";
import type { Transport } from "../api/transport";
import { InvError, toInvError } from "../domain/errors";
import { createCellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { testConnection } from "../engine/test-connection";
import { createEngine } from "../engine/engine";
import type { EngineSettings } from "../engine/types";
import { functionPreview } from "../functions/preview";
import { createResultThrottle } from "../functions/result-throttle";
import { startFunctions } from "../functions/context";
import { countBeyondLimit } from "../workbook/cell-limit";
import { followEdits } from "../workbook/edit-follower";
import type { OpenOne, OpenWorkbook } from "../workbook/open-workbook";
import { createDeviceSettings, type PaneSettings } from "../connection/device-settings";
import type { PaneServices, SignInService } from "../taskpane/services";
import { stateWord, stockWords, whichValues } from "../taskpane/header/stock-words";
import { parseCellAddress } from "../workbook/addresses";
import type { Workbook } from "../workbook/port";
import { functionAtSelection, functionIn } from "../workbook/current-function";
import { createEarlierValues } from "../workbook/refresh/earlier-values";
import { createRefresher } from "../workbook/refresh/refresh";
import { createStockAge } from "../workbook/refresh/stock-age";
import { environmentSetting } from "../workbook/settings";
import type { ValueFacts } from "../workbook/share/about-values";
import { startAutoRefresh } from "./auto-refresh";
import { createAutoRefreshChoice } from "../connection/auto-refresh-choice";
import { createConnectionManager } from "../connection/connection";
import type { PublishedTemplates } from "../connection/published-templates";
import { createConsent } from "../connection/consent";
import { createCredentialVault } from "../connection/credential-vault";
import { createCommands } from "./commands";
import type { RunCommand } from "./command-queue";
import { createJsonReader } from "./json-reader";
import { createOldConnectionCells } from "../connection/old-connection-cells";
import { loadEnvironments } from "../connection/environments-file";
import type { Host } from "./host";
import { createObservable, type WritableObservable } from "../domain/notices";
import { unawaited } from "../domain/unawaited";
import { selectedAreas } from "../workbook/selected-areas";
import { withinTime, withTimeLimit } from "./time-limit";

export interface PageFacts {
  readonly clock: Clock;
  readonly transport: Transport;
  /** The page's address. Paths of the add-in's other files are relative to it. */
  readonly baseUrl: string;
  /** Null if the browser refuses storage. */
  readonly storage: Storage | null;
  /** Storage that lasts as long as the page and its reloads. */
  readonly pageStorage: Storage | null;
  /** Null if the browser has no database or no encryption (a page without HTTPS). */
  readonly vaultParts: { readonly indexedDB: IDBFactory; readonly crypto: Crypto } | null;
  readonly copyText: (text: string) => Promise<void>;
  /** Returns an unguessable string, different each time. */
  readonly randomId: () => string;
}

export interface Composition {
  readonly services: PaneServices;
  readonly opened: Promise<void>;
  readonly runCommand: RunCommand;
}

const settingLimitMs = 10_000;
const listLimitMs = 20_000;
const beginLimitMs = 30_000;

export function compose(host: Host, page: PageFacts): Composition {
  const { clock, transport, baseUrl, storage, randomId } = page;
  const facts = { storage, partition: host.partition, randomId, workbook: host.workbook };
  const device = createDeviceSettings({ storage, partition: host.partition });
  const engine = createEngine({
    clock,
    transport,
    settings: engineSettings(device.get()),
    callMemory: page.pageStorage,
  });
  const cells = createCellRegister({ clock, reasons: engine.unanswered });
  const workbook = createObservable<OpenWorkbook>({ kind: host.workbook ? "starting" : "none" });
  const connection = createConnectionManager({
    engine,
    testConnection: (connection, signal) => testConnection(connection, { clock, transport, signal }),
    loadEnvironments: () =>
      withinTime(
        (signal) =>
          loadEnvironments(transport, new Request(new URL("environments.json", baseUrl), { signal })),
        { clock, limitMs: listLimitMs },
      ),
    vault: page.vaultParts && createCredentialVault({ ...page.vaultParts, now: () => clock.now() }),
    consent: createConsent(facts),
    device,
    workbook: () => openOne(workbook),
    earlier: createOldConnectionCells({ cells, clock }),
    beginWithDemo: host.facts.kind === "browser-workbook",
  });

  device.subscribe(() => engine.configure(engineSettings(device.get())));
  followWorkbook(host, workbook, (open) => {
    open.onSelection(([{ sheet }]) => engine.preferSheet(sheet));
    const refresher = createRefresher({
      workbook: open,
      engine,
      cells,
      clock,
      functions: functionPreview,
      fileTime: () => age.get().earlier?.oldestMs ?? null,
    });
    followEdits({ workbook: open, cells, clock });
    countBeyondLimit(open, cells);
    age.follow(refresher, createEarlierValues({ workbook: open, cells, clock, refresher }));
    return { kind: "open", workbook: open, refresher };
  });
  const autoRefreshChoice = createAutoRefreshChoice({
    ...facts,
    startWithWorkbook: host.startWithWorkbook,
  });
  const autoRefresh = startAutoRefresh({
    clock,
    minutes: autoRefreshChoice,
    refresher: () => {
      const current = workbook.get();
      return current.kind === "open" ? current.refresher : null;
    },
    connected: () =>
      Boolean(engine.connection?.credentials) &&
      !engine.progress().faults.some(({ scope }) => scope === "credentials"),
  });

  const opened = Promise.resolve().then(open);
  const { showPane, showMessage } = host;
  const commands = createCommands({
    clock,
    workbook,
    opened,
    showPane,
    showMessage,
    currentFunction,
    copyWithValues: copySheets,
    helpAddress: (name) => new URL(`help/${name}.html`, baseUrl).href,
    openPage: (address) => host.openPage(address),
  });
  const readJson = createJsonReader({ transport, clock, baseUrl });
  const age = createStockAge({ cells, clock, settings: device, nextRefresh: autoRefresh.next });
  for (const { subscribe } of [age, connection, engine]) subscribe(showStock);

  function showStock(): void {
    const now = age.get();
    const { environment } = connection.get();
    const state = stateWord(connection.get(), engine.progress(), now);
    const showOld = now.isOld ? { title: whichValues, show: showOldValues } : null;
    const waitingCells = cells.summary().waiting;
    host.showStock?.({
      environment,
      state,
      waitingCells,
      ...stockWords(now, clock.now()),
      showOld,
      valueFacts,
    });
  }

  const environmentLabel = (): string => connection.get().environment?.label ?? "";

  function valueFacts(): ValueFacts {
    const stale = cells.stale();
    const { asOf } = age.get();
    return { environment: environmentLabel(), asOf, stale: stale.map(({ address }) => address) };
  }

  async function copySheets(
    { workbook: open, refresher }: OpenOne,
    scope: "sheet" | "all",
  ): Promise<readonly string[]> {
    const sheet = scope === "all" ? null : (await selectedAreas(open, clock))[0].sheet;
    const { copyWithValues } = await import(
      /* webpackChunkName: "copy-with-values" */ "../workbook/share/copy-with-values"
    );
    return copyWithValues(open, sheet, {
      environment: environmentLabel(),
      nowMs: clock.now(),
      cells,
      clock,
      search: () => refresher.quote("workbook"),
      earlier: age.get().earlier,
      stale: cells.stale(),
    });
  }

  async function currentFunction(): Promise<string | null> {
    const typed = host.editedFormula?.() ?? null;
    return typed === null ? functionAtSelection(openOne(workbook), clock) : functionIn(typed, "last");
  }

  function showOldValues(): void {
    commands.state.showOldValues();
    unawaited(host.showPane());
  }

  async function signInService(): Promise<SignInService> {
    const { createSignInService } = await import(/* webpackChunkName: "sign-in" */ "./sign-in-service");
    return createSignInService({
      connection,
      transport,
      clock,
      crypto: page.vaultParts?.crypto ?? null,
      dialogs: host.dialogs,
      storage: page.storage,
    });
  }

  async function publishedTemplates(): Promise<PublishedTemplates> {
    const { createPublishedTemplates } = await import(
      /* webpackChunkName: "published-templates" */ "../connection/published-templates"
    );
    return createPublishedTemplates({
      environment: () => engine.connection?.environment ?? null,
      sessionOf: connection.sessionOf,
      transport,
      baseUrl,
    });
  }

  const services: PaneServices = {
    engine,
    cells,
    clock,
    functionPreview,
    connection,
    signIn: {
      prepare: async (environment) => (await signInService()).prepare(environment),
      signOut: async (environment) => (await signInService()).signOut(environment),
    },
    published: publishedTemplates,
    settings: device,
    autoRefresh: autoRefreshChoice,
    age,
    workbook,
    theme: host.theme,
    host: host.facts,
    version: packageFacts.version,
    commands: commands.state,
    readJson,
    async tryDemo() {
      const { startDemo } = await import(/* webpackChunkName: "template-work" */ "./demo-start");
      await startDemo({ connection, readJson, workbook: () => openOne(workbook) });
    },
    selectCell: (address) => selectCell(openOne(workbook), address),
    copyWithValues: copySheets,
    async copyText(text) {
      try {
        await page.copyText(text);
      } catch {
        throw new InvError("not-possible", "INV can't use the clipboard here. Select the text and copy it.");
      }
    },
    focusGrid: host.focusGrid,
  };

  async function open(): Promise<void> {
    const stored = host.workbook?.then((open) => open.setting(environmentSetting)) ?? Promise.resolve(null);
    const storedId = await withTimeLimit(stored, { clock, limitMs: settingLimitMs, otherwise: null });
    const starting = connection.begin(storedId);
    await withTimeLimit(starting, { clock, limitMs: beginLimitMs, otherwise: undefined });
    const environmentId = (): string | null => engine.connection?.environment.id ?? null;
    const { formatsTimes, takesAllTexts } = host;
    startFunctions({
      engine,
      cells,
      throttle: createResultThrottle(clock),
      eventTypesSeen: new Set(),
      now: () => clock.now(),
      steadyNow: () => clock.steadyNow(),
      formatsTimes,
      takesAllTexts,
      environmentId,
    });
  }

  return { services, opened, runCommand: commands.run };
}

/** Highest age of a colleague's answer that a refresh accepts. */
const sharedAgeMs = 60_000;

function engineSettings(settings: PaneSettings): EngineSettings {
  const { freshnessMinutes, refreshTakes, whenUnanswered, askAboveCalls } = settings;
  const refreshAgeMs = refreshTakes === "exact" ? 0 : sharedAgeMs;
  return { freshnessMs: freshnessMinutes * 60_000, refreshAgeMs, whenUnanswered, askAboveCalls };
}

function openOne(workbook: WritableObservable<OpenWorkbook>): Workbook | null {
  const current = workbook.get();
  return current.kind === "open" ? current.workbook : null;
}

/** Creates what needs the workbook, once the host has opened it. */
function followWorkbook(
  host: Host,
  target: WritableObservable<OpenWorkbook>,
  equip: (workbook: Workbook) => OpenWorkbook,
): void {
  host.workbook?.then(
    (workbook) => target.set(equip(workbook)),
    (error: unknown) => target.set({ kind: "failed", error: toInvError(error) }),
  );
}

async function selectCell(workbook: Workbook | null, address: string): Promise<void> {
  const cell = parseCellAddress(address);
  if (!workbook || !cell) {
    throw new InvError("not-possible", `"${address}" isn't a cell of the open workbook.`);
  }
  await workbook.select({ ...cell, rows: 1, cols: 1 });
}
