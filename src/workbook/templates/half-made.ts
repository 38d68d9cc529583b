/** The mark that a template is being built, and what it is for: nothing half-made stays in a workbook. */
import type { Workbook } from "../port";
import { buildingSetting } from "../settings";

/** Takes away the sheet of a build that was cut off. Resolves with its name; null where there was none. */
export async function removeHalfMade(workbook: Workbook): Promise<string | null> {
  const sheet = await workbook.setting(buildingSetting);
  if (sheet === null || sheet === "") return null;
  await workbook.deleteSheet(sheet);
  await workbook.setSetting(buildingSetting, "");
  return sheet;
}
