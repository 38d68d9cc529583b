/**
 * What npm's commands do before they begin (src/start/prepare.mjs), in a clone of a few files whose builder only records that it ran:
 * when they build, and what two commands do at once.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../helpers/until";

const root = join(__dirname, "..", "..");
let clone: string;
let running: Run[] = [];

/** Records that it runs, waits while the file `wait` exists, and writes the files of a build. */
const builder = `
  const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
  appendFileSync("ran.txt", "built\\n");
  if (existsSync("fail")) process.exit(1);
  while (existsSync("wait")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  mkdirSync("dist/app", { recursive: true });
  writeFileSync("dist/server.js", "");
  writeFileSync("dist/app/workbook.html", "");
`;

beforeEach(() => {
  running = [];
  clone = mkdtempSync(join(tmpdir(), "inv Läger (1) "));
  for (const folder of ["src/start", "node_modules/webpack-cli/bin"]) {
    mkdirSync(join(clone, folder), { recursive: true });
  }
  const own = ["src/start/prepare.mjs", "src/start/one-command.mjs", "src/start/build.mjs"];
  for (const file of ["package.json", "package-lock.json", ...own]) {
    copyFileSync(join(root, file), join(clone, file));
  }
  write("node_modules/.package-lock.json");
  write("node_modules/webpack-cli/bin/cli.js", builder);
});
afterEach(async () => {
  // Ends the commands of a failed test. Their builders end when the file `wait` is gone.
  for (const { child } of running) child.kill("SIGKILL");
  rmSync(join(clone, "wait"), { force: true });
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(clone, { recursive: true });
});

const write = (file: string, text = "") => writeFileSync(join(clone, file), text);
const builds = () => {
  const file = join(clone, "ran.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
  /** Resolves after this output. */
  prints(text: string): Promise<void>;
}

function startBuild(options: object): Run {
  const script = `import { build } from "./src/start/prepare.mjs"; build(${JSON.stringify(options)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: clone });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => (output += data.toString()));
  }
  const run: Run = {
    child,
    ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, output }))),
    prints: (text) =>
      until(() => {
        if (output.includes(text)) return true;
        if (child.exitCode === null) return false;
        throw new Error(`It ended without "${text}": ${output}`);
      }),
  };
  running.push(run);
  return run;
}
const build = (options = {}) => startBuild(options).ended;

it("builds once for the same sources, and again after a change or without the build", async () => {
  await build();
  await build();
  expect(builds()).toEqual(["built"]);
  write("src/new.ts");
  await build();
  expect(builds()).toHaveLength(2);
  rmSync(join(clone, "dist", "server.js"));
  await build();
  expect(builds()).toHaveLength(3);
  await build({ isForced: true });
  expect(builds()).toHaveLength(4);
});

it("doesn't trust an interrupted build, although the sources are the same", async () => {
  await build();
  write("src/new.ts");
  write("fail");
  expect(await build()).toEqual({ code: 1, output: expect.stringContaining("The build failed.") as string });
  rmSync(join(clone, "fail"));
  rmSync(join(clone, "src", "new.ts"));
  await build();
  expect(builds()).toHaveLength(3);
});

it("the second of two commands waits, names the first, and finds everything built", async () => {
  write("wait");
  const first = startBuild({});
  await first.prints("Building");
  const second = startBuild({});
  await second.prints(`process ${first.child.pid}`);
  rmSync(join(clone, "wait"));
  expect((await first.ended).code).toBe(0);
  const { code, output } = await second.ended;
  expect(code).toBe(0);
  expect(output).not.toContain("Building");
  expect(builds()).toHaveLength(1);
});

it("a killed command doesn't block others", async () => {
  write("wait");
  const killed = startBuild({});
  await killed.prints("Building");
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  rmSync(join(clone, "wait"));
  // Its builder continues.
  await killed.ended;
  expect(await build()).toEqual({ code: 0, output: expect.not.stringContaining("Waiting") as string });
});

it("an old lock doesn't block others, although another process has its id", async () => {
  mkdirSync(join(clone, ".cache"));
  write(".cache/at-work", String(process.pid));
  const longAgo = new Date("2001-01-01");
  utimesSync(join(clone, ".cache/at-work"), longAgo, longAgo);
  expect(await build()).toEqual({ code: 0, output: expect.not.stringContaining("Waiting") as string });
});

it("says that it can't write, and ends", async () => {
  // A file instead of the folder, because the test's user may be allowed to write anywhere.
  write(".cache");
  expect(await build()).toEqual({
    code: 1,
    output: expect.stringContaining("nothing can be written here") as string,
  });
});
