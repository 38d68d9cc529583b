/** The README quotes six rows of the report, between its markers: where INV is first, and where it is not. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const readme = fileURLToPath(new URL(join("..", "..", "README.md"), import.meta.url));
const sheet = { least: "least", inv: "INV", loader: "dataloader, tick", window: "100 ms window" };
/** The README's words; the report's section, how the row begins there, and its columns. */
const rows = [
  ["calls for 100,000 cells that come 500 at a time", "## Calls", "**d2**", sheet],
  ["calls for 50,000 cells and three recalculations", "## Calls", "**g**", sheet],
  ["good cells that get their value, one in 1,000 being unknown", "## Good cells", "**unknown**", sheet],
  ["the same where the quota is 600 calls a minute", "## Good cells", "**quota**", sheet],
  ["one cell typed while 100,000 are under way", "## One cell", "typed while", sheet],
  [
    "processor time of a cell of the first sheet, in us; the others check nothing",
    "## The whole way",
    "first sheet",
    { inv: "INV.QTY", loader: "scalar function, dataloader", window: "scalar function, 100 ms window" },
  ],
];
const head = ["", "least possible", "INV", "dataloader", "a window of 100 ms"];
const link = "All of it, with processor time and memory: [test/bench/results.md](test/bench/results.md).";

/** Replaces what stands between the markers, and formats the README as the project's check wants it. */
export async function quoteInReadme(report) {
  const lines = rows.map(([words, section, row, columns]) => {
    const found = rowOf(report, section, row);
    return [words, ...Object.keys(sheet).map((column) => found[columns[column]] ?? "")];
  });
  const table = [head, head.map((_, at) => (at === 0 ? "---" : "---:")), ...lines].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  const block = ["<!-- bench -->", table.join("\n"), link, "<!-- /bench -->"].join("\n\n");
  const text = readFileSync(readme, "utf8").replace(/<!-- bench -->[\s\S]*<!-- \/bench -->/, () => block);
  writeFileSync(readme, await format(text, { ...(await resolveConfig(readme)), filepath: readme }));
}

/** A row of the section's first table that has it, by the table's headings. */
function rowOf(report, section, beginning) {
  const from = report.indexOf(section);
  const end = report.indexOf("\n## ", from + 1);
  const lines = report.slice(from, end < 0 ? undefined : end).split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${beginning}`));
  if (from < 0 || at < 0) throw new Error(`The report has no row "${beginning}" in "${section}".`);
  const cellsOf = (line) => line.split("|").map((cell) => cell.trim());
  const rule = lines.findLastIndex((line, place) => place < at && line.startsWith("| ---"));
  const cells = cellsOf(lines[at]);
  return Object.fromEntries(cellsOf(lines[rule - 1]).map((heading, column) => [heading, cells[column]]));
}
