/** docs/claims.md names an existing test for each claim. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const text = readFileSync(join(root, "docs", "claims.md"), "utf8");
const claims = [...text.matchAll(/^- (.+) \((`[^()]+`)\)$/gm)].map(([, claim = "", tests = ""]) => ({
  claim,
  files: [...tests.matchAll(/`([\w./-]+)`/g)].map(([, name]) => `test/${name}.test.ts`),
}));

it("each line of docs/claims.md is a claim with tests", () => {
  expect(claims.length).toBeGreaterThan(15);
  expect(claims.length).toBe([...text.matchAll(/^- /gm)].length);
});

it.each(claims)("“$claim” has an existing test", ({ files }) => {
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
