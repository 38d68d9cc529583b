/** docs/architecture.md says of every room what the rules of rooms.cjs allow, and no more. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import rules from "./rooms.cjs";

const root = join(__dirname, "..", "..");
const roomNames = readdirSync(join(root, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** What the rules leave open to a room, wholly or for its types alone. */
function openByRules(room: string): { all: string[]; types: string[] } {
  const closed = rules.forbidden.find(({ name }) => name === `${room}-arrows`)?.to.path ?? [];
  const typesOnly = rules.forbidden.find(({ name }) => name === `${room}-types-only`)?.to.path ?? [];
  const isIn = (paths: readonly string[], name: string) => paths.includes(`^src/${name}/`);
  const open = roomNames.filter((name) => name !== room && !isIn(closed, name));
  return {
    all: open.filter((name) => !isIn(typesOnly, name)),
    types: open.filter((name) => isIn(typesOnly, name)),
  };
}

/** The last column of the document's table, by room, in the order of the table. */
function documented(): Map<string, { all: string[]; types: string[] }> {
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

/** Files and folders that the walks name: whole, or short for the one named before (`refresh/scopes.ts`). */
function named(): string[] {
  const text = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const walks = text.slice(text.indexOf("## The way of a cell"), text.indexOf("## The way of a page"));
  return [...walks.matchAll(/`([\w./-]+(?:\/[\w-]+|\.tsx?))`/g)].map(([, name]) => name!);
}

const files = readdirSync(join(root, "src"), { recursive: true }).map(
  (name) => `src/${String(name).replaceAll("\\", "/")}`,
);

describe("docs/architecture.md", () => {
  it("walks past files that are there", () => {
    const names = named();
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual(
      [],
    );
  });

  it("has a row for every room", () => {
    expect([...documented().keys()].sort()).toEqual(roomNames);
  });

  it.each(roomNames)("says what %s may import", (room) => {
    expect(documented().get(room)).toEqual(openByRules(room));
  });
});
