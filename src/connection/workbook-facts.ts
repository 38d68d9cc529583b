/**
 * Stores facts about the open workbook on this device. The file contains only a random ID, and the device stores
 * the rest under that ID. An ID that came from another device has no entry here, and the first change replaces
 * it. A copy of the workbook has the same ID.
 */
import type { Workbook } from "../workbook/port";

export interface WorkbookFactOptions {
  /** Null if the browser has no storage. What is stored then lasts as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Returns an unguessable ID that is different each time. */
  randomId(): string;
  /** Null without a workbook. Rejects if the workbook couldn't be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting">> | null;
}

/** Maximum number of workbooks. Beyond it, the device forgets the one that was changed least recently. */
const mostWorkbooks = 300;

/**
 * @param names the `key` in the device's storage, and the workbook's `setting` that contains the ID
 * @param read checks a stored value, which may be old or broken. It returns null if the value is invalid.
 */
export function createWorkbookFacts<T>(
  { storage, partition, randomId, workbook }: WorkbookFactOptions,
  names: { readonly key: string; readonly setting: string },
  read: (value: unknown) => T | null,
) {
  const key = partition + names.key;
  let inPage = "[]";

  /** Returns the values by ID, the least recently changed first. */
  function readAll(): Map<string, T> {
    const found = new Map<string, T>();
    try {
      const stored: unknown = JSON.parse(storage?.getItem(key) ?? inPage);
      for (const entry of Array.isArray(stored) ? (stored as unknown[]) : []) {
        const [id, raw] = Array.isArray(entry) ? (entry as unknown[]) : [];
        const value = read(raw);
        if (typeof id === "string" && value !== null) found.set(id, value);
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
      const id = (await (await workbook)?.setting(names.setting)) ?? null;
      return id === null ? null : (readAll().get(id) ?? null);
    },
    /** Stores the value that `next` returns; null removes it. Rejects if the workbook couldn't be changed. */
    async change(next: (stored: T | null) => T | null): Promise<void> {
      if (workbook === null) return;
      const open = await workbook;
      const stored = await open.setting(names.setting);
      const values = readAll();
      const isOurs = stored !== null && values.has(stored);
      const before = isOurs ? (values.get(stored) ?? null) : null;
      const after = next(before);
      if (after === before) return;
      const id = isOurs ? stored : randomId();
      values.delete(id);
      if (after !== null) values.set(id, after);
      writeAll(values);
      if (!isOurs) await open.setSetting(names.setting, id);
    },
  };
}
