/** The pane's refresh tab with a host of constant answers: what the first render is measured with. */
import { createDeviceSettings } from "../../src/connection/device-settings";
import { createRealClock } from "../../src/addin/real-clock";
import { createSource } from "../../src/domain/notices";
import { createCellRegister } from "../../src/cells/cell-register";
import type { Engine, Progress } from "../../src/engine/types";
import { mountPane } from "../../src/taskpane/mount";
import type { ConnectionService, ConnectionState } from "../../src/connection/types";
import type { OpenWorkbook } from "../../src/workbook/open-workbook";
import type { Theme } from "../../src/taskpane/services";
import type { Freezer } from "../../src/workbook/freeze/freezer-types";
import type { Workbook } from "../../src/workbook/port";
import type { StockAge } from "../../src/workbook/refresh/stock-age";
import type { Refresher } from "../../src/workbook/refresh/refresh";
import { reportRendered } from "./pane-peer/rendered.mjs";

const clock = createRealClock();
const nothing = (): void => undefined;
const done = (): Promise<void> => Promise.resolve();
const quota = { used: 412, limit: 600, resumesAtMs: null };

const progress: Progress = {
  busy: false,
  cells: { asked: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 },
  calls: { sent: 0, savedRequests: 0 },
  quota: { search: quota, events: { ...quota, used: 3 } },
  remainingMs: null,
  faults: [],
};

const environment = {
  id: "demo",
  label: "Demo",
  kind: "demo",
  tokenUrl: "",
  searchUrl: "",
  eventsUrl: "",
  quota: { search: 600, events: 600 },
  credentials: "user",
} as const;

const connection: ConnectionService = {
  ...createSource<ConnectionState>({
    ready: true,
    environments: [environment],
    listError: null,
    environment,
    missingId: null,
    hasCredentials: true,
    consumerId: "demo",
    person: null,
    account: "demo",
    held: ["demo"],
    remembered: [],
    orphaned: [],
    awaitsConsent: false,
    canRemember: true,
    earlierCells: 0,
    notice: null,
  }),
  test: done,
  connect: done,
  forget: done,
  reload: done,
  recalculate: done,
};

const never = () => Promise.reject(new Error("not in the bench"));
const price = { searchCalls: 412, eventCallsAtLeast: 0, quotaShare: 0.69, durationMs: 180_000 };
const refresher: Refresher = {
  quote: (scope) =>
    Promise.resolve({ scope, cells: 2034, unseen: 0, silent: 0, work: { items: [], histories: [] }, price }),
  start: done,
  cancel: nothing,
  resume: done,
  state: {
    phase: "done",
    scope: "workbook",
    isUnasked: false,
    cells: 2000,
    settled: 2000,
    error: null,
    unanswered: 0,
    startedAtMs: clock.now() - 9000,
    endedAtMs: clock.now(),
  },
  unseen: 0,
  changes: createSource(null),
  subscribe: () => nothing,
};

// Whole, so that the compiler tells when the pane may ask for more.
const engine: Engine = {
  item: never,
  history: never,
  ask: () => null,
  gather: () => undefined,
  known: () => undefined,
  knownHistory: () => undefined,
  connect: nothing,
  connection: null,
  configure: nothing,
  settings: {
    freshnessMs: 15 * 60_000,
    refreshAgeMs: 60_000,
    whenUnanswered: "last-known",
    askAboveCalls: 0,
    offline: false,
  },
  preferSheet: nothing,
  testConnection: done,
  tryAgain: nothing,
  price: () => price,
  spendingQuestion: () => null,
  approveSpending: nothing,
  refresh: done,
  cancel: nothing,
  clear: nothing,
  isFresh: () => true,
  progress: () => progress,
  subscribe: () => nothing,
};

const cells = createCellRegister({ clock });
const call = cells.begin("Plan!A1", environment.id);
call.answered(clock.now() - 60_000);
call.settled();

const root = document.getElementById("root");
if (root) {
  // Begun first, so that its look at the first frame does not wait for what the pane does after it.
  void reportRendered(["fluent-button", "fluent-tab", "fluent-tablist"]);
  void mountPane(root, {
    engine,
    cells,
    clock,
    connection,
    signIn: { ready: () => Promise.reject(new Error("Nobody signs in here.")), signOut: done },
    settings: createDeviceSettings({ storage: null, partition: "" }),
    checkExcel: null,
    autoRefresh: { ...createSource(0), choose: done },
    age: createSource<StockAge>({
      oldestMs: clock.now() - 60_000,
      isOld: false,
      failedAtMs: null,
      isOffline: false,
      nextRefreshMs: null,
      earlier: null,
    }),
    workbook: createSource<OpenWorkbook>({
      kind: "open",
      workbook: {} as Workbook,
      refresher,
      freezer: {} as Freezer,
      offer: { ...createSource(null), look: done, accept: never, decline: never },
    }),
    commands: {
      failure: createSource(null),
      wanted: createSource(null),
      dismiss: nothing,
      showOldValues: nothing,
      showHelp: nothing,
    },
    readJson: never,
    previewFunction: never,
    theme: createSource<Theme>("light"),
    host: { kind: "excel", description: "bench", lacks: [] },
    version: "0.0.0",
    tryDemo: done,
    selectCell: done,
    copyText: done,
    focusGrid: null,
  });
}
