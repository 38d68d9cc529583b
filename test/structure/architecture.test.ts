/** docs/architecture.md agrees with the rules of rooms.cjs, and names only files that exist. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import rules from "./rooms.cjs";

const root = join(__dirname, "..", "..");
const roomNames = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** Returns the rooms that a room may import, completely or only for their types. */
function allowedByRules(room: string): { all: string[]; types: string[] } {
  const forbidden = rules.forbidden.find(({ name }) => name === `${room}-arrows`)?.to.path ?? [];
  const typesOnly = rules.forbidden.find(({ name }) => name === `${room}-types-only`)?.to.path ?? [];
  const isIn = (paths: readonly string[], name: string) => paths.includes(`^src/${name}/`);
  const allowed = roomNames.filter((name) => name !== room && !isIn(forbidden, name));
  return {
    all: allowed.filter((name) => !isIn(typesOnly, name)),
    types: allowed.filter((name) => isIn(typesOnly, name)),
  };
}

/** Returns what the document's table allows, by room. */
function readTable(): Map<string, { all: string[]; types: string[] }> {
  const text = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const rows = new Map<string, { all: string[]; types: string[] }>();
  for (const [, room = "", words = ""] of text.matchAll(/^\| `src\/([\w-]+)` +\|[^|]*\| ([^|]*?) *\|$/gm)) {
    const types = /\(types of (\w+)[^)]*\)/.exec(words)?.[1];
    const list = words.replace(/\(.*\)/, "").trim();
    const all = list === "nothing" ? [] : list === "all of the above" ? [...rows.keys()] : list.split(", ");
    rows.set(room, { all: all.sort(), types: types === undefined ? [] : [types] });
  }
  return rows;
}

/** Returns the named files and folders. A short name (`refresh/round.ts`) is the end of a path. */
function namedFiles(): string[] {
  const text = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const walks = text.slice(text.indexOf("## The way of a cell"), text.indexOf("## Packages"));
  return [...walks.matchAll(/`([\w./-]+(?:\/[\w-]+|\.tsx?))`/g)].map(([, name]) => name!);
}

const files = readdirSync(join(root, "src"), { recursive: true }).map(
  (name) => `src/${String(name).replaceAll("\\", "/")}`,
);

describe("docs/architecture.md", () => {
  it("names files that exist", () => {
    const names = namedFiles();
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual(
      [],
    );
  });

  it("has a row for every room", () => {
    expect([...readTable().keys()].sort()).toEqual(roomNames);
  });

  it.each(roomNames)("lists what %s may import", (room) => {
    expect(readTable().get(room)).toEqual(allowedByRules(room));
  });
});
