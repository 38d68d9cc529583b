/**
 * Settings that are saved in the file. Office saves all settings of an add-in at once, from a copy that it read when the
 * workbook was opened (documented), so a save would undo a colleague's changes. Therefore INV reads the copy again before each
 * save. If the copy comes back empty (office-js 594), INV restores what it knew before. Saves run one after the other.
 */
import { InvError } from "../../domain/errors";
import * as names from "../settings";
import type { Workbook } from "../port";

export type OfficeSettings = Pick<Office.Settings, "get" | "set" | "saveAsync" | "refreshAsync">;

export function createOfficeSettings(settings: OfficeSettings): Pick<Workbook, "setting" | "setSetting"> {
  let before: Promise<unknown> = Promise.resolve();

  function read(key: string): string | null {
    const value: unknown = settings.get(key);
    return typeof value === "string" ? value : null;
  }

  async function save(key: string, value: string): Promise<void> {
    const valuesBefore = allKeys.map((each) => [each, read(each)] as const);
    await readAgain(settings);
    if (allKeys.every((each) => read(each) === null)) {
      for (const [each, was] of valuesBefore) if (was !== null) settings.set(each, was);
    }
    const replaced = read(key);
    settings.set(key, value);
    if (await isDone((callback) => settings.saveAsync(callback))) return;
    // Restore the old value, so that the next save doesn't contain the refused one.
    settings.set(key, replaced);
    throw notSaved();
  }

  return {
    setting: (key) => Promise.resolve(read(key)),
    setSetting(key, value) {
      const saving = before.then(() => save(key, value));
      before = saving.catch(() => undefined);
      return saving;
    },
  };
}

const allKeys: readonly string[] = Object.values(names);

/** Reads the settings again. Some hosts can't do that; they keep their copy. */
async function readAgain(settings: OfficeSettings): Promise<void> {
  await isDone((callback) => settings.refreshAsync(callback)).catch(() => undefined);
}

function isDone(run: (callback: (result: { readonly status: unknown }) => void) => void): Promise<boolean> {
  // Compare with text, because the enumeration is one of Office's globals.
  return new Promise((resolve) => run(({ status }) => resolve(String(status) === "succeeded")));
}

function notSaved(): InvError {
  return new InvError(
    "internal",
    "INV couldn't save this setting in the workbook. The workbook may be read-only: save a copy, then try again.",
  );
}
