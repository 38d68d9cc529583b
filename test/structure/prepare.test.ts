/**
 * What npm's commands do before they begin (src/start/prepare.mjs), in a clone of a few files whose builder only records that it ran:
 * when they build, for which address, and what two commands do at once.
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

const root = join(__dirname, "..", "..");
let clone: string;
let running: Run[] = [];

/** Records its address, waits if the test says so, and leaves the files of a build. */
const builder = `
  const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
  appendFileSync("ran.txt", (process.env.INV_PUBLIC_URL ?? "here") + "\\n");
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
  // After a failed test: end its commands. Their builders end when nothing makes them wait.
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
  readonly ended: Promise<{ code: number | null; said: string }>;
  /** Resolves after this output. */
  says(words: string): Promise<void>;
}

function begin(options: object, address?: string): Run {
  const script = `import { build } from "./src/start/prepare.mjs"; build(${JSON.stringify(options)});`;
  const env = { ...process.env, INV_PUBLIC_URL: address };
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: clone, env });
  let said = "";
  let heard = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      said += data.toString();
      heard();
    });
  }
  const run: Run = {
    child,
    ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, said }))),
    says: (words) =>
      new Promise((resolve, reject) => {
        heard = () => said.includes(words) && resolve();
        child.on("close", () => reject(new Error(`It never said "${words}", but: ${said}`)));
        heard();
      }),
  };
  running.push(run);
  return run;
}
const build = (options = {}, address?: string) => begin(options, address).ended;

it("builds once for the same sources, and again after a change or without the build", async () => {
  await build();
  await build();
  expect(builds()).toEqual(["here"]);
  write("src/new.ts");
  await build();
  expect(builds()).toHaveLength(2);
  rmSync(join(clone, "dist", "server.js"));
  await build();
  expect(builds()).toHaveLength(3);
  await build({ isAnew: true });
  expect(builds()).toHaveLength(4);
  await build({ only: "server" });
  expect(builds()).toHaveLength(4);
});

it("doesn't trust an interrupted build, although the sources are the same", async () => {
  await build();
  write("src/new.ts");
  write("fail");
  expect(await build()).toEqual({ code: 1, said: expect.stringContaining("The build failed.") as string });
  rmSync(join(clone, "fail"));
  rmSync(join(clone, "src", "new.ts"));
  await build();
  expect(builds()).toHaveLength(3);
});

it("a server keeps the address of the build; other commands build for this machine", async () => {
  await build({ isAnew: true }, "https://inv.example.com");
  await build({ keepsAddress: true });
  expect(builds()).toEqual(["https://inv.example.com"]);
  write("src/new.ts");
  write("fail");
  await build({ keepsAddress: true });
  rmSync(join(clone, "fail"));
  await build({ keepsAddress: true });
  expect(builds().slice(1)).toEqual(["https://inv.example.com", "https://inv.example.com"]);
  await build();
  expect(builds().at(-1)).toBe("here");
});

it("the second of two commands waits, says for which, and finds everything built", async () => {
  write("wait");
  const first = begin({});
  await first.says("Building");
  const second = begin({});
  await second.says(`process ${first.child.pid}`);
  rmSync(join(clone, "wait"));
  expect((await first.ended).code).toBe(0);
  const { code, said } = await second.ended;
  expect(code).toBe(0);
  expect(said).not.toContain("Building");
  expect(builds()).toHaveLength(1);
});

it("a killed command doesn't block others", async () => {
  write("wait");
  const killed = begin({});
  await killed.says("Building");
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  rmSync(join(clone, "wait"));
  // Its builder continues.
  await killed.ended;
  expect(await build()).toEqual({ code: 0, said: expect.not.stringContaining("waiting") as string });
});

it("an old mark doesn't block others, although another process has its number", async () => {
  mkdirSync(join(clone, ".cache"));
  write(".cache/at-work", String(process.pid));
  const longAgo = new Date("2001-01-01");
  utimesSync(join(clone, ".cache/at-work"), longAgo, longAgo);
  expect(await build()).toEqual({ code: 0, said: expect.not.stringContaining("waiting") as string });
});

it("says where it can't write, and ends", async () => {
  // A file instead of the folder, because the test's user may be allowed to write anywhere.
  write(".cache");
  expect(await build()).toEqual({
    code: 1,
    said: expect.stringContaining("nothing can be written here") as string,
  });
});
