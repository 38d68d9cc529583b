/** What a refresh has changed, in sentences. Pure. */
import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * `14:03: 37 values changed, 5 went to zero, 3 came back.` The headline of the refresh counts the values that were
 * answered, so no other count stands beside it: here cells are compared, of which one answer may fill many.
 */
export function changesInShort(report: ChangeReport, nowMs: number): string {
  const { changes, toZero, fromZero, notAnswered, atMs } = report;
  const parts = [`${counted(changes.length, notAnswered > 0 ? "answered value" : "value")} changed`];
  if (toZero > 0) parts.push(`${count(toZero)} went to zero`);
  if (fromZero > 0) parts.push(`${count(fromZero)} came back`);
  return `${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}

/** What that leaves out, one sentence each. */
export function changeNotes(report: ChangeReport): readonly string[] {
  const { compared, onlySheet, isCut, withoutValue } = report;
  const notes: string[] = [`${counted(compared, "cell")} compared.`];
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
