/**
 * `npm run drills -- mutations`: plants the faults of the lists beside this file, one at a time, each in a copy of the
 * tree, and runs the test that has to find it, several at once. `… -- mutations engine server/shared-quota` plants those of
 * some folders of `src`, and `… -- mutations --check` plants none: it only reports faults whose code is no longer in their file, or
 * whose test is gone. Exits with 1 if a fault survives, its test takes too long, or its code is missing.
 *
 * A fault in a list is some lines, followed by a blank one: its effect; its file in `src`, two spaces, and the unit test in
 * `test` that finds it; after `- ` the code, which is once in that file; after `+ ` the replacement.
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fail, root } from "../../src/start/prepare.mjs";

/** A test that takes longer has found nothing: it may wait for a fault's effect, or for a processor. */
const longestMs = 180_000;
const notCopied = [".cache", ".git", "dist", "node_modules"];
const processors = os.availableParallelism();

const skipped = "skipped, because its test needs something that is missing here";

/** @param names beginnings of file names in `src`; empty for all; or `--check` */
export async function runMutations(names) {
  const all = readFaults();
  const outdated = all.filter(({ file, before }) => timesIn(sourceText(root, file), before) !== 1);
  if (outdated.length > 0) {
    fail(
      `The code of these faults isn't exactly once in its file:\n${outdated.map(({ file, effect }) => `${file}: ${effect}`).join("\n")}`,
    );
  }
  const hasFile = ({ test }) =>
    ["ts", "tsx"].some((end) => existsSync(join(root, "test", `${test}.test.${end}`)));
  const untested = all.filter((fault) => !hasFile(fault));
  if (untested.length > 0) {
    fail(
      `These faults have no test file:\n${untested.map(({ file, effect, test }) => `${file}: ${effect} (${test})`).join("\n")}`,
    );
  }
  if (names.includes("--check")) return;
  const faults = all.filter(({ file }) => names.length === 0 || names.some((name) => file.startsWith(name)));
  if (faults.length === 0) fail(`The lists in test/mutations have no fault in ${names.join(" or ")}.`);
  const beganAtMs = performance.now();
  const folder = realpathSync(mkdtempSync(join(os.tmpdir(), "inv-mutations-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130));
  const trees = Array.from({ length: processors }, (_, at) => copyTree(join(folder, String(at))));

  const tests = [...new Set(faults.map(({ test }) => test))];
  const { files, failing } = await runTests(trees[0], tests, processors);
  if (files !== tests.length || failing.length > 0) {
    fail(`${files} of ${tests.length} test files exist. Without a fault these fail:\n${failing.join("\n")}`);
  }
  console.log(`Without a fault, all ${tests.length} test files pass, ${secondsSince(beganAtMs)} s\n`);

  const counts = {};
  const waiting = [...faults];
  const plantNext = async (tree) => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const plantedAtMs = performance.now();
      const verdict = await plant(tree, fault);
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      console.log(`${verdict}, ${secondsSince(plantedAtMs)} s, ${fault.file}: ${fault.effect}`);
    }
  };
  await Promise.all(trees.map(plantNext));
  const summary = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  console.log(`\n${faults.length} faults: ${summary.join("; ")}; ${secondsSince(beganAtMs)} s`);
  const areAllKilled = Object.keys(counts).every((verdict) => verdict === "killed" || verdict === skipped);
  process.exitCode = areAllKilled ? 0 : 1;
}

function readFaults() {
  const lists = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"));
  return lists.flatMap((name) => {
    const blocks = readFileSync(join(import.meta.dirname, name), "utf8")
      .trim()
      .split(/\n{2,}/);
    return blocks.map((block) => {
      const [effect, places, ...code] = block.split("\n");
      const [file, test] = places.split("  ");
      const linesAfter = (sign) => code.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
      return { effect, file, test, before: linesAfter("-").join("\n"), after: linesAfter("+").join("\n") };
    });
  });
}

function sourceText(tree, file) {
  const path = join(tree, "src", file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function timesIn(text, words) {
  return text.split(words).length - 1;
}

/** Copies the checkout and links its packages. */
function copyTree(tree) {
  for (const name of readdirSync(root).filter((each) => !notCopied.includes(each))) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "junction");
  return tree;
}

async function plant(tree, { file, test, before, after }) {
  const path = join(tree, "src", file);
  const text = sourceText(tree, file);
  writeFileSync(path, text.split(before).join(after));
  const { hasEnded, numFailedTests, numPassedTests, numPendingTests } = await runTests(tree, [test], 1);
  writeFileSync(path, text);
  if (numFailedTests > 0) return "killed";
  if (!hasEnded) return "TIMED OUT";
  if (numPassedTests === 0) return "NO TEST RAN";
  return numPendingTests > 0 ? skipped : "SURVIVED";
}

/** Runs test files and counts their results. */
async function runTests(tree, tests, workers) {
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules/jest/bin/jest.js"),
      ...tests.map((test) => `/test/${test}.test.`),
      ...["--selectProjects", "unit", "--maxWorkers", String(workers), "--silent", "--forceExit"],
      ...[
        "--reporters",
        join(root, "test/mutations/counts.mjs"),
        "--cacheDirectory",
        join(tree, ".cache/jest"),
      ],
    ],
    {
      cwd: tree,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: longestMs * tests.length,
      killSignal: "SIGKILL",
    },
  );
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
  const counts = output.split("\n").findLast((line) => line.startsWith('{"numFailedTests"'));
  return {
    hasEnded: signal === null,
    files: 0,
    numPassedTests: 0,
    failing: [],
    ...JSON.parse(counts ?? "{}"),
  };
}

function secondsSince(beganAtMs) {
  return ((performance.now() - beganAtMs) / 1_000).toFixed(1);
}
