/** What the documents say of settings and figures is what the server has. `UPDATE_DOCS=1` writes it anew. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "../../src/server/metrics";
import { configurationReference } from "./settings/reference";

const docs = join(__dirname, "..", "..", "docs");
const configuration = join(docs, "configuration.md");
const deploy = join(docs, "deploy.md");
const figures = /(<!-- metrics -->\n)([\s\S]*?)(<!-- \/metrics -->)/;

/** Without the spaces and dashes with which the formatter lines tables up. */
function unaligned(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim();
}

async function figureTable(): Promise<string> {
  const text = await createMetrics().text();
  const rows = [...text.matchAll(/^# HELP (inv_\w+) (.*)$/gm)].map(
    ([, name, help]) => `| \`${name}\` | ${help} |`,
  );
  return ["| figure | what it means |", "| --- | --- |", ...rows].join("\n");
}

beforeAll(async () => {
  if (process.env["UPDATE_DOCS"] === undefined) return;
  writeFileSync(configuration, configurationReference());
  const table = await figureTable();
  const written = (_all: string, start: string, _old: string, end: string) => `${start}\n${table}\n\n${end}`;
  writeFileSync(deploy, readFileSync(deploy, "utf8").replace(figures, written));
});

it("docs/configuration.md has every setting as the schema has it", () => {
  expect(unaligned(readFileSync(configuration, "utf8"))).toBe(unaligned(configurationReference()));
});

it("docs/deploy.md says what each figure means", async () => {
  const found = figures.exec(readFileSync(deploy, "utf8"))?.[2] ?? "no section between the markers";
  expect(unaligned(found)).toBe(unaligned(await figureTable()));
});
