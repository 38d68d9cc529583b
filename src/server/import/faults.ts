/**
 * Collects the bad rows of an import: their number by reason, and the first hundred with their lines. Its
 * memory use is bounded.
 */
import type { RowFault } from "./rows";

const shownRows = 100;
/** Reasons name columns, not values, so there are only a few. */
const mostReasons = 200;

export interface RowFaults {
  add(file: string, line: number, fault: RowFault): void;
  count(): number;
  report(): string[];
}

export function createRowFaults(): RowFaults {
  const first: string[] = [];
  const reasons = new Map<string, number>();
  let count = 0;
  return {
    add(file, line, { reason, detail }) {
      count += 1;
      if (first.length < shownRows) first.push(`  ${file}, line ${line}: ${detail}`);
      const key = `${file}: ${reason}`;
      if (reasons.has(key) || reasons.size < mostReasons) reasons.set(key, (reasons.get(key) ?? 0) + 1);
    },
    count: () => count,
    report() {
      if (count === 0) return [];
      const more = count > first.length ? [`  and ${count - first.length} more`] : [];
      const sums = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, rows]) => `  ${rows} x ${reason}`);
      return [
        `${count} ${count === 1 ? "row" : "rows"} can't be imported:`,
        ...first,
        ...more,
        "By reason:",
        ...sums,
      ];
    },
  };
}
