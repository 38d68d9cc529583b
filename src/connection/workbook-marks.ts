/**
 * Stores facts about the open workbook on this device. The file contains only a random mark, and the device stores
 * the rest under that mark. A mark that came from another device has no entry here, and the first change replaces
 * it. A copy of the workbook has the same mark.
 */
import type { Workbook } from "../workbook/port";

export interface WorkbookMarkOptions {
  /** Null if the browser has no storage. What is stored then lasts as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Returns an unguessable mark that is different each time. */
  randomMark(): string;
  /** Null without a workbook. Rejects if the workbook couldn't be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting">> | null;
}

/** Maximum number of workbooks. Beyond it, the device forgets the one that was changed least recently. */
const mostWorkbooks = 300;

/**
 * @param names the `key` in the device's storage, and the workbook's `setting` that contains the mark
 * @param read checks a stored value, which may be old or broken. It returns null if the value is invalid.
 */
export function createWorkbookMarks<T>(
  { storage, partition, randomMark, workbook }: WorkbookMarkOptions,
  names: { readonly key: string; readonly setting: string },
  read: (value: unknown) => T | null,
) {
  const key = partition + names.key;
  let inPage = "[]";

  /** Returns the values by mark, the least recently changed first. */
  function readAll(): Map<string, T> {
    const found = new Map<string, T>();
    try {
      const stored: unknown = JSON.parse(storage?.getItem(key) ?? inPage);
      for (const entry of Array.isArray(stored) ? (stored as unknown[]) : []) {
        const [mark, raw] = Array.isArray(entry) ? (entry as unknown[]) : [];
        const value = read(raw);
        if (typeof mark === "string" && value !== null) found.set(mark, value);
      }
    } catch {
      // Nothing readable is stored.
    }
    return found;
  }

  function writeAll(values: Map<string, T>): void {
    inPage = JSON.stringify([...values].slice(-mostWorkbooks));
    try {
      storage?.setItem(key, inPage);
    } catch {
      // The storage is full or forbidden, so the values last as long as the page.
    }
  }

  return {
    /** Returns null if the device stores nothing for the workbook. Rejects if the workbook couldn't be read. */
    async find(): Promise<T | null> {
      const mark = (await (await workbook)?.setting(names.setting)) ?? null;
      return mark === null ? null : (readAll().get(mark) ?? null);
    },
    /** Stores the value that `next` returns; null removes it. Rejects if the workbook couldn't be marked. */
    async change(next: (stored: T | null) => T | null): Promise<void> {
      if (workbook === null) return;
      const open = await workbook;
      const stored = await open.setting(names.setting);
      const values = readAll();
      const isOurs = stored !== null && values.has(stored);
      const before = isOurs ? (values.get(stored) ?? null) : null;
      const after = next(before);
      if (after === before) return;
      const mark = isOurs ? stored : randomMark();
      values.delete(mark);
      if (after !== null) values.set(mark, after);
      writeAll(values);
      if (!isOurs) await open.setSetting(names.setting, mark);
    },
  };
}
