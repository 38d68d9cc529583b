/** The README quotes the report's sections on the whole way, calls, time and lost cells, between its markers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const readme = fileURLToPath(new URL(join("..", "..", "README.md"), import.meta.url));
const titles = [
  "## The whole way",
  "## Calls",
  "## Time to the last value",
  "## Good cells that got their value",
];
const link = "All of it, with processor time and memory: [test/bench/results.md](test/bench/results.md).";

/** Replaces what stands between the markers, and formats the README as the project's check wants it. */
export async function quoteInReadme(report) {
  const quoted = titles.map((title) => {
    const section = report.slice(report.indexOf(title));
    return `#${section.slice(0, section.indexOf("\n## ", 1)).trim()}`;
  });
  const block = ["<!-- bench -->", ...quoted, link, "<!-- /bench -->"].join("\n\n");
  const text = readFileSync(readme, "utf8").replace(/<!-- bench -->[\s\S]*<!-- \/bench -->/, () => block);
  writeFileSync(readme, await format(text, { ...(await resolveConfig(readme)), filepath: readme }));
}
