/** The bad rows of an import: how many, by reason, and the first hundred with their lines. Bounded, however many come. */
import type { RowFault } from "./rows";

const shownRows = 100;
/** Reasons name columns, not values, so there are few; more than these would be a mistake of ours. */
const mostReasons = 200;

export interface RowFaults {
  add(file: string, line: number, fault: RowFault): void;
  count(): number;
  /** Lines for a person; none where nothing is wrong. */
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
        `${count} ${count === 1 ? "row" : "rows"} cannot be taken:`,
        ...first,
        ...more,
        "In all:",
        ...sums,
      ];
    },
  };
}
