/** `engines` of package.json has the versions of Node; every other place agrees. */
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

it("npm's commands run on these versions and refuse all others", () => {
  const [major = 0, minor = 0, patch = 0] = oldest.split(".").map(Number);
  const expected: Record<string, boolean> = {
    [`${major - 1}.99.0`]: false,
    [`${major}.${minor - 1}.99`]: false,
    [`${major}.${minor}.${patch - 1}`]: false,
    [oldest]: true,
    [`${major}.${minor + 1}.0`]: true,
    [`${newest}.0.0`]: true,
    [`${newest}.99.9`]: true,
    [`${newest + 1}.0.0`]: false,
  };
  const outcomes = inNode(`
    import { checkNode } from ${JSON.stringify(prepare)};
    console.error = () => {};
    process.exit = () => { throw new Error("refused"); };
    const runs = (version) => {
      Object.defineProperty(process, "versions", { value: { node: version } });
      try { checkNode(); return true; } catch { return false; }
    };
    console.log(JSON.stringify(${JSON.stringify(Object.keys(expected))}.map((version) => [version, runs(version)])));
  `);
  expect(Object.fromEntries(outcomes as [string, boolean][])).toEqual(expected);
});

const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

it.each(["README.md", "docs/deploy.md"])("%s names these versions", (page) => {
  expect(read(page)).toContain(`Node ${oldest} to ${newest}`);
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
