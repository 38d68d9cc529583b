/** What a refresh has changed, in sentences. Pure. */
import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * `14:03: 37 of 125 answered values changed, 5 went to zero, 3 came back. 746 not answered.` Values that were not answered
 * are never counted as unchanged.
 */
export function changesInShort(report: ChangeReport, nowMs: number): string {
  const { compared, changes, toZero, fromZero, notAnswered, atMs } = report;
  const values = notAnswered > 0 ? "answered values" : "values";
  const parts = [`${count(changes.length)} of ${count(compared)} ${values} changed`];
  if (toZero > 0) parts.push(`${count(toZero)} went to zero`);
  if (fromZero > 0) parts.push(`${count(fromZero)} came back`);
  const rest = notAnswered > 0 ? ` ${count(notAnswered)} not answered.` : "";
  return `${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.${rest}`;
}

/** What that leaves out, one sentence each. */
export function changeNotes(report: ChangeReport): readonly string[] {
  const { onlySheet, isCut, withoutValue } = report;
  const notes: string[] = [];
  if (onlySheet !== null) {
    const part = isCut ? `the first 200,000 cells of "${onlySheet}"` : `the sheet "${onlySheet}"`;
    notes.push(`More than 200,000 cells were refreshed; only ${part}, in view then, could be compared.`);
  }
  if (withoutValue > 0) {
    const have = withoutValue === 1 ? "has" : "have";
    notes.push(`${counted(withoutValue, "cell")} more had no value before, or ${have} none now.`);
  }
  return notes;
}
