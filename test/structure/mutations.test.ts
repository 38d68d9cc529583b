/** The planted faults' words are in the code, so that `npm run drills -- mutations` plants each of them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("every planted fault replaces words that are once in its file", () => {
  const run = join(__dirname, "..", "drills", "run.mjs");
  expect(execFileSync(process.execPath, [run, "mutations", "--check"], { encoding: "utf8" })).toBe("");
});
