/**
 * What is in the ledger, for people: each formula with its cell and what a thaw would say of it, and the way to
 * drop lines that nobody wants back. Looking changes nothing.
 */
import { cellKey } from "../addresses";
import { type Ledger, type LedgerLine, sheetsOf } from "./ledger";
import type { FrozenLine } from "./freezer-types";
import type { ThawTools } from "./thaw";
import { planThaw } from "./thaw-plan";

export async function listLines({ workbook, ledger }: ThawTools): Promise<readonly FrozenLine[]> {
  const content = await ledger.read();
  if (content === null) return [];
  const { refused } = await planThaw(workbook, content.lines, () => true);
  const reasons = new Map(refused.map(({ line, reason }) => [line.entry, reason]));
  const lines = content.lines.map((line): FrozenLine => ({
    id: idOf(line),
    writer: line.row.sheet,
    cell: line.places[0].at ?? line.entry.ref,
    isThere: line.places[0].at !== null,
    formula: line.entry.formula,
    writtenAt: line.entry.writtenAt,
    refusal: reasons.get(line.entry) ?? null,
  }));
  return [...new Map(lines.map((line) => [line.id, line])).values()];
}

/** Their cells keep what they hold. Returns how many there were: others may have thawed some meanwhile. */
export async function forgetLines(ledger: Ledger, ids: readonly string[]): Promise<number> {
  const wanted = new Set(ids);
  const lines = ((await ledger.read())?.lines ?? []).filter((line) => wanted.has(idOf(line)));
  await ledger.drop(lines);
  await ledger.tidy(sheetsOf(lines));
  return lines.length;
}

/** Two people may have frozen the same formula: their lines have one id. */
export function idOf({ entry }: LedgerLine): string {
  return [cellKey(entry.ref), entry.sheetId, entry.formula, entry.refersTo].join("\n");
}
