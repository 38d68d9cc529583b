/**
 * `npm test`: everything there is. Installs and builds what is missing, then types, lint, format, unused
 * code, and the unit, contract and browser tests; goes on after a failure and counts each step and test.
 * `npm test -- engine`, or `engine/quota`: the tests of one room, or those of its files whose names begin so.
 * The last line is `N passed, N failed`.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { build, checkNode, fail, install, root } from "../src/start/prepare.mjs";
import { builtRooms, rooms } from "./jest.config.mjs";

const bin = (name, file) => [process.execPath, [join(root, "node_modules", name, file)]];
const steps = [
  ...["tsconfig.json", "src/tsconfig.page.json"].map((project) => [
    `types of ${project}`,
    ...bin("typescript", "bin/tsc"),
    ["--noEmit", "--project", project],
  ]),
  [
    "lint",
    ...bin("eslint", "bin/eslint.js"),
    ["--config", "test/eslint.config.mjs", "--max-warnings", "0", "src", "test"],
  ],
  ["format", ...bin("prettier", "bin/prettier.cjs"), ["--check", "."]],
  ["unused code", ...bin("knip", "bin/knip.js"), ["--config", "test/knip.json"]],
];
const buildStep = [
  "build",
  process.execPath,
  ["--input-type=module", "--eval"],
  ['import { build } from "./src/start/prepare.mjs"; build();'],
];
let passed = 0;
let failed = 0;
let leftOut = 0;

checkNode();
// One less than the processors, as jest would have it, leaves half of a small machine idle.
const most = Math.max(2, os.availableParallelism() - 1);
const wanted = process.argv.slice(2).map((name) => name.replaceAll("\\", "/").replace(/^test\/|\/$/g, ""));
const roomOf = (name) => name.split("/")[0];
const unknown = wanted.find((name) => !Object.values(rooms).flat().includes(roomOf(name)));
if (unknown !== undefined) {
  const known = Object.entries(rooms).map(([kind, names]) => `  ${kind}: ${names.join(", ")}`);
  fail(`There is no room "${unknown}". The rooms are\n${known.join("\n")}`);
}
install();
if (wanted.length === 0) await testAll();
else testRooms();

if (leftOut > 0) {
  console.log(
    `\n${leftOut} tests were left out: some are for other systems, some need a redis-server (INV_REDIS names one).`,
  );
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function testAll() {
  // Each takes one processor, the build more: two at once, the longest first, their words one after the other.
  const waiting = [...steps];
  const oneByOne = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await check(step);
  };
  const isBuilt = check(buildStep);
  await Promise.all([isBuilt.then(oneByOne), oneByOne()]);
  if (!(await isBuilt)) fail("Without a build there is nothing to test.");
  countTests(["unit", "german"], most, ["--silent"]);
  countTests(["browser"], 2, ["--silent"]);
}

function testRooms() {
  if (wanted.some((name) => builtRooms.includes(roomOf(name)))) build();
  for (const [kind, names] of Object.entries(rooms)) {
    const paths = wanted.filter((name) => names.includes(roomOf(name)));
    if (paths.length === 0) continue;
    const isTwice = paths.some((name) => roomOf(name) === "workbook");
    const projects = isTwice ? [kind, "german"] : [kind];
    const patterns = paths.map((name) => `/test/${name}${name.includes("/") ? "" : "/"}`);
    countTests(projects, kind === "unit" ? most : 1, [], patterns);
  }
}

/** Whether all is well. */
async function check([title, command, first, rest]) {
  const child = spawn(command, [...first, ...rest], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const words = [];
  child.stdout.on("data", (data) => words.push(data));
  child.stderr.on("data", (data) => words.push(data));
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  console.log(`\n== ${title}`);
  process.stdout.write(Buffer.concat(words));
  if (status === 0) passed += 1;
  else failed += 1;
  console.log(`${status === 0 ? "ok" : "FAILED"}: ${title}`);
  return status === 0;
}

/** Runs jest's projects, of them the files that fit a pattern; a run that could not finish counts as one failure. */
function countTests(projects, workers, flags, patterns = []) {
  const folder = mkdtempSync(join(os.tmpdir(), "inv-test-"));
  const results = join(folder, "results.json");
  const [command, first] = bin("jest", "bin/jest.js");
  console.log(`\n== ${[...projects, ...patterns].join(" ")}`);
  const parameters = [
    ...first,
    // Before the projects, whose list takes all that follows it.
    ...patterns,
    "--selectProjects",
    ...projects,
    "--maxWorkers",
    String(workers),
    "--json",
    "--outputFile",
    results,
    ...flags,
  ];
  const ok = spawnSync(command, parameters, { cwd: root, stdio: "inherit" }).status === 0;
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(results, "utf8"),
    );
    passed += numPassedTests;
    leftOut += numPendingTests;
    failed += numFailedTests + numRuntimeErrorTestSuites;
    if (!ok && numFailedTests + numRuntimeErrorTestSuites === 0) failed += 1;
  } catch {
    failed += 1;
  }
  rmSync(folder, { recursive: true, force: true });
}
