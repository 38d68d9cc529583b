/**
 * The mark that a template is being built, and what it is for: nothing half-made stays in a workbook. It names the
 * sheet by its id and its name, so that a sheet of a person's own is never taken for it.
 */
import type { SheetInfo, Workbook } from "../port";
import { buildingSetting } from "../settings";

export async function markHalfMade(workbook: Workbook, name: string): Promise<void> {
  const sheet = (await workbook.sheets()).find((each) => each.name === name);
  if (sheet) await workbook.setSetting(buildingSetting, markOf(sheet));
}

/** It is whole. */
export function unmarkHalfMade(workbook: Workbook): Promise<void> {
  return workbook.setSetting(buildingSetting, "");
}

/** Takes away the sheet of a build that was cut off. Resolves with its name; null where there was none. */
export async function removeHalfMade(workbook: Workbook): Promise<string | null> {
  const mark = await workbook.setting(buildingSetting);
  if (mark === null || mark === "") return null;
  const sheet = (await workbook.sheets()).find((each) => markOf(each) === mark);
  if (sheet) await workbook.deleteSheet(sheet.name);
  await unmarkHalfMade(workbook);
  return sheet?.name ?? null;
}

function markOf({ id, name }: SheetInfo): string {
  return `${id} ${name}`;
}
