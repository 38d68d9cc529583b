/**
 * `npm run bench`: compiles, measures, prints the tables and writes them to results.md beside this file. `npm run bench -- PART …`
 * measures only some parts and replaces their sections. Only that measures `three-servers`, which has its own page. docs/bench.md
 * explains each part. Exits with 1 if INV misses a number that does not depend on the machine, or if a part does not finish.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { measureContenders } from "./contender-jobs.mjs";
import { runInJest, runOnServers, runWorker } from "./measuring.mjs";

/** The functions that measure each part, by the part's name. */
const pages = {
  "results.md": {
    contenders: measureContenders,
    alone: () => runWorker(["alone"]),
    excel: () => runInJest("excel-calls"),
    workbook: () => runInJest("workbook"),
  },
  "team-results.md": { "three-servers": () => runOnServers("three-servers", 3_600_000) },
};
const parts = Object.values(pages).flatMap((each) => Object.keys(each));
const named = process.argv.slice(2);
const names = named.length === 0 ? Object.keys(pages["results.md"]) : named;
const unknown = names.find((name) => !parts.includes(name));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}", only ${parts.join(", ")}.`);

for (const name of names) {
  const [page, measures] = Object.entries(pages).find(([, each]) => name in each);
  const found = await measures[name]().catch((error) => void process.stderr.write(`${error.message}\n`));
  if (!found?.isHonoured) process.exitCode = 1;
  if (!found) {
    process.stderr.write(`${name}: not finished; what is written stays as it is.\n`);
    continue;
  }
  process.stdout.write(`\n${found.text}`);
  const file = fileURLToPath(new URL(page, import.meta.url));
  writeFileSync(file, withSections(readFileSync(file, "utf8"), found.text));
}

/** The page with these sections, which replace those with the same headings. New ones come last. */
function withSections(page, text) {
  const sections = new Map();
  for (const section of [page, text].flatMap((each) => each.trim().split(/\n+(?=## )/))) {
    sections.set(section.split("\n", 1)[0], section);
  }
  return `${[...sections.values()].join("\n\n")}\n`;
}
