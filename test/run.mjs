/**
 * `npm test` installs and builds what is missing, checks lint, types, format and unused code, and runs all tests. It
 * continues after a failure, and counts each step and each test.
 * `npm test -- engine` runs the tests of a room; `engine/quota` runs those files of the room whose names begin with "quota".
 * The last line is `N passed, N failed`.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { build, checkNode, fail, install, root } from "../src/start/prepare.mjs";
import { builtRooms, rooms } from "./jest.config.mjs";

const bin = (name, file) => join(root, "node_modules", name, file);
/** The longest come first, so that no processor waits for the last one. */
const steps = [
  ["build", "--input-type=module", "--eval", 'import { build } from "./src/start/prepare.mjs"; build();'],
  ["lint and types", bin("oxlint", "bin/oxlint"), "--config", "test/oxlint.config.mjs", "src", "test"],
  ["format", bin("oxfmt", "bin/oxfmt"), "--config", "test/oxfmt.json", "--check", "."],
  ["unused code", bin("knip", "bin/knip.js"), "--config", "test/knip.json"],
];
let passed = 0;
let failed = 0;
let skipped = 0;

checkNode();
// Jest's default, one worker less than processors, leaves half of a machine with two processors idle.
const unitWorkers = Math.max(2, os.availableParallelism() - 1);
const names = process.argv.slice(2).map((name) => name.replaceAll("\\", "/").replace(/^test\/|\/$/g, ""));
const roomOf = (name) => name.split("/")[0];
const unknownName = names.find((name) => !Object.values(rooms).flat().includes(roomOf(name)));
if (unknownName !== undefined) {
  const lines = Object.entries(rooms).map(([kind, folders]) => `  ${kind}: ${folders.join(", ")}`);
  fail(`There is no room "${unknownName}". The rooms are\n${lines.join("\n")}`);
}
const ownFolder = makeFolder();
process.once("exit", () => rmSync(ownFolder, { recursive: true, force: true }));
install();
if (names.length === 0) await testAll();
else testRooms();

if (skipped > 0) {
  console.log(
    `\n${skipped} tests were skipped: some are for other systems, some need haproxy or a redis-server (INV_REDIS names one).`,
  );
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function testAll() {
  // Two steps at a time, because each uses one processor. The build uses more, and begins first.
  const [buildStep, ...waiting] = steps;
  const checkWaiting = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await check(step);
  };
  const isBuilt = check(buildStep);
  await Promise.all([isBuilt.then(checkWaiting), checkWaiting()]);
  if (!(await isBuilt)) fail("The build failed, so there is nothing to test.");
  countTests("unit", unitWorkers, ["--silent"]);
  countTests("browser", 2, ["--silent"]);
}

function testRooms() {
  if (names.some((name) => builtRooms.includes(roomOf(name)))) build();
  for (const [kind, folders] of Object.entries(rooms)) {
    const paths = names.filter((name) => folders.includes(roomOf(name)));
    if (paths.length === 0) continue;
    const patterns = paths.map((name) => `/test/${name}${name.includes("/") ? "" : "/"}`);
    countTests(kind, kind === "unit" ? unitWorkers : 1, [], patterns);
  }
}

/** Runs a step and prints its output when it ends. Resolves with whether it succeeded. */
async function check([title, ...parameters]) {
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (data) => output.push(data));
  child.stderr.on("data", (data) => output.push(data));
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  console.log(`\n== ${title}`);
  process.stdout.write(Buffer.concat(output));
  if (status === 0) passed += 1;
  else failed += 1;
  console.log(`${status === 0 ? "ok" : "FAILED"}: ${title}`);
  return status === 0;
}

/** Runs the files of a project of jest that match one of the patterns, or all. A run that ends early counts as one failure. */
function countTests(project, workers, flags, patterns = []) {
  const results = join(ownFolder, `${project}.json`);
  console.log(`\n== ${[project, ...patterns].join(" ")}`);
  const parameters = [
    bin("jest", "bin/jest.js"),
    // They come before the project, because jest reads everything after --selectProjects as a project.
    ...patterns,
    "--selectProjects",
    project,
    "--maxWorkers",
    String(workers),
    "--json",
    "--outputFile",
    results,
    ...flags,
  ];
  const ok = spawnSync(process.execPath, parameters, { cwd: root, stdio: "inherit" }).status === 0;
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(results, "utf8"),
    );
    passed += numPassedTests;
    skipped += numPendingTests;
    failed += numFailedTests + numRuntimeErrorTestSuites;
    if (!ok && numFailedTests + numRuntimeErrorTestSuites === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

/** Creates a folder for results. All tests need the system's temporary folder, so this comes before minutes of work. */
function makeFolder() {
  try {
    return mkdtempSync(join(os.tmpdir(), "inv-test-"));
  } catch (error) {
    fail(`The tests write temporary files: ${error.message}. Set TMPDIR to a folder that can be written to.`);
  }
}
