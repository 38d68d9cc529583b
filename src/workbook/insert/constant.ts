/**
 * An argument that needs no sheet: a text, a whole number, TRUE or FALSE, TODAY() and days before it; null where it is left
 * out, undefined for anything else. Pure.
 */
import { serialFromMs } from "../../domain/dates";
import type { CellValue } from "../port";

export function constantOf(text: string, nowMs: number): CellValue | undefined {
  if (text === "") return null;
  if (/^(?:TRUE|FALSE)$/i.test(text)) return text.toUpperCase() === "TRUE";
  if (/^"(?:[^"]|"")*"$/.test(text)) return text.slice(1, -1).replaceAll('""', '"');
  if (/^\d+$/.test(text)) return Number(text);
  const daysAgo = /^TODAY\(\)(?:-(\d+))?$/i.exec(text);
  if (daysAgo === null) return undefined;
  const now = new Date(nowMs);
  // The planner's own day, as Excel's TODAY().
  return serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) - Number(daysAgo[1] ?? 0);
}
