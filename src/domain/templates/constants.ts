/** What a template holds besides formulas: shown before it is published, and searched for what must stay behind. */
import { tokensOf } from "../../formula/tokens";
import type { Template } from "./template";

/** Texts and numbers of its cells, headers and notes, and those within its formulas; each once, in their order. */
export function constantsOf({ table, blocks = [], grid, notes = [] }: Template): readonly string[] {
  const columns = table?.columns ?? [];
  const contents: unknown[] = [
    ...columns.flatMap(({ header, cell, note }) => [header, cell, note]),
    ...blocks.flatMap(({ rows }) => rows.flat()),
    ...(table?.beside?.rows.flat() ?? []),
    ...notes.map(({ text }) => text),
    grid?.formula,
  ];
  return [...new Set(contents.flatMap(constantsIn))];
}

function constantsIn(content: unknown): readonly string[] {
  if (typeof content === "number") return [String(content)];
  if (typeof content !== "string" || content === "" || content === "{store}" || content === "{item}") {
    return [];
  }
  if (!content.startsWith("=")) return [content];
  return tokensOf(content).flatMap(({ kind, text }) => {
    if (kind === "number") return [text];
    return kind === "text" && text.length > 2 ? [text.slice(1, -1).replaceAll('""', '"')] : [];
  });
}

/** Why it can't be published, in a sentence; null where it can: its stores and items are those of whoever builds it. */
export function unpublishable(template: Template): string | null {
  const cells = template.table?.columns.map(({ cell }) => cell) ?? [];
  if (!cells.includes("{store}") || !cells.includes("{item}")) {
    return "No table of stores and items was recognised, so they would be published too. Put headers into row 1 and stores and items below.";
  }
  const item = constantsOf(template).find((constant) => /(?<!\d)\d{8,14}(?!\d)/.test(constant));
  return item === undefined
    ? null
    : `"${item}" looks like an item. Remove it from the sheet, then try again.`;
}
