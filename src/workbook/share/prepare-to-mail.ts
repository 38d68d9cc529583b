/**
 * Preparing a workbook to be mailed: its INV formulas are frozen in place, and whoever opens it with INV is
 * asked once whether to thaw them. Saving and sending are the person's.
 */
import type { FreezeAs } from "../frozen-formulas/freeze";
import type { FreezeReport } from "../frozen-formulas/report";
import type { Freezer, FrozenCells } from "../frozen-formulas/freezer-types";
import type { Workbook } from "../port";
import { mailedSetting } from "../settings";

export interface MailReport extends FreezeReport {
  /** What the file holds now; null when there was nothing to freeze. */
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
