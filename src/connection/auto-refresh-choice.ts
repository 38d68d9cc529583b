/**
 * How often the open workbook is refreshed by itself: chosen in one workbook, on one device. The file holds a
 * random mark, and that it starts INV; the minutes are kept on this device under the mark. So a workbook in
 * which nothing was chosen here, or that came with a mark of somebody else's, is never refreshed by itself:
 * what is mailed around must not spend its readers' quota.
 */
import { createSource, type Source } from "../domain/notices";
import type { Workbook } from "../workbook/port";
import { autoRefreshSetting } from "../workbook/settings";
import { createOrder } from "./in-order";

/** Minutes between two refreshes; 0 while it is off. */
export interface AutoRefreshChoice extends Source<number> {
  /**
   * Takes effect at once. Rejects where the workbook could not be marked: then the choice holds until it is
   * closed.
   */
  choose(minutes: number): Promise<void>;
}

export interface AutoRefreshChoiceOptions {
  /** Null where the browser gives none: then the choice lasts as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Unguessable, and another each time. */
  randomMark(): string;
  /** Null where there is no workbook; rejects where it could not be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting">> | null;
  /** Whether INV starts by itself when this workbook is opened. */
  startWithWorkbook(starts: boolean): Promise<void>;
}

/** Workbooks of which a choice is kept; beyond that, the oldest are no longer refreshed by themselves. */
const mostWorkbooks = 300;
const mostMinutes = 24 * 60;

/** Minutes by the mark of the workbook, the longest known first. */
type Choices = Map<string, number>;

/** Reads what was chosen for the open workbook; until then, it is off. */
export function createAutoRefreshChoice(options: AutoRefreshChoiceOptions): AutoRefreshChoice {
  const { storage, partition, randomMark, workbook, startWithWorkbook } = options;
  const key = `${partition}inv.auto-refresh`;
  const source = createSource(0);
  const inLine = createOrder();
  let isChosen = false;

  function read(): Choices {
    try {
      return readChoices(JSON.parse(storage?.getItem(key) ?? "[]"));
    } catch {
      return new Map();
    }
  }

  function write(choices: Choices): void {
    try {
      storage?.setItem(key, JSON.stringify([...choices].slice(-mostWorkbooks)));
    } catch {
      // Full or forbidden storage: the choice then lasts as long as the page.
    }
  }

  async function recall(): Promise<void> {
    const mark = await (await workbook)?.setting(autoRefreshSetting);
    if (!isChosen && typeof mark === "string") source.set(read().get(mark) ?? 0);
  }

  async function keep(minutes: number): Promise<void> {
    if (workbook === null) return;
    const open = await workbook;
    const stored = await open.setting(autoRefreshSetting);
    const choices = read();
    const isOurs = stored !== null && choices.has(stored);
    if (minutes === 0) {
      if (isOurs) choices.delete(stored);
      write(choices);
      return startWithWorkbook(false);
    }
    const mark = isOurs ? stored : randomMark();
    // Put last: it is the one chosen last.
    choices.delete(mark);
    write(choices.set(mark, minutes));
    if (!isOurs) await open.setSetting(autoRefreshSetting, mark);
    return startWithWorkbook(true);
  }

  // A workbook that cannot be opened has no refreshes either.
  void recall().catch(() => undefined);

  return {
    get: source.get,
    subscribe: source.subscribe,
    choose(minutes) {
      isChosen = true;
      source.set(minutes);
      return inLine(() => keep(minutes));
    },
  };
}

/** What is stored may be old, broken or somebody else's. */
function readChoices(value: unknown): Choices {
  const choices: Choices = new Map();
  if (!Array.isArray(value)) return choices;
  for (const entry of value as unknown[]) {
    const [mark, minutes] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof mark !== "string" || typeof minutes !== "number") continue;
    if (Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes) choices.set(mark, minutes);
  }
  return choices;
}
