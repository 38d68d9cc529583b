/** docs/excel-check.md lists the steps for a person, which fit in 35 minutes. `UPDATE_DOCS=1` writes the page. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionChecks } from "./check-book";
import { manualSteps } from "./manual-steps";
import { formulaChecks } from "./formula-checks";

const root = join(__dirname, "..", "..");
const page = join(root, "docs", "excel-check.md");
const section = /(<!-- steps -->\n)([\s\S]*?)(<!-- \/steps -->)/;
const checks = [...formulaChecks, ...actionChecks];

function stepList(): string {
  const lines = manualSteps.map(
    ({ row, minutes, mac, act, expect }) =>
      `- **${row}** (${minutes} min${mac ? ", **Mac**" : ""}) ${withCode(act)}: _${withCode(expect)}_`,
  );
  return lines.join("\n");
}

/** Marks formulas as code, because Markdown interprets their characters. */
function withCode(words: string): string {
  return words.replace(/=[A-Z][\w.]*(?:\([^\s()]*\)?|\.[\w[][^\s,;]*(?: net\])?)/g, "`$&`");
}

beforeAll(() => {
  if (process.env["UPDATE_DOCS"] === undefined) return;
  const written = (_all: string, start: string, _old: string, end: string) =>
    `${start}\n${stepList()}\n\n${end}`;
  writeFileSync(page, readFileSync(page, "utf8").replace(section, written));
});

it("lists the steps for a person", () => {
  const found = section.exec(readFileSync(page, "utf8"))?.[2] ?? "no section between the markers";
  expect(found.trim()).toBe(stepList());
});

it("there are at most 20 steps, which fit in 35 minutes", () => {
  expect(manualSteps.length).toBeLessThanOrEqual(20);
  expect(manualSteps.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(35);
});

it("every check and step has its own id and names an existing file", () => {
  for (const ids of [checks.map(({ id }) => id), manualSteps.map(({ row }) => row)]) {
    expect(new Set<unknown>(ids).size).toBe(ids.length);
  }
  const files = [...checks, ...manualSteps]
    .map(({ reliedOnIn }) => reliedOnIn)
    .filter((file) => file !== "-");
  expect(
    files.filter((file) => !existsSync(join(root, file.startsWith("test/") ? "" : "src", file))),
  ).toEqual([]);
});
