/** The rooms of the code follow their rules, and the rules find what breaks them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ownFolder } from "../helpers/own-folder";

const root = join(__dirname, "..", "..");
const cruiser = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");

describe("the rooms of the code", () => {
  const { path, write } = ownFolder();

  it("import only what the rules allow, without a cycle", () => {
    expect(brokenRules(root)).toEqual([]);
  }, 300_000);

  it("break the rules with a wrong import, a cycle or a Node import", () => {
    write("tsconfig.json", '{"compilerOptions":{"module":"ESNext","moduleResolution":"bundler"}}');
    write("package.json", "{}");
    write("src/domain/a.ts", 'import { b } from "../engine/b"; export const a = b;');
    write("src/engine/b.ts", 'import { a } from "../domain/a"; import "node:fs"; export const b = a;');
    write("src/api/c.ts", "export const c = 1; export type C = 1;");
    write("src/embedded-service/d.ts", 'import { c } from "../api/c"; export const d = c;');
    write("src/embedded-service/e.ts", 'import type { C } from "../api/c"; export const e: C = 1;');
    write("src/engine/scheduler/f.ts", "export const f = 1;");
    write("src/engine/items/g.ts", 'import { f } from "../scheduler/f"; export const g = f;');
    write("src/engine/scheduler/h.ts", 'import { g } from "../items/g"; export const h = g;');
    write("src/engine/types.ts", "export type T = 1;");
    write(
      "src/cells/i.ts",
      'import type { T } from "../engine/types"; import { b } from "../engine/b"; export const i: T | unknown = b;',
    );
    const found = brokenRules(path);
    expect(found).toContain("engine-faces: src/cells/i.ts -> src/engine/b.ts");
    expect(found).not.toContain("engine-faces: src/cells/i.ts -> src/engine/types.ts");
    expect(found).toContain("items-know-no-sending: src/engine/items/g.ts -> src/engine/scheduler/f.ts");
    expect(found).toContain("sending-knows-no-items: src/engine/scheduler/h.ts -> src/engine/items/g.ts");
    expect(found).toContain("domain-arrows: src/domain/a.ts -> src/engine/b.ts");
    expect(found.some((line) => line.startsWith("no-cycle:"))).toBe(true);
    expect(found.some((line) => line.startsWith("no-node: src/engine/b.ts"))).toBe(true);
    expect(found).toContain("embedded-service-types-only: src/embedded-service/d.ts -> src/api/c.ts");
    expect(found.some((line) => line.includes("src/embedded-service/e.ts"))).toBe(false);
  }, 300_000);
});

function brokenRules(folder: string): string[] {
  const result = spawnSync(
    process.execPath,
    [cruiser, "--config", join(__dirname, "rooms.cjs"), "--output-type", "json", "src"],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (result.stdout === "") throw new Error(result.stderr);
  const { summary } = JSON.parse(result.stdout) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number };
  };
  expect(summary.totalCruised).toBeGreaterThan(0);
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}
