/**
 * Starts the browser workbook: the host that the pane's frame finds, the grid (a separate chunk), the start sheets,
 * and the page around them. The frame is loaded only after the host is ready, because the add-in registers its
 * functions while it loads.
 *
 * Where to look:
 * - A typed key: univer/edits/enter-and-tab.ts, then typed-cells.ts, which reads the text with paste/typed-text.ts.
 * - A call of an INV function: the grid calculates a cell with univer/calculation/engine-functions.ts, and
 *   functions/cell-calls.ts calls the add-in's function once. Its answer recalculates the cell (engine-calculation.ts).
 * - What the add-in reads and writes in cells: univer/grid-workbook.ts.
 * - What differs from the grid's own behavior: univer/patches.
 */
import { createChunkLoad } from "../domain/chunk-load";
import { messageOf } from "../domain/errors";
import { createNotices } from "../domain/notices";
import { createTaskQueue } from "../domain/task-queue";
import { unawaited } from "../domain/unawaited";
import type { ShownStock, Theme } from "../workbook/browser-host";
import type { Workbook } from "../workbook/port";
import { environmentSetting } from "../workbook/settings";
import { createCustomFunctions } from "./functions/custom-functions";
import { readFunctionsFile } from "./functions/functions-file";
import type { OpenGrid } from "./open-grid";
import type { StartBook } from "./saved/start-book";
import {
  createAutosave,
  createSavedBook,
  unchangedUntilStartOver,
  type SavedBook,
  type SavedWorkbook,
} from "./saved/saved-book";
import { firstEnvironment, showEnvironment } from "./shell/environments";
import { bindFocusKey, bindHelpKey, bindShortcuts, bindUndoKeys, type ShortcutActions } from "./shell/keys";
import { pageElement } from "./shell/page-element";
import { createPane } from "./shell/pane";
import { createReasonLine, createStatusLine, createStockLabel, type MessageLink } from "./shell/page-lines";
import { onceAFrame } from "./page-turns";

__webpack_chunk_load__ = createChunkLoad(__webpack_chunk_load__, fetch);
const functions = createCustomFunctions();
const theme = createTheme();
const frame = pageElement("pane-frame", HTMLIFrameElement);
const pane = createPane(frame, functions);
const status = createStatusLine(pageElement("status"), pageElement("announcement"));
const reasons = createReasonLine(pageElement("reason"), pageElement("selection"));
const environmentBadge = pageElement("environment");
const showAge = createStockLabel(pageElement("stock"));
const commands: ShortcutActions = new Map();
let openedGrid: OpenGrid | null = null;
/** What the add-in has shown last; null before it runs. */
let stock: ShownStock | null = null;
/** The number of sheets that are being built; the page itself counts as one until it is complete. */
let building = 1;
let giveWorkbook: (workbook: Workbook) => void;

window.invHost = {
  customFunctions: functions.host,
  workbook: new Promise<Workbook>((resolve) => (giveWorkbook = resolve)),
  onTheme: theme.onTheme,
  focusGrid: () => openedGrid?.focus(),
  onCommand: (id, run) => commands.set(id, run),
  showPane: () => pane.show(),
  showStock(now) {
    stock = now;
    status.showState(now);
    showEnvironment(environmentBadge, now.environment);
    showAge(now);
  },
  editedFormula: () => openedGrid?.editedFormula() ?? null,
};

bindShortcuts(frame, commands).catch(() => undefined);
bindHelpKey(() => commands.get("showHelp")?.());
bindFocusKey({ frame, pane, tools: pageElement("tools"), focusGrid: () => openedGrid?.focus() });
refuseFiles();
bindUndoKeys(frame, {
  undo: () => openedGrid?.undo(),
  redo: () => openedGrid?.redo(),
});
frame.src = "/workbook-pane.html";
start().catch(fail);

