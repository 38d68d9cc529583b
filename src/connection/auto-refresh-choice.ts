/**
 * Stores how often the open workbook refreshes automatically, for one workbook on one device. A workbook from
 * somebody else never refreshes automatically, because it must not use its readers' quota.
 */
import { createObservable, type Observable } from "../domain/notices";
import { autoRefreshIdSetting } from "../workbook/settings";
import { createTaskQueue } from "../domain/task-queue";
import { createWorkbookFacts, type WorkbookFactOptions } from "./workbook-facts";

/** Minutes between two refreshes. 0 means off. */
export interface AutoRefreshChoice extends Observable<number> {
  /**
   * Takes effect at once. Rejects if the workbook couldn't be changed. The choice then applies until the
   * workbook is closed.
   */
  choose(minutes: number): Promise<void>;
}

const mostMinutes = 24 * 60;

export function createAutoRefreshChoice(
  options: WorkbookFactOptions & {
    /** Sets whether INV starts automatically when this workbook is opened. */
    startWithWorkbook(starts: boolean): Promise<void>;
  },
): AutoRefreshChoice {
  const stored = createWorkbookFacts(
    options,
    { key: "inv.auto-refresh", setting: autoRefreshIdSetting },
    readMinutes,
  );
  const source = createObservable(0);
  const enqueue = createTaskQueue();
  let isChosen = false;

  async function recall(): Promise<void> {
    const minutes = await stored.find();
    if (!isChosen && minutes !== null) source.set(minutes);
  }

  async function keep(minutes: number): Promise<void> {
    if (options.workbook === null) return;
    await stored.change(() => (minutes === 0 ? null : minutes));
    await options.startWithWorkbook(minutes > 0);
  }

  // A workbook that can't be opened has no automatic refresh.
  recall().catch(() => undefined);

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

function readMinutes(value: unknown): number | null {
  const isValid = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= mostMinutes;
  return isValid ? value : null;
}
