/** Sentences about a refresh: why it failed, and what it changed. */
import type { RefreshState } from "../../workbook/refresh/refresh";
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

/** Returns how a failed refresh ended. Cells without a new answer show a number, a reason or nothing, and keep it. */
export function failureWords({ refreshed, cells, stale, error }: RefreshState): string {
  const reason = error?.message ?? "The refresh failed.";
  if (refreshed === 0) return `nothing refreshed. ${reason} Every cell keeps what it shows.`;
  const keeping = stale.length === 1 ? "keeps what it shows" : "keep what they show";
  return `${count(refreshed)} of ${counted(cells, "cell")} refreshed. ${counted(stale.length, "cell")} ${keeping}: ${reason}`;
}