async function start(): Promise<void> {
  // The grid is by far the largest download, so nothing is loaded before it.
  const [{ first, book, saved }, { openGrid }, { openStartBook }, descriptions] = await Promise.all([
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
      tell,
    });
  const { grid, opened } = openSaved(open, saved);
  openedGrid = grid;
  const update = showCalculation(grid);
  theme.onTheme((now) => grid.setDark(now === "dark"));
  grid.addCellMenu((id) => unawaited(commands.get(id)?.()));
  const chosen = await grid.workbook.setting(environmentSetting);
  if (chosen === null) await grid.workbook.setSetting(environmentSetting, first.id);
  giveWorkbook(grid.workbook);
  pageElement("loading").hidden = true;
  let buildTabs = (): Promise<string> => Promise.resolve("");

  try {
    const startBook = await openStartBook(grid.workbook, () => json("/demo-data"));
    if (opened.kind === "saved") grid.showSavedTab();
    else {
      const problem = first.isEmbedded ? await startBook.build() : "";
      grid.finishBuilding();
      const refused = opened.kind === "refused" ? [opened.reason] : [];
      reasons.tellAlways([...refused, problem].join(" ").trim());
    }
    buildTabs = fillTabs(grid, startBook, update);
    const result = await startBook.resultOf(new URLSearchParams(location.search).get("show") ?? "");
    if (result !== null) await grid.workbook.select(result);
  } catch (error) {
    // The grid is ready and usable; the line for reasons shows what is missing.
    reasons.tellAlways(
      `The sheets could not be completed: ${messageOf(error)} Reload the page to try again.`,
    );
  }
  let endSaving = (): void => undefined;
  if (opened.kind !== "refused") {
    const { snapshot } = grid;
    const isTyping = () => grid.editedFormula() !== null;
    const autosave = createAutosave({
      book,
      snapshot,
      isTyping,
      busy: () => grid.busy,
      tell: reasons.tellAlways,
    });
    // The tabs that INV builds are no person's work.
    grid.onSavedChange((isEdit) => autosave.onChange(isEdit && building === 0));
    endSaving = () => autosave.end();
  }
  bindDownload(grid, () => buildTabs());
  bindStartOver(pageElement("start-over", HTMLButtonElement), { book, endSaving });
  building -= 1;
  update();
  await grid.addTools().catch((error: unknown) => {
    tell(`Filtering and finding could not be loaded: ${messageOf(error)} Reload the page.`);
  });
}

