/**
 * Prepares a workbook for mail: freezes its INV formulas in place. INV asks each person who opens it with INV once whether to
 * thaw them. The person who prepared it saves and sends it.
 */
import type { FreezeAs } from "../frozen-formulas/freeze";
import type { FreezeReport } from "../frozen-formulas/report";
import type { Freezer, FrozenCells } from "../frozen-formulas/freezer-types";
import type { Workbook } from "../port";
import { mailedSetting } from "../settings";

export interface MailReport extends FreezeReport {
  /** What the file contains after the freeze; null if there was nothing to freeze. */
  readonly frozen: FrozenCells | null;
}

/** @param as `values`: readers see numbers with their age; `blank`: nothing leaves the company */
export async function prepareToMail(
  { workbook, freezer }: { readonly workbook: Workbook; readonly freezer: Freezer },
  as: FreezeAs,
): Promise<MailReport> {
  const report = await freezer.freeze("workbook", as);
  const frozen = await freezer.frozen();
  if (frozen !== null) await workbook.setSetting(mailedSetting, "offer");
  return { ...report, frozen };
}
