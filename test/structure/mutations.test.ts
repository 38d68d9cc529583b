/** The code of each planted fault exists, so that `npm run drills -- mutations` plants all of them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("the code that a planted fault replaces is once in its file", () => {
  const run = join(__dirname, "..", "drills", "run.mjs");
  expect(execFileSync(process.execPath, [run, "mutations", "--check"], { encoding: "utf8" })).toBe("");
});
