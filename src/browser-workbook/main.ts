/**
 * Starts the browser workbook: the host that the pane's frame finds, the grid (a separate chunk), the start sheets,
 * and the page around them. The frame is loaded only after the host is ready, because the add-in registers its
 * functions while it loads.
 */
import { messageOf } from "../domain/errors";
import type { Workbook } from "../workbook/port";
import { environmentSetting } from "../workbook/settings";
import { createAutosave } from "./saved/autosave";
import { createCustomFunctions } from "./functions/custom-functions";
import { createPaneSubscriptions } from "./pane-subscriptions";
import type { OpenGrid } from "./open-grid";
import { readFunctionsFile } from "./functions/functions-file";
import { createEnvironmentBadge } from "./shell/environment-badge";
import { showFaultBanner } from "./shell/fault-banner";
import { bindFocusKey, bindHelpKey } from "./shell/keys";
import { createPane } from "./shell/pane";
import { firstEnvironment } from "./saved/first-environment";
import { createLoadGuard } from "./saved/load-guard";
import { guardCalculation } from "./shell/paused-notice";
import { bindOpen } from "./shell/open-button";
import { pageElement } from "./shell/page-element";
import { createReasonLine } from "./shell/reason-line";
import { bindShortcuts, type ShortcutActions } from "./shell/shortcuts";
import {
  createSavedBook,
  unchangedUntilStartOver,
  type SavedBook,
  type SavedWorkbook,
} from "./saved/saved-book";
import { createStockLabel } from "./shell/stock-label";
import { createStatusLine } from "./shell/status-line";
import { createTheme } from "./shell/theme";

const paneAddress = "/taskpane.html";
/** How long the add-in's page may take to register its functions after it has loaded. */
const registrationLimitMs = 20_000;

const functions = createCustomFunctions();
const theme = createTheme();
const pane = createPane();
const status = createStatusLine(pageElement("status"), pageElement("announcement"));
const reasons = createReasonLine(pageElement("reason"), pageElement("selection"));
const environments = json("/environments.json");
const badge = createEnvironmentBadge(pageElement("environment"), functions, environments);
const frame = pageElement("pane-frame", HTMLIFrameElement);
let focusGrid = (): void => undefined;
let editedFormula = (): string | null => null;

const commands: ShortcutActions = new Map();
let giveWorkbook: (workbook: Workbook) => void;
const subscriptions = createPaneSubscriptions((listener) => theme.onTheme(listener));
const showAge = createStockLabel(pageElement("stock"));
window.invHost = {
  customFunctions: functions.host,
  workbook: new Promise<Workbook>((resolve) => (giveWorkbook = resolve)).then(subscriptions.workbook),
  onTheme: subscriptions.onTheme,
  focusGrid: () => focusGrid(),
  onCommand: (id, run) => void commands.set(id, run),
  showPane: () => pane.show(),
  showStock(stock) {
    status.setIdleText(stock.state);
    showAge(stock);
  },
  editedFormula: () => editedFormula(),
};

bindShortcuts(frame, commands).catch(() => undefined);
bindHelpKey(() => commands.get("showHelp")?.());
bindFocusKey({ frame, pane, tools: pageElement("tools"), focusGrid: () => focusGrid() });
frame.addEventListener("load", watchPane);
frame.src = paneAddress;
showFaultBanner(pageElement("faults"));
start().catch(fail);

