/** Reads a code block of a page of docs, so that a test can run it unchanged except for addresses, ports and paths. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @param at how many blocks of this language are before it */
export function documented(
  language: string,
  replaced: readonly (readonly [string | RegExp, string])[],
  { page = "several-servers.md", at = 0 } = {},
): string {
  const text = readFileSync(join(process.cwd(), "docs", page), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  let block = blocks[at]?.[1] ?? "";
  for (const [from, to] of replaced) {
    const before = block;
    block = block.replace(from, to);
    if (block === before) throw new Error(`docs/${page} has no ${String(from)} in its ${language} any more.`);
  }
  return block;
}
