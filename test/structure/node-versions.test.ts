/** `engines` of package.json has the oldest version of Node, prepare.mjs the newest tested one; every other place agrees. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(__dirname, "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const prepare = pathToFileURL(join(root, "src", "start", "prepare.mjs")).href;

/** Runs JavaScript in a Node process without jest, as npm's commands run, and returns the JSON that it prints. */
function inNode(script: string): unknown {
  const json = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(json);
}
const { oldest, newest } = inNode(
  `import { nodeVersions } from ${JSON.stringify(prepare)}; console.log(JSON.stringify(nodeVersions()));`,
) as { oldest: string; newest: number };
const oldestMajor = Number.parseInt(oldest, 10);

it("npm's commands refuse older versions, and warn about newer ones in one line", () => {
  const [major = 0, minor = 0, patch = 0] = oldest.split(".").map(Number);
  const refusal = (version: string) => [`INV needs Node ${oldest} or newer; this is Node ${version}.`];
  const warning = (version: string) => [
    `INV is tested on Node ${oldest} to ${newest}; this is Node ${version}.`,
  ];
  const none = () => [];
  const expected = Object.entries({
    [`${major - 1}.99.0`]: refusal,
    [`${major}.${minor - 1}.99`]: refusal,
    [`${major}.${minor}.${patch - 1}`]: refusal,
    [oldest]: none,
    [`${major}.${minor + 1}.0`]: none,
    [`${newest}.0.0`]: none,
    [`${newest}.99.9`]: none,
    [`${newest + 1}.0.0`]: warning,
    [`${newest + 10}.1.0`]: warning,
  }).map(([version, lines]) => ({ version, isRefused: lines === refusal, lines: lines(version) }));
  const outcomes = inNode(`
    import { checkNode } from ${JSON.stringify(prepare)};
    let lines;
    console.error = console.warn = (line) => lines.push(line);
    process.exit = () => { throw new Error("refused"); };
    const check = (version) => {
      Object.defineProperty(process, "versions", { value: { node: version } });
      lines = [];
      try { checkNode(); } catch { return { version, isRefused: true, lines }; }
      return { version, isRefused: false, lines };
    };
    console.log(JSON.stringify(${JSON.stringify(expected.map(({ version }) => version))}.map(check)));
  `);
  expect(outcomes).toEqual(expected);
});

const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

it.each(["README.md", "docs/install.md"])("%s names these versions", (page) => {
  expect(read(page).replaceAll("\n", " ")).toContain(`Node ${oldest} or newer (tested up to ${newest})`);
});

it.each(pages)("%s names no other version", (page) => {
  const named = [...read(page).matchAll(/\bNode(?:\.js)? (\d+)((?:\.\d+)*)/g)];
  const wrong = named.filter(([, major, rest = ""]) =>
    rest === "" ? Number(major) < oldestMajor || Number(major) > newest : `${major}${rest}` !== oldest,
  );
  expect(wrong.map(([words]) => words)).toEqual([]);
});

it("the hosted checks run on each long-term version", () => {
  const listed = /node: \[([\d, ]+)\]/.exec(read(".github", "workflows", "test.yml"))?.[1] ?? "";
  const longTerm: number[] = [];
  for (let major = oldestMajor; major <= newest; major += 2) longTerm.push(major);
  expect(listed.split(",").map(Number)).toEqual(longTerm);
});

it("the types are those of the oldest version", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  expect(Number.parseInt(devDependencies["@types/node"] ?? "", 10)).toBe(oldestMajor);
});
