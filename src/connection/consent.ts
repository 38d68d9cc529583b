/**
 * Decides whether a workbook may use remembered credentials without asking. People email workbooks. A
 * workbook from somebody else names an environment, and its formulas would connect, send figures out and use
 * the company's quota. So a person allows each workbook once for each environment, except the demo.
 * The answer is stored on this device under a random mark that this device wrote into the workbook. A mark
 * that came with a file doesn't count, and the first consent replaces it. A copy of an allowed workbook has
 * the same mark, so whatever is added to the copy is allowed too.
 */
import type { Environment } from "../domain/environment";
import type { Workbook } from "../workbook/port";
import { markSetting } from "../workbook/settings";

export interface Consent {
  /**
   * Returns whether to ask before the open workbook uses remembered credentials. `storedId` is the workbook's
   * environment.
   */
  isNeeded(environment: Environment, storedId: string | null): Promise<boolean>;
  keep(environment: Environment): Promise<void>;
}

export interface ConsentOptions {
  /** Null if the browser has no storage. A consent then lasts as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Returns an unguessable mark that is different each time. */
  randomMark(): string;
  /** Null without a workbook. Rejects if the workbook couldn't be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting" | "sheets" | "usedArea">> | null;
}

/** Maximum number of allowed workbooks on this device. Beyond it, INV asks again about the oldest. */
const mostMarks = 300;

/** Environments by the workbook's mark, oldest first. */
type Allowed = Map<string, readonly string[]>;

export function createConsent({ storage, partition, randomMark, workbook }: ConsentOptions): Consent {
  const key = `${partition}inv.consents`;
  let inPage: string | null = null;

  function read(): Allowed {
    try {
      return readAllowed(JSON.parse(storage?.getItem(key) ?? inPage ?? "[]"));
    } catch {
      return new Map();
    }
  }

  function write(allowed: Allowed): void {
    inPage = JSON.stringify([...allowed].slice(-mostMarks));
    try {
      storage?.setItem(key, inPage);
    } catch {
      // The storage is full or forbidden, so the consent lasts as long as the page.
    }
  }

  return {
    isNeeded: async ({ id, kind }, storedId) => {
      if (kind === "demo" || workbook === null) return false;
      try {
        const open = await workbook;
        const mark = await open.setting(markSetting);
        if (mark !== null && read().get(mark)?.includes(id)) return false;
        // A new, empty workbook is the person's own. Any other may be somebody else's, with INV formulas in
        // names or frozen formulas.
        return storedId !== null || !(await isEmpty(open));
      } catch {
        return true;
      }
    },
    keep: async ({ id, kind }) => {
      if (kind === "demo" || workbook === null) return;
      const open = await workbook;
      const allowed = read();
      const stored = await open.setting(markSetting);
      const isOurs = stored !== null && allowed.has(stored);
      const mark = isOurs ? stored : randomMark();
      const known = allowed.get(mark) ?? [];
      if (!known.includes(id)) {
        // Move to the end: most recently used.
        allowed.delete(mark);
        write(allowed.set(mark, [...known, id]));
      }
      if (!isOurs) await open.setSetting(markSetting, mark);
    },
  };
}

async function isEmpty(workbook: Pick<Workbook, "sheets" | "usedArea">): Promise<boolean> {
  for (const { name } of await workbook.sheets()) {
    if ((await workbook.usedArea(name)) !== null) return false;
  }
  return true;
}

/** Checks the stored data, which may be old or broken. */
function readAllowed(value: unknown): Allowed {
  const allowed: Allowed = new Map();
  if (!Array.isArray(value)) return allowed;
  for (const entry of value as unknown[]) {
    if (!Array.isArray(entry)) continue;
    const [mark, ids] = entry as unknown[];
    if (typeof mark !== "string" || !Array.isArray(ids)) continue;
    allowed.set(
      mark,
      ids.filter((id) => typeof id === "string"),
    );
  }
  return allowed;
}
