/** What several results come to, and the tables that show them. */

export function middle(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? NaN;
}

/** A Markdown table: the first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
