/**
 * The browser workbook for tests: waits until every cell has its value, runs functions over the workbook port, and asks
 * the service directly what a cell should show.
 */
import type { Frame, Page } from "playwright-core";
import type { CellValue, Workbook } from "../../src/workbook/port";
import { paneDrawn } from "./pane-parts";
import { bookOf, putSaved } from "./saved-workbook";
import { eventually, openPage, type OpenOptions, origin } from "./support";

export interface WorkbookPage {
  readonly page: Page;
  readonly complaints: string[];
  /** Bodies of the search requests that the page has sent so far. */
  readonly searches: { readonly store_nbr: number; readonly item_type_values: string[] }[];
  /** Waits until every cell has its value, including everything written before the call. */
  settled(): Promise<void>;
  until(isSo: () => Promise<boolean>): Promise<void>;
  /** Runs in the page over the port. It can use only what `given` passes in. */
  port<T, R>(work: (workbook: Workbook, given: T) => Promise<R>, given: T): Promise<R>;
  values(...place: Place): Promise<CellValue[][]>;
  /** Texts as the cells show them. */
  texts(...place: Place): Promise<CellValue[][]>;
  /** Formulas, or values in cells without one. */
  formulas(...place: Place): Promise<CellValue[][]>;
  filled(...place: Place): Promise<void>;
  /** Writes these rows, starting at a cell. */
  write(from: Place, rows: readonly (readonly CellValue[])[]): Promise<void>;
  select(...place: Place): Promise<void>;
  focusGrid(): Promise<void>;
  /** Types into the selected cell: a key opens its editor, and the rest comes at once, because the grid takes 50 ms for each key. */
  type(text: string): Promise<void>;
  /** Types into the selected cell and presses Enter. Resolves when the cell contains what was typed. */
  enter(text: string): Promise<void>;
  /** Dispatches the browser's paste event in the grid, as Ctrl+V does. */
  paste(clipboard: { readonly html?: string; readonly text?: string }): Promise<void>;
  /** Presses the undo key in the grid. */
  undo(): Promise<void>;
  sheetNames(): Promise<string[]>;
  /** From now on no search is answered, until the returned function is called. */
  holdAnswers(): Promise<() => void>;
  pane(): Frame;
}

/** One cell, or an area that starts there. */
type Place = readonly [sheet: string, row: number, col: number, rows?: number, cols?: number];

const areaOf = ([sheet, row, col, rows = 1, cols = 1]: Place) => ({ sheet, row, col, rows, cols });

export interface WorkbookOptions extends OpenOptions {
  /** A book that the device has saved before the page opens. */
  readonly saved?: unknown;
}

export async function openWorkbook(path = "/", options: WorkbookOptions = {}): Promise<WorkbookPage> {
  const { saved, ...others } = options;
  // Open a page that saves nothing itself, so that it can't overwrite the saved book.
  const address = new URL(path, origin);
  const first = saved === undefined ? address : new URL("/environments.json", address);
  const { page, complaints } = await openPage(first.href, others);
  if (saved !== undefined) {
    await putSaved(page, saved);
    await page.goto(address.href);
  }
  return workbookOn(page, complaints);
}

/** Opens the same workbook in another tab of the same browser, as a person does who opens the address again. */
export async function openAnotherTab({ page: first, complaints }: WorkbookPage): Promise<WorkbookPage> {
  const page = await first.context().newPage();
  await page.goto(first.url());
  return workbookOn(page, complaints);
}

async function workbookOn(page: Page, complaints: string[]): Promise<WorkbookPage> {
  const searches: WorkbookPage["searches"] = [];
  page.on("request", (request) => {
    if (!request.url().includes("search-items")) return;
    searches.push(request.postDataJSON() as WorkbookPage["searches"][number]);
  });
  async function port<T, R>(work: (workbook: Workbook, given: T) => Promise<R>, given: T): Promise<R> {
    const run = `window.invHost.workbook.then((workbook) => (${work.toString()})(workbook, ${JSON.stringify(given)}))`;
    return page.evaluate<R>(run);
  }
  const isEdited = (words: string | null, timeout: number) =>
    page.waitForFunction((edited) => window.invHost?.editedFormula() === edited, words, { timeout });
  const opened: WorkbookPage = {
    page,
    complaints,
    searches,
    async settled() {
      await page.waitForSelector('body[data-calculating="false"]');
    },
    until: (isSo) =>
      eventually(async () => {
        if (!(await isSo())) throw new Error(`This stayed false: ${String(isSo)}`);
      }),
    port,
    values: (...place) => port((workbook, area) => workbook.read(area, "values"), areaOf(place)),
    texts: (...place) => port((workbook, area) => workbook.read(area, "text"), areaOf(place)),
    formulas: (...place) => port((workbook, area) => workbook.read(area, "formulas"), areaOf(place)),
    filled: (...place) =>
      opened.until(async () => typeof (await opened.values(...place))[0]?.[0] === "number"),
    write: ([sheet, row, col], rows) =>
      port((workbook, given) => workbook.write(given.area, given.rows), {
        area: areaOf([sheet, row, col, rows.length, rows[0]?.length ?? 0]),
        rows,
      }),
    select: (...place) => port((workbook, area) => workbook.select(area), areaOf(place)),
    focusGrid: () => page.evaluate(() => window.invHost?.focusGrid()),
    async type(text) {
      const [first = "", ...rest] = text;
      // A page that has just loaded may lose a key. A person types it again.
      await eventually(async () => {
        await opened.focusGrid();
        await page.keyboard.type(first);
        await isEdited(first, 5_000).catch(async (error: unknown) => {
          await page.keyboard.press("Escape");
          throw error;
        });
      });
      if (rest.length === 0) return;
      await page.keyboard.insertText(rest.join(""));
      await isEdited(text, 60_000);
    },
    async enter(text) {
      await opened.type(text);
      await page.keyboard.press("Enter");
      await isEdited(null, 60_000);
    },
    async paste(clipboard) {
      await opened.focusGrid();
      await page.evaluate(({ html, text }) => {
        const data = new DataTransfer();
        if (html !== undefined) data.setData("text/html", html);
        if (text !== undefined) data.setData("text/plain", text);
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      }, clipboard);
    },
    async undo() {
      await opened.focusGrid();
      await page.keyboard.press("ControlOrMeta+z");
    },
    sheetNames: () => port(async (workbook) => (await workbook.sheets()).map(({ name }) => name), null),
    async holdAnswers() {
      let release = (): void => undefined;
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      releases.push(release);
      await page.route("**/search-items", (route) => isReleased.then(() => route.continue()));
      return release;
    },
    pane() {
      const frame = page.frames().find((one) => one.url().includes("workbook-pane"));
      if (frame === undefined) throw new Error("The pane's frame is not there.");
      return frame;
    },
  };
  await opened.settled();
  if (await page.locator("#pane").isVisible()) await paneDrawn(opened.pane());
  return opened;
}

