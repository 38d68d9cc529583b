import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * Returns `14:03: 37 values changed, 5 went to zero, 3 came back.` The numbers are cells. The result of a refresh counts
 * answers instead, and one answer may fill many cells. The text says so if the report belongs to a refresh before the one that
 * started at `refreshedFromMs`.
 */
export function changesInShort(report: ChangeReport, nowMs: number, refreshedFromMs: number | null): string {
  const { changes, compared, notCompared, toZero, fromZero, notAnswered, atMs, isTooLarge } = report;
  const isEarlier = refreshedFromMs !== null && atMs < refreshedFromMs;
  if (isEarlier && changes.length === 0) return "";
  if (isTooLarge) {
    return "More than 200,000 cells: INV didn't compare them. To see changes, refresh one sheet.";
  }
  const isEdited = notCompared.length > 0;
  const which = isEdited ? "compared value" : notAnswered > 0 ? "answered value" : "value";
  const parts = [
    isEdited && compared === 0 ? "no values compared" : `${counted(changes.length, which)} changed`,
  ];
  if (toZero > 0) parts.push(`${count(toZero)} went to zero`);
  if (fromZero > 0) parts.push(`${count(fromZero)} came back`);
  return `${isEarlier ? "Earlier refresh, " : ""}${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}
