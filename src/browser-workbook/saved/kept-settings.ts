/**
 * What the browser workbook remembers from one loading of its page to the next: the environment that a person
 * chose for it, and the mark under which they allowed it. They outlast "Start over"; what is in the sheets is `saved-book`'s.
 */
import { environmentSetting, markSetting } from "../../workbook/settings";

export interface KeptSettings {
  /** Name and value of each, to be set before the add-in reads them. The page's own unless another was chosen. */
  all(): readonly (readonly [key: string, value: string])[];
  /** A setting of the workbook was written. */
  note(key: string, value: string): void;
  /** Another workbook begins: with this environment, or the page's own, and without a mark. */
  begin(environment: string | null): void;
}

const keptKeys: readonly string[] = [environmentSetting, markSetting];
const storagePrefix = "inv.workbook.";

/**
 * @param storage null where the browser gives none: then nothing is kept
 * @param environment the one the page begins with unless another was chosen
 */
export function createKeptSettings(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null,
  environment: string,
): KeptSettings {
  const prefix = environment === "demo" ? storagePrefix : `${storagePrefix}${environment}.`;

  function read(key: string): string | null {
    try {
      return storage?.getItem(prefix + key) ?? null;
    } catch {
      return null;
    }
  }

  function write(key: string, value: string | null): void {
    try {
      if (value === null) storage?.removeItem(prefix + key);
      else storage?.setItem(prefix + key, value);
    } catch {
      // Full or forbidden storage: the choice then lasts as long as the page.
    }
  }

  return {
    all: () =>
      keptKeys.flatMap((key) => {
        const value = read(key) ?? (key === environmentSetting ? environment : null);
        return value === null ? [] : [[key, value] as const];
      }),
    note(key, value) {
      if (keptKeys.includes(key)) write(key, value);
    },
    begin(given) {
      write(environmentSetting, given);
      write(markSetting, null);
    },
  };
}
