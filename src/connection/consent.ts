/**
 * Decides whether a workbook may use remembered credentials without asking. People email workbooks. A
 * workbook from somebody else names an environment, and its formulas would connect, send figures out and use
 * the company's quota. So a person allows each workbook once for each environment, except those with public accounts.
 * An ID that came with a file doesn't count. A copy of an allowed workbook has the same ID, so whatever is
 * added to the copy is allowed too.
 */
import type { Environment } from "../domain/environment";
import type { Workbook } from "../workbook/port";
import { consentIdSetting } from "../workbook/settings";
import { createWorkbookFacts, type WorkbookFactOptions } from "./workbook-facts";

export interface Consent {
  /**
   * Returns whether to ask before the open workbook uses remembered credentials. `storedId` is the workbook's
   * environment.
   */
  isNeeded(environment: Environment, storedId: string | null): Promise<boolean>;
  keep(environment: Environment): Promise<void>;
}

type ConsentWorkbook = Pick<Workbook, "setting" | "setSetting" | "sheets" | "usedArea">;

export function createConsent(
  options: WorkbookFactOptions & { readonly workbook: Promise<ConsentWorkbook> | null },
): Consent {
  const { workbook } = options;
  const allowed = createWorkbookFacts(options, { key: "inv.consents", setting: consentIdSetting }, readIds);
  return {
    isNeeded: async ({ id, accounts }, storedId) => {
      if (accounts !== undefined || workbook === null) return false;
      try {
        if ((await allowed.find())?.includes(id)) return false;
        // A new, empty workbook is the person's own. Any other may be somebody else's, with INV formulas in
        // names or hidden sheets.
        return storedId !== null || !(await isEmpty(await workbook));
      } catch {
        return true;
      }
    },
    keep: async ({ id, accounts }) => {
      if (accounts !== undefined) return;
      await allowed.change((ids) => (ids?.includes(id) ? ids : [...(ids ?? []), id]));
    },
  };
}

async function isEmpty(workbook: ConsentWorkbook): Promise<boolean> {
  for (const { name } of await workbook.sheets()) {
    if ((await workbook.usedArea(name)) !== null) return false;
  }
  return true;
}

function readIds(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : null;
}