/** Let the service answer what tests hold back. */
const releases: (() => void)[] = [];

/** For tests that share a workbook: what one does to its page is undone, also if the test fails. */
export function undoAfterEach(workbookOf: () => WorkbookPage): void {
  afterEach(async () => {
    for (const release of releases.splice(0)) release();
    const { page, settled } = workbookOf();
    for (const tab of page.context().pages()) if (tab !== page) await tab.close();
    await page.context().setOffline(false);
    await page.unrouteAll({ behavior: "wait" });
    await settled();
  });
}

/** Makes the pane this wide. All its content must fit, also in 160 pixels: 320 at a zoom of 200 %. */
export async function narrow(pane: Frame, widthPx = 320): Promise<void> {
  await pane.evaluate((width) => {
    const { parentElement } = window.frameElement!;
    parentElement!.style.width = `${width}px`;
  }, widthPx);
}

export const scratch = "Scratch";

/** Like `openWorkbook`, but with only the empty sheet: a third of the work of the start sheets. */
export function openScratch(options: OpenOptions = {}, path = "/"): Promise<WorkbookPage> {
  const saved = bookOf({ name: scratch, rowCount: 1_000, columnCount: 20 });
  return openWorkbook(path, { ...options, saved });
}

/** Writes formulas below each other into the empty sheet, and waits until they are calculated. */
export async function tryFormulas(workbook: WorkbookPage, formulas: readonly string[]): Promise<CellValue[]> {
  await workbook.write(
    [scratch, 0, 0],
    formulas.map((formula) => [formula]),
  );
  await workbook.settled();
  const rows = await workbook.values(scratch, 0, 0, formulas.length, 1);
  return rows.map((row) => row[0] ?? null);
}

interface ItemRecord {
  readonly data_retrieval_status: string;
  readonly inventory_locations: readonly {
    readonly location_area: string;
    readonly state: string;
    readonly quantity: string | number;
  }[];
  readonly cid_level_inventories: readonly { readonly cid: number }[];
  readonly last_updated_time: string;
}

interface EventRecord {
  readonly event_type: string;
  readonly event_qty: string;
  readonly event_creation_time: string;
}

export interface DirectService {
  item(store: number, gtin: string): Promise<ItemRecord>;
  /** Events of all pages. */
  events(store: number, gtin: string): Promise<EventRecord[]>;
}

/** Asks the demo's service without INV: plain requests written by hand. */
export async function askService(): Promise<DirectService> {
  const account = { client_id: "demo-consumer", client_secret: "demo-secret" };
  const granted = await fetch(`${origin}/relay/demo/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...account }),
  });
  const { access_token } = (await granted.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "wm_consumer.id": account.client_id };
  return {
    async item(store, gtin) {
      const body = JSON.stringify({ item_type: "gtin", store_nbr: store, item_type_values: [gtin] });
      const response = await fetch(`${origin}/relay/demo/search-items`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
      });
      const { items } = (await response.json()) as { items: ItemRecord[] };
      return items[0]!;
    },
    async events(store, gtin) {
      const all: EventRecord[] = [];
      let token: string | null = null;
      do {
        const query = new URLSearchParams({
          store_nbr: String(store),
          gtin,
          ...(token && { page_token: token }),
        });
        const response = await fetch(`${origin}/relay/demo/events?${query}`, { headers });
        const page = (await response.json()) as Record<string, unknown>;
        all.push(...((page["event_history_item_details"] ?? page["items"]) as EventRecord[]));
        token = (page["next_page_token"] as string | null | undefined) ?? null;
      } while (token !== null);
      return all;
    },
  };
}
