/** What a refresh has changed, in sentences. Pure. */
import type { ChangeReport } from "../../workbook/what-changed/report";
import { count, counted, timeOfDay } from "../parts/words";

/**
 * `14:03: 37 of 871 changed, 5 went to zero, 3 came back.` Where formulas fill several cells there are more values than
 * cells that were refreshed, which stand beside it: then both are told.
 */
export function changesInShort(report: ChangeReport, nowMs: number): string {
  const { compared, formulas, changes, toZero, fromZero, atMs } = report;
  const values = compared > formulas ? ` values of ${counted(formulas, "formula")}` : "";
  const parts = [`${count(changes.length)} of ${count(compared)}${values} changed`];
  if (toZero > 0) parts.push(`${count(toZero)} went to zero`);
  if (fromZero > 0) parts.push(`${count(fromZero)} came back`);
  return `${timeOfDay(atMs, nowMs)}: ${parts.join(", ")}.`;
}

/** What that leaves out, one sentence each. */
export function changeNotes(report: ChangeReport): readonly string[] {
  const { onlySheet, isCut, notAnswered, withoutValue } = report;
  const notes: string[] = [];
  if (onlySheet !== null) {
    const part = isCut ? `the first 200,000 cells of "${onlySheet}"` : `the sheet "${onlySheet}"`;
    notes.push(`More than 200,000 cells were refreshed; only ${part}, in view then, could be compared.`);
  }
  if (notAnswered > 0) {
    notes.push(`${counted(notAnswered, "cell")} not answered: no change is known of.`);
  }
  if (withoutValue > 0) {
    notes.push(
      `${counted(withoutValue, "cell")} more had no value before, or ${has(withoutValue)} none now.`,
    );
  }
  return notes;
}

function has(cells: number): string {
  return cells === 1 ? "has" : "have";
}
