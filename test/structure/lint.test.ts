/** Lint finds what test/oxlint.config.mjs forbids: one case of each kind of rule, and each ban in each folder that it applies to. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../helpers/own-folder";

const root = join(__dirname, "..", "..");
const folder = ownFolder();

/** Rooms of the pages, which have neither Node's types nor its globals; those of `clean` know nothing of a page either. */
const pages = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(?:server|start|build)$/.test(entry.name))
  .map(({ name }) => name);
const clean = pages.filter((room) => !/^(?:taskpane|addin|browser-workbook)$/.test(room)).join(" ");
const time =
  "setTimeout(f, 1); setInterval(f, 1); setImmediate(f); requestIdleCallback(f); queueMicrotask(f)";
const page = "f(window, document, localStorage, sessionStorage, navigator, location)";
const node = "f(process, Buffer, global, require, __dirname)";
const range = "const range = context.workbook.getSelectedRange()";

/** A rule, how often the code breaks it, in which folders of src, and the code. */
const broken: [rule: string, times: number, folders: string, code: string][] = [
  ["no-restricted-globals", 5, `${clean} taskpane`, time],
  ["no-restricted-globals", 1, `${clean} taskpane`, `await fetch("a")`],
  ["no-restricted-globals", 6, clean, page],
  ["no-restricted-globals", 5, `${clean} taskpane addin browser-workbook`, node],
  ["no-restricted-properties", 2, `${clean} taskpane`, "f(Date.now(), Math.random())"],
  ["no-restricted-properties", 1, `${clean} taskpane addin browser-workbook`, "AbortSignal.timeout(1)"],
  ["no-current-date", 1, `${clean} taskpane`, "f(new Date())"],
  ["no-restricted-imports", 1, `${clean} taskpane addin browser-workbook`, `} import "node:fs"; {`],
  ["no-empty-load", 1, "workbook addin", `${range}; range.load()`],
  ["no-navigational-load", 1, "workbook addin", `${range}; range.load("style,worksheet")`],
  ["load-object-before-read", 1, "workbook addin", `${range}; await context.sync(); f(range.address)`],
  ["call-sync-after-load", 1, "workbook addin", `${range}; range.load("address"); f(range.address)`],
  ["call-sync-before-read", 1, "workbook addin", `${range}; f(range.address)`],
  ["no-console", 1, clean, "console.info(1)"],
  ["max-params", 1, clean, "f((a: 1, b: 1, c: 1, d: 1) => [a, b, c, d])"],
  ["max-lines", 1, "engine server", "\n".repeat(500)],
  ["no-unused-vars", 1, "start", "((_unused: 1) => 1)(1)"],
  ["ban-ts-comment", 1, "engine server", "\n// @ts-expect-error short\nf(1)"],
  ["curly", 1, "engine server", "if (context)\n f()"],
  ["eqeqeq", 1, "engine server", "f(context == null)"],
  ["no-explicit-any", 1, "engine server", "f(1 as any)"],
  ["no-floating-promises", 1, "engine server start", "Promise.resolve(1)"],
  ["no-void", 1, "engine server taskpane", "void Promise.resolve(1).then(f)"],
  ["no-void", 2, "engine server", "f(() => void Promise.resolve(1), () => void f(1))"],
  ["no-misused-promises", 1, "engine server", "[1].forEach(async () => { await context.sync(); })"],
  ["await-thenable", 1, "engine server", "await 1"],
  ["no-unnecessary-condition", 1, "engine server", `f("a" ?? "b")`],
  ["restrict-plus-operands", 1, "engine server", `f("a" + String(1).length)`],
  ["restrict-template-expressions", 1, "engine server", "f(`${f}`)"],
  ["no-unsafe-assignment", 1, "engine server", "const a: string = JSON.parse(String(1)); f(a)"],
  ["ban-ts-comment", 1, "engine server", "\n// @ts-expect-error -- short\nconst a: string = 1; f(a)"],
  ["no-unused-vars", 1, "engine server", "f((_unused: number) => 1)"],
  ["TS2322", 1, "engine server workbook", "const a: string = 1; f(a)"],
  ["TS6133", 1, "engine server workbook", "} const unused = 1; {"],
  ["TS2503", 1, pages.join(" "), "f(1 as unknown as NodeJS.Timeout)"],
];

let found: Map<string, string[]>;
const fileOf = (index: number, room: string) => `src/${room}/case-${index}.ts`;
const source = (code: string) =>
  `export async function run(context: Excel.RequestContext, f: (...all: unknown[]) => void): Promise<void> { f(); await context.sync(); ${code}; }`;

beforeAll(() => {
  const here = (...path: string[]) => join(root, ...path);
  mkdirSync(join(folder.path, "test"));
  for (const file of ["oxlint.config.mjs", "lint-rules.mjs"]) {
    copyFileSync(here("test", file), join(folder.path, "test", file));
  }
  folder.write("tsconfig.json", { extends: here("tsconfig.json"), include: ["src", "test"] });
  mkdirSync(join(folder.path, "src"));
  copyFileSync(here("src", "tsconfig.json"), join(folder.path, "src", "tsconfig.json"));
  symlinkSync(here("node_modules"), join(folder.path, "node_modules"), "junction");
  for (const [index, [, , rooms, code]] of broken.entries()) {
    for (const room of rooms.split(" ")) folder.write(fileOf(index, room), source(code));
  }
  folder.write(
    "src/engine/fine.ts",
    source("await context.sync(); f(new Date(1), `${f.length}`, Math.max(1, 2))"),
  );
  folder.write("src/server/fine.ts", source(`${time}; f(Date.now()); console.info(1); ${node}`));
  folder.write("test/engine/case.ts", `import "fast-check";\n${source("console.info(1); f?.()")}`);
  folder.write("src/start/case.mjs", "export const one = nothing;\nPromise.resolve(1);\n");
  found = lint();
}, 300_000);

/** Lints the folder with the project's rules and packages, and returns the rules that each file breaks. */
function lint(): Map<string, string[]> {
  const program = join(root, "node_modules", "oxlint", "bin", "oxlint");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program, "--config", "test/oxlint.config.mjs", "--format", "json", "src", "test"],
    { cwd: folder.path, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith("{")) throw new Error(stdout + stderr);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const rules = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) {
    const file = filename.replaceAll("\\", "/");
    rules.set(file, [...(rules.get(file) ?? []), code.replace(/^.*\(|\)$/g, "")]);
  }
  return rules;
}

it.each(broken.map((row, index) => [row[0], row[3].trim(), index] as const))("%s: %s", (rule, _, index) => {
  const [, times, rooms] = broken[index]!;
  const counts = rooms.split(" ").map((room) => {
    const rules = found.get(fileOf(index, room)) ?? [];
    return [room, rules.filter((each) => each === rule).length];
  });
  expect(counts).toEqual(rooms.split(" ").map((room) => [room, times]));
});

it("accepts what the rules allow", () => {
  expect([found.get("src/engine/fine.ts"), found.get("src/server/fine.ts")]).toEqual([undefined, undefined]);
});

it("has fewer rules for tests, and one of their own", () => {
  expect(found.get("test/engine/case.ts")?.sort()).toEqual([
    "no-restricted-imports",
    "no-unnecessary-condition",
  ]);
});

it("reads JavaScript too", () => {
  expect(found.get("src/start/case.mjs")?.sort()).toEqual(["no-floating-promises", "no-undef"]);
});
