/**
 * Whether a workbook may use remembered credentials without a question. Workbooks are mailed around: one that
 * somebody else made names an environment, and its formulas would connect unasked, carry figures out and
 * spend the company's quota. So a person allows each workbook once, for each environment but the demo.
 *
 * The yes is kept on this device, under a random mark that this device gave the workbook. A mark that came
 * in a file counts for nothing here, and is replaced at the first yes. Whoever holds a copy of a workbook
 * that was allowed holds its mark: what they put into that copy is allowed as well.
 */
import type { Environment } from "../domain/environment";
import type { Workbook } from "../workbook/port";
import { markSetting } from "../workbook/settings";

export interface Consent {
  /** Whether to ask before remembered credentials serve the open workbook. `storedId`: what the workbook names. */
  isNeeded(environment: Environment, storedId: string | null): Promise<boolean>;
  /** The person connected the open workbook to it: no question next time. */
  keep(environment: Environment): Promise<void>;
}

export interface ConsentOptions {
  /** Null where the browser gives none: then a yes holds as long as the page. */
  readonly storage: Pick<Storage, "getItem" | "setItem"> | null;
  readonly partition: string;
  /** Unguessable, and another each time. */
  randomMark(): string;
  /** Null where there is no workbook; rejects where it could not be opened. */
  readonly workbook: Promise<Pick<Workbook, "setting" | "setSetting" | "sheets" | "usedArea">> | null;
}

/** Workbooks of which a yes is kept on this device; beyond that, the oldest are asked about again. */
const mostMarks = 300;

/** Environments by the mark of the workbook, the longest known first. */
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
      // Full or forbidden storage: the yes then lasts as long as the page.
    }
  }

  return {
    isNeeded: async ({ id, kind }, storedId) => {
      if (kind === "demo" || workbook === null) return false;
      try {
        const open = await workbook;
        const mark = await open.setting(markSetting);
        if (mark !== null && read().get(mark)?.includes(id)) return false;
        // It names none. A new one is the person's own; one that holds anything may be anybody's: INV may stand
        // behind a name, or in a ledger, and what is plain today may be thawed in a moment.
        return storedId !== null || !(await isEmpty(open));
      } catch {
        // What cannot be looked at is not known.
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
        // Put last: it is the one used last.
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

/** What is stored may be old, broken or somebody else's. */
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
