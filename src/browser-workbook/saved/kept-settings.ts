/**
 * Settings that the browser workbook keeps between loads: the environment that a person chose for it, and the mark under
 * which they allowed it. They survive "Start over". `saved-book` keeps the sheets.
 */
import { environmentSetting, markSetting } from "../../workbook/settings";

export interface KeptSettings {
  /** Settings to write before the add-in reads them. The environment is the page's own unless another was chosen. */
  all(): readonly (readonly [key: string, value: string])[];
  /** Keeps a setting that was written to the workbook, if it is one of `keptKeys`. */
  note(key: string, value: string): void;
  /** Starts another workbook with this environment (null: the page's own) and without a mark. */
  begin(environment: string | null): void;
}

const keptKeys: readonly string[] = [environmentSetting, markSetting];
const storagePrefix = "inv.workbook.";

/**
 * @param storage null if the browser has none; then nothing is kept
 * @param environment the environment with which the page starts unless another was chosen
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
      // The storage is full or blocked: the choice lasts as long as the page.
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
