/** The line of the Refresh tab that sums up what the last refresh changed. */
import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * Returns `14:03: 37 cells changed, 2 had no value before.` The text says so if the report belongs to a refresh before the one
 * that started at `refreshedFromMs`.
 */
export function changesInShort(report: ChangeReport, nowMs: number, refreshedFromMs: number | null): string {
  const { changed, added, notCompared, atMs, isTooLarge } = report;
  const isEarlier = refreshedFromMs !== null && atMs < refreshedFromMs;
  if (isEarlier && changed.length + added.length === 0) return "";
  if (isTooLarge) {
    return "More than 200,000 values: INV didn't compare them. To see changes, refresh one sheet.";
  }
  const parts = [`${changed.length === 0 ? "no cell" : counted(changed.length, "cell")} changed`];
  if (added.length > 0) parts.push(`${count(added.length)} had no value before`);
  if (notCompared > 0) parts.push(`${count(notCompared)} not compared`);
  return `${isEarlier ? "Earlier refresh, " : ""}${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}
