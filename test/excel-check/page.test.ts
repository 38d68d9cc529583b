/** The page of the check in real Excel lists the same checks and steps as the workbook, and what is left fits in an hour. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { actionChecks } from "./check-book";
import { eyesSteps } from "./eyes";
import { formulaChecks } from "./formula-checks";

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "excel-check.md"), "utf8");
const checks = [...formulaChecks, ...actionChecks];

/** The cells of the table below a heading, without the padding of the page. */
function tableBelow(heading: string): string[][] {
  const text = page.slice(page.indexOf(`## ${heading}`)).split("\n## ")[0]!;
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  const cells = lines.map((line) => line.slice(1, -1).split(/(?<!\\)\|/));
  return cells
    .slice(2)
    .map((row) => row.map((cell) => cell.trim().replaceAll("\\|", "|").replaceAll("`", "")));
}

it("names what the workbook judges", () => {
  expect(tableBelow("What the workbook judges")).toEqual(
    checks.map(({ fact, expected, sure, source, heldIn }) => [
      fact,
      expected === null ? "noted" : String(expected),
      source === undefined ? sure : `${sure}: ${source}`,
      heldIn,
    ]),
  );
});

it("lists the steps for a person's eyes, which fit in an hour", () => {
  expect(tableBelow("What needs a person's eyes")).toEqual(
    eyesSteps.map(({ row, minutes, mac, act, expect, sure, heldIn }) => [
      String(row),
      String(minutes),
      mac ? `**Mac** ${act}` : act,
      expect,
      sure,
      heldIn,
    ]),
  );
  expect(eyesSteps.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(60);
});

it("every check and step has an id of its own, and names a file that is there", () => {
  for (const ids of [checks.map(({ id }) => id), eyesSteps.map(({ row }) => row)]) {
    expect(new Set<unknown>(ids).size).toBe(ids.length);
  }
  const files = [...checks, ...eyesSteps].map(({ heldIn }) => heldIn).filter((file) => file !== "-");
  expect(
    files.filter((file) => !existsSync(join(root, file.startsWith("test/") ? "" : "src", file))),
  ).toEqual([]);
});
