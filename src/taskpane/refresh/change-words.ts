import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * `14:03: 37 values changed, 5 went to zero, 3 came back.` These are cells; the result of the refresh counts answers, of
 * which one may fill many cells. A report of a refresh before the one that started at `refreshedFromMs` says so.
 */
export function changesInShort(report: ChangeReport, nowMs: number, refreshedFromMs: number | null): string {
  const { changes, toZero, fromZero, notAnswered, atMs } = report;
  const isEarlier = refreshedFromMs !== null && atMs < refreshedFromMs;
  if (isEarlier && changes.length === 0) return "";
  const parts = [`${counted(changes.length, notAnswered > 0 ? "answered value" : "value")} changed`];
  if (toZero > 0) parts.push(`${count(toZero)} went to zero`);
  if (fromZero > 0) parts.push(`${count(fromZero)} came back`);
  return `${isEarlier ? "Earlier refresh, " : ""}${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}
