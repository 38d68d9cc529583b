/** docs/claims.md names an existing test for each claim. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const text = readFileSync(join(root, "docs", "claims.md"), "utf8");
const claims = text
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (claim|-+) /.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, 3)
      .map((cell) => cell.trim()),
  );

it("docs/claims.md makes claims", () => {
  expect(claims.length).toBeGreaterThan(15);
});

it.each(claims)("“%s” has an existing test", (_claim, tests) => {
  const named = [...tests.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("every test in docs/claims.md exists", () => {
  const named = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
