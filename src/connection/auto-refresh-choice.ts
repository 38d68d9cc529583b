/**
 * Stores how often the open workbook refreshes automatically, for one workbook on one device. The file
 * contains only a random mark, and the device stores the minutes under that mark. A workbook from somebody
 * else never refreshes automatically, because it must not use its readers' quota.
 */
import { createSource, type Source } from "../domain/notices";
import type { Workbook } from "../workbook/port";
import { autoRefreshSetting } from "../workbook/settings";
import { createTaskQueue } from "./task-queue";

/** Minutes between two refreshes. 0 means off. */
export interface AutoRefreshChoice extends Source<number> {
  /**
   * Takes effect at once. Rejects if the workbook couldn't be marked. The choice then applies until the
   * workbook is closed.
   */
  choose(minutes: number): Promise<void>;
}

export interface AutoRefreshChoiceOptions {
  /** Null if the browser has no storage. The choice then lasts as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Returns an unguessable mark that is different each time. */
  randomMark(): string;
  /** Null without a workbook. Rejects if the workbook couldn't be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting">> | null;
  /** Sets whether INV starts automatically when this workbook is opened. */
  startWithWorkbook(starts: boolean): Promise<void>;
}

/** Maximum number of workbooks with a choice. Beyond it, the oldest no longer refresh automatically. */
const mostWorkbooks = 300;
const mostMinutes = 24 * 60;

/** Minutes by the workbook's mark, oldest choice first. */
type Choices = Map<string, number>;

export function createAutoRefreshChoice(options: AutoRefreshChoiceOptions): AutoRefreshChoice {
  const { storage, partition, randomMark, workbook, startWithWorkbook } = options;
  const key = `${partition}inv.auto-refresh`;
  const source = createSource(0);
  const enqueue = createTaskQueue();
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
      // The storage is full or forbidden, so the choice lasts as long as the page.
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
    // Move to the end: most recently chosen.
    choices.delete(mark);
    write(choices.set(mark, minutes));
    if (!isOurs) await open.setSetting(autoRefreshSetting, mark);
    return startWithWorkbook(true);
  }

  // A workbook that can't be opened has no automatic refresh.
  void recall().catch(() => undefined);

  return {
    get: source.get,
    subscribe: source.subscribe,
    choose(minutes) {
      isChosen = true;
      source.set(minutes);
      return enqueue(() => keep(minutes));
    },
  };
}

/** Checks the stored data, which may be old or broken. */
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
