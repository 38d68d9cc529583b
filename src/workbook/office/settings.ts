/**
 * Settings that travel in the file. Office saves all of an add-in's settings at once, from a copy read when the
 * workbook was opened (documented), so a save would put back what a colleague has changed since. Therefore the
 * copy is read again before each save. Such a reading was seen to come back empty (office-js 594): then what
 * was known before is put back, and nothing empty is saved. Saves happen one after the other.
 */
import { InvError } from "../../domain/errors";
import * as names from "../settings";
import type { Workbook } from "../port";

export type OfficeSettings = Pick<Office.Settings, "get" | "set" | "saveAsync" | "refreshAsync">;

export function createOfficeSettings(settings: OfficeSettings): Pick<Workbook, "setting" | "setSetting"> {
  let before: Promise<unknown> = Promise.resolve();

  /** What is stored; null where there is none. */
  function read(key: string): string | null {
    const value: unknown = settings.get(key);
    return typeof value === "string" ? value : null;
  }

  async function save(key: string, value: string): Promise<void> {
    const known = allKeys.map((each) => [each, read(each)] as const);
    await readAgain(settings);
    if (allKeys.every((each) => read(each) === null)) {
      for (const [each, was] of known) if (was !== null) settings.set(each, was);
    }
    const replaced = read(key);
    settings.set(key, value);
    if (await isDone((told) => settings.saveAsync(told))) return;
    // The next save must not carry what this one was refused.
    settings.set(key, replaced);
    throw notSaved();
  }

  return {
    setting: (key) => Promise.resolve(read(key)),
    setSetting(key, value) {
      const own = before.then(() => save(key, value));
      before = own.catch(() => undefined);
      return own;
    },
  };
}

const allKeys: readonly string[] = Object.values(names);

/** A host that cannot is left with the copy it has. */
async function readAgain(settings: OfficeSettings): Promise<void> {
  await isDone((told) => settings.refreshAsync(told)).catch(() => undefined);
}

function isDone(run: (told: (result: { readonly status: unknown }) => void) => void): Promise<boolean> {
  // By its value: the enumeration itself is one of Office's globals.
  return new Promise((resolve) => run(({ status }) => resolve(String(status) === "succeeded")));
}

function notSaved(): InvError {
  return new InvError(
    "internal",
    "The workbook did not take the setting; it may be read-only. Save a copy of it, then try again.",
  );
}
