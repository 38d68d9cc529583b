/** Combines several results of one measurement, number by number, and formats the tables that show them. */

type Choose = (values: readonly number[]) => number;

/** For measurements to which other work of the machine only adds. */
export const least: Choose = (values) => Math.min(...values);

export const middle: Choose = (values) =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? NaN;

/** Values that are not numbers come from the first result. Null if there are no results. */
function ofSeveral<T extends object>(results: readonly (T | null)[], choose: Choose): T | null {
  const known = results.filter((result) => result !== null);
  if (known.length === 0) return null;
  const figures = Object.entries(known[0]!).map(([name, value]): [string, unknown] => [
    name,
    typeof value === "number" ? choose(known.map((each) => Reflect.get(each, name) as number)) : value,
  ]);
  return Object.fromEntries(figures) as T;
}

/** Combines the rounds of each title into one. */
export function byTitle<T extends { readonly title: string }>(
  rounds: readonly T[],
  choose: Choose,
): Map<string, T> {
  const titles = [...new Set(rounds.map(({ title }) => title))];
  const all = (title: string) => rounds.filter((round) => round.title === title);
  return new Map(titles.map((title) => [title, ofSeveral(all(title), choose)!]));
}

/** A Markdown table: the first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
