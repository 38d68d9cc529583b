/** Every package that package.json names has a reason in docs/architecture.md, and every reason has its package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (...path: string[]) => readFileSync(join(__dirname, "..", "..", ...path), "utf8");

it("each package has one reason, and nothing else has one", () => {
  const { dependencies, devDependencies, overrides } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies" | "overrides",
    Record<string, string>
  >;
  const [, table = ""] = read("docs", "architecture.md").split("## Packages\n");
  const lines = table.replaceAll("\n  ", " ").split("\n");
  const named = lines.flatMap((line) => {
    const [, packages = ""] = /^- ((?:`[^`]+`(?:, )?)+): .+$/.exec(line) ?? [];
    return packages === "" ? [] : packages.replaceAll("`", "").split(", ");
  });
  expect(named.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies, ...overrides }).sort());
});
