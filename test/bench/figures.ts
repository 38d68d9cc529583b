/** Several results of one thing made one, figure by figure, and the tables that show them. */

type Choose = (values: readonly number[]) => number;

/** Where whatever else the machine does only adds. */
export const least: Choose = (values) => Math.min(...values);

export const middle: Choose = (values) =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? NaN;

/** What is no number is the first's; null where there is no result. */
export function ofSeveral<T extends object>(results: readonly (T | null)[], choose: Choose): T | null {
  const known = results.filter((result) => result !== null);
  if (known.length === 0) return null;
  const figures = Object.entries(known[0]!).map(([name, value]): [string, unknown] => [
    name,
    typeof value === "number" ? choose(known.map((each) => Reflect.get(each, name) as number)) : value,
  ]);
  return Object.fromEntries(figures) as T;
}

/** Of several rounds of each title, one. */
export function byTitle<T extends { readonly title: string }>(
  rounds: readonly T[],
  choose: Choose,
): Map<string, T> {
  const titles = [...new Set(rounds.map(({ title }) => title))];
  const all = (title: string) => rounds.filter((round) => round.title === title);
  return new Map(titles.map((title) => [title, ofSeveral(all(title), choose)!]));
}

/** As Markdown: the first column is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