async function start(): Promise<void> {
  const demoData = json("/demo-data");
  // Prevents an unhandled rejection. The sheets that need the data report its error.
  void Promise.allSettled([demoData]);
  // The grid is by far the largest download, so nothing is loaded before it.
  const [{ first, book, saved, guard }, { openGrid }, { buildStartBook, resultOf }, descriptions] =
    await Promise.all([
      readSaved(),
      import(/* webpackChunkName: "grid" */ "./open-grid"),
      import(/* webpackChunkName: "start-book" */ "./saved/start-book"),
      json("/functions.json").then(readFunctionsFile),
    ]);
  const open = (snapshot: object | null) =>
    openGrid({
      container: pageElement("grid"),
      descriptions,
      functions,
      dark: theme.theme === "dark",
      saved: snapshot,
      calculates: guard.allowsCalculation,
      tell,
    });
  const { grid, opened } = openSaved(open, saved);
  let building = true;
  function readCell(): void {
    reasons.update({ reason: grid.reasonOfSelection(), spoken: building ? "" : grid.spokenSelection() });
  }
  function tell(sentence: string): void {
    readCell();
    reasons.tell(sentence);
  }
  // Up to ten thousand cells change at once, and reading the selected cell once per frame is enough.
  const tellCell = onceAFrame(readCell);
  const update = () => {
    status.update({ busy: building || grid.busy, waitingCells: grid.waitingCells });
    tellCell();
  };
  if (opened.kind === "saved") guardCalculation(grid, guard);
  theme.onTheme((now) => grid.setDark(now === "dark"));
  focusGrid = grid.focus;
  editedFormula = grid.editedFormula;
  grid.addCellMenu((id) => void commands.get(id)?.());
  grid.onChange(update);
  const chosen = await grid.workbook.setting(environmentSetting);
  if (chosen === null) await grid.workbook.setSetting(environmentSetting, first.id);
  grid.workbook.onSetting(badge.refresh);
  giveWorkbook(grid.workbook);
  pageElement("loading").hidden = true;

  try {
    if (opened.kind === "saved") grid.showSavedTab();
    else if (first.isEmbedded) await buildSheets(grid, opened, () => buildStartBook(grid.workbook, demoData));
    else await buildSheets(grid, opened, () => Promise.resolve({ problems: [] }));
    const shown = await resultOf(grid.workbook, new URLSearchParams(location.search).get("show") ?? "");
    if (shown !== null) await grid.workbook.select(shown);
  } catch (error) {
    // The grid is ready and usable; the line for reasons shows what is missing.
    reasons.tellAlways(
      `The sheets could not be completed: ${messageOf(error)} Reload the page to try again.`,
    );
  }
  if (opened.kind !== "refused") {
    const busy = () => building || grid.busy;
    const tellSaving = reasons.tellAlways;
    grid.onSavedChange(createAutosave({ book, snapshot: grid.snapshot, busy, tell: tellSaving }));
    bindOpen({ book, tell: reasons.tell });
  }
  bindDownload(pageElement("download", HTMLButtonElement), grid);
  bindStartOver(pageElement("start-over", HTMLButtonElement), book);
  building = false;
  update();
  await grid.addTools().catch((error: unknown) => {
    reasons.tell(`Filtering and finding could not be loaded: ${messageOf(error)} Reload the page.`);
  });
}

async function readSaved() {
  const first = await firstEnvironment(environments);
  const book = createSavedBook({ environment: first.id, indexedDB, locks: locksOrNull() });
  const saved = await book.read().catch((): SavedWorkbook => ({ kind: "none" }));
  return { first, book, saved, guard: createLoadGuard(storageOrNull(), first.id) };
}

function openSaved(
  open: (snapshot: object | null) => OpenGrid,
  saved: SavedWorkbook,
): { readonly grid: OpenGrid; readonly opened: SavedWorkbook } {
  if (saved.kind !== "saved") return { grid: open(null), opened: saved };
  try {
    return { grid: open(saved.snapshot), opened: saved };
  } catch (error) {
    pageElement("grid").replaceChildren();
    const reason = `The saved workbook can't be opened: ${messageOf(error)} ${unchangedUntilStartOver}`;
    return { grid: open(null), opened: { kind: "refused", reason } };
  }
}

/** Builds the start sheets. Shows what couldn't be built, and why a saved workbook can't be opened. */
async function buildSheets(
  grid: OpenGrid,
  saved: SavedWorkbook,
  build: () => Promise<{ readonly problems: readonly string[] }>,
): Promise<void> {
  const { problems } = await build();
  grid.finishBuilding();
  const refused = saved.kind === "refused" ? [saved.reason] : [];
  reasons.tellAlways([...refused, ...problems].join(" "));
}

function bindDownload(button: HTMLButtonElement, grid: OpenGrid): void {
  button.addEventListener("click", () => {
    button.disabled = true;
    import(/* webpackChunkName: "download" */ "./download/xlsx")
      .then(({ saveAsFile }) => saveAsFile(grid))
      .then(
        () => reasons.tell(""),
        (error: unknown) => reasons.tell(`The file could not be made: ${messageOf(error)}`),
      )
      .finally(() => (button.disabled = false));
  });
}

function bindStartOver(button: HTMLButtonElement, book: SavedBook): void {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!window.confirm("Throw away this workbook and bring back the start sheets?")) return;
    void book.clear().finally(() => location.reload());
  });
}

/** Null on insecure pages, where browsers provide no locks. */
function locksOrNull(): LockManager | null {
  return "locks" in navigator ? navigator.locks : null;
}

/** Runs each time the add-in's page has loaded. Its functions register soon, and are removed when it unloads. */
function watchPane(): void {
  const giveUp = window.setTimeout(() => {
    functions.giveUp(
      "The add-in did not register this function. Reload the page, or build the add-in again.",
    );
  }, registrationLimitMs);
  frame.contentWindow?.addEventListener("pagehide", () => {
    window.clearTimeout(giveUp);
    subscriptions.end();
    functions.unload();
  });
}

/** Browsers that forbid storage throw at the first access. */
function storageOrNull(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function onceAFrame(act: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    window.requestAnimationFrame(() => {
      asked = false;
      act();
    });
  };
}

function fail(error: unknown): void {
  const loading = pageElement("loading");
  loading.hidden = false;
  loading.dataset["failed"] = "";
  loading.setAttribute("role", "alert");
  loading.textContent = `The workbook could not be opened: ${messageOf(error)} Reload the page to try again.`;
}

async function json(address: string): Promise<unknown> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}. Is the server complete?`);
  return response.json();
}
