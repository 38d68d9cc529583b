/** The texts and numbers of a template. People see them before they publish it, and INV searches them for items. */
import { tokensOf } from "../../formula/tokens";
import type { Template } from "./template";

/** Returns each text and number of cells, headers, notes, formulas and rules once, in their order. */
export function constantsOf({
  table,
  blocks = [],
  grid,
  notes = [],
  highlights = [],
}: Template): readonly string[] {
  const columns = table?.columns ?? [];
  const contents: unknown[] = [
    ...columns.flatMap(({ header, cell, note }) => [header, cell, note]),
    ...blocks.flatMap(({ rows }) => rows.flat()),
    ...(table?.beside?.rows.flat() ?? []),
    ...notes.map(({ text }) => text),
    grid?.formula,
    ...columns.map(({ highlight }) => highlight),
    ...[...(table?.highlights ?? []), ...highlights].map(({ rule }) => rule),
    ...(grid?.highlights ?? []),
  ].map((content) =>
    typeof content === "object" && content?.kind === "formula" ? content.formula : content,
  );
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

/** Returns why the template can't be published, as a sentence; null if it contains no stores and items of its own. */
export function whyUnpublishable(template: Template): string | null {
  const cells = template.table?.columns.map(({ cell }) => cell) ?? [];
  if (!cells.includes("{store}") || !cells.includes("{item}")) {
    return "INV found no table of stores and items, so they would be published too. Put headers into row 1 and stores and items below.";
  }
  const item = itemAmong(constantsOf(template));
  return item === null ? null : `"${item}" looks like an item. Remove it from the sheet, then try again.`;
}

/** Returns the first constant that looks like an item; null if there is none. */
export function itemAmong(constants: readonly string[]): string | null {
  return constants.find((constant) => /(?<!\d)\d{8,14}(?!\d)/.test(constant)) ?? null;
}