async function readSaved() {
  const first = await firstEnvironment(json("/environments.json"));
  const book = createSavedBook({ environment: first.id, indexedDB, locks: locksOrNull() });
  return { first, book, saved: await book.read() };
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

/**
 * Fills an empty tab of the start book as soon as it is shown. Returns the function that fills all of them, and returns the problem; "" if
 * there is none.
 */
function fillTabs(grid: OpenGrid, startBook: StartBook, update: () => void): () => Promise<string> {
  const inTurn = createTaskQueue();
  async function fill(sheetId: string): Promise<string> {
    if (!startBook.isEmpty(sheetId)) return "";
    building += 1;
    update();
    try {
      return await inTurn(() => grid.withoutUndo(() => startBook.fill(sheetId)));
    } catch (error) {
      return messageOf(error);
    } finally {
      building -= 1;
      update();
    }
  }
  grid.onSheetShown((sheetId) => {
    if (startBook.isEmpty(sheetId)) unawaited(fill(sheetId).then(tell));
  });
  return async () => (await Promise.all(startBook.emptyTabs().map(fill))).join(" ").trim();
}

/** Shows what is calculated, and the selected cell, after every change. Returns the function that shows them again. */
function showCalculation(grid: OpenGrid): () => void {
  // Up to ten thousand cells change at once, and reading the selected cell once per frame is enough.
  const showCellSoon = onceAFrame(() => showCell(grid));
  const update = () => {
    status.update(building > 0 || grid.busy);
    showCellSoon();
  };
  grid.onChange(update);
  return update;
}

function showCell(grid: OpenGrid): void {
  reasons.update({
    reason: grid.reasonOfSelection(),
    spoken: grid.spokenSelection(),
    isSilent: building > 0,
  });
}

/** Shows the message at the cell that is selected now: the selection may have moved since the last frame. */
function tell(sentence: string, link: MessageLink | null = null): void {
  if (openedGrid !== null) showCell(openedGrid);
  reasons.tell(sentence, link);
}

/**
 * Binds the button that downloads the workbook. A file of two moments would be wrong, so the download ends if a cell waits for its
 * value or changes meanwhile. Tabs that were never shown are built first.
 */
function bindDownload(grid: OpenGrid, buildTabs: () => Promise<string>): void {
  const button = pageElement("download", HTMLButtonElement);
  const label = button.textContent;
  let isRunning = false;
  let writing: AbortController | null = null;
  grid.onSavedChange(() => {
    writing?.abort(new Error("The workbook changed while the file was written. Download it again."));
  });

  function refuseWaitingCells(): void {
    if (!grid.hasWaitingCells) return;
    throw new Error("Some cells wait for values. Wait until all cells have theirs, then download.");
  }

  async function download(): Promise<void> {
    const { saveAsFile } = await import(/* webpackChunkName: "download" */ "./download/save-file");
    refuseWaitingCells();
    const problem = await buildTabs();
    if (problem !== "") throw new Error(problem);
    await grid.workbook.calculated();
    refuseWaitingCells();
    // A change before is in the file.
    writing = new AbortController();
    const about = stock?.valueFacts() ?? { environment: "", asOf: "unknown", stale: [] };
    await saveAsFile(grid.fileBook(), { ...about, nowMs: Date.now() }, writing.signal);
  }

  button.addEventListener("click", () => {
    if (isRunning) return;
    isRunning = true;
    button.textContent = "Downloading…";
    download()
      .then(
        () => tell(""),
        (error: unknown) => tell(`No file was downloaded. ${messageOf(error)}`),
      )
      .finally(() => {
        isRunning = false;
        writing = null;
        button.textContent = label;
      });
  });
}

function bindStartOver(
  button: HTMLButtonElement,
  { book, endSaving }: { readonly book: SavedBook; endSaving(): void },
): void {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!window.confirm("Throw away this workbook and bring back the start sheets?")) return;
    endSaving();
    unawaited(book.clear().finally(() => location.reload()));
  });
}

/**
 * Answers a file that is dropped on the page or on the pane. INV opens no files here, and without this the browser would
 * leave the workbook for the file.
 */
function refuseFiles(): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const allow = (event: DragEvent): void => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    tell("Open it in Excel. To use INV there, give Excel this file:", {
      text: "manifest.xml",
      address: "/manifest.xml",
    });
  };
  // Capture the events before the grid gets them.
  const bind = (target: Window | null): void => {
    for (const kind of ["dragenter", "dragover"] as const) target?.addEventListener(kind, allow, true);
    target?.addEventListener("drop", drop, true);
  };
  bind(window);
  frame.addEventListener("load", () => bind(frame.contentWindow));
}

/** Follows the system's light or dark theme: writes it to the page's root element and notifies the grid and the pane. */
function createTheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const notices = createNotices<Theme>();
  const theme = (): Theme => (dark.matches ? "dark" : "light");

  function apply(): void {
    document.documentElement.dataset["theme"] = theme();
    notices.tell(theme());
  }

  dark.addEventListener("change", apply);
  apply();

  return {
    get theme(): Theme {
      return theme();
    },
    /** Calls the listener now and at every change. Returns a function that ends the subscription. */
    onTheme(listener: (theme: Theme) => void): () => void {
      listener(theme());
      return notices.subscribe(listener);
    },
  };
}

/** Null on insecure pages, where browsers provide no locks. */
function locksOrNull(): LockManager | null {
  return "locks" in navigator ? navigator.locks : null;
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
