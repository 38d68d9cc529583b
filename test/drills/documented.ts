/** Reads a code block of docs/several-servers.md, so that a drill can run it unchanged except for ports and paths. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function documented(
  language: string,
  replaced: readonly (readonly [string | RegExp, string])[],
): string {
  const text = readFileSync(join(process.cwd(), "docs/several-servers.md"), "utf8");
  let block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(text)?.[1] ?? "";
  for (const [from, to] of replaced) {
    const before = block;
    block = block.replace(from, to);
    if (block === before) {
      throw new Error(`docs/several-servers.md has no ${String(from)} in its ${language} any more.`);
    }
  }
  return block;
}
