/** The folder of team templates: read again when it changes; bad files are skipped and named. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTeamTemplates } from "../../../src/server/templates/team-templates";
import { clockOf } from "../parts";

const template = (id: string) => ({
  format: "inv-template",
  version: 1,
  id,
  title: id,
  summary: "A sheet.",
  needs: "nothing",
  sheet: { name: "S" },
  blocks: [{ at: "A1", rows: [["=INV.ENV()"]] }],
});

const create = (
  from: string | null,
  warn: (fields: Readonly<Record<string, unknown>>, message: string) => void = () => undefined,
  clock = clockOf(),
) => createTeamTemplates({ folder: from, log: { warn }, clock });

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "inv-templates-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, content: unknown, seconds: number): void {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  utimesSync(path, seconds, seconds);
}

test("lists the valid files by name, and follows new, changed and removed ones", async () => {
  const warnings: unknown[] = [];
  const { list } = create(folder, (fields) => warnings.push(fields));
  const ids = async () => (await list()).map(({ id }) => id);
  expect(await ids()).toEqual([]);
  put("b.inv.json", template("second"), 100);
  put("a.inv.json", template("first"), 100);
  put("notes.txt", "no template", 100);
  expect(await ids()).toEqual(["first", "second"]);
  put("b.inv.json", template("changed"), 200);
  rmSync(join(folder, "a.inv.json"));
  expect(await ids()).toEqual(["changed"]);
  expect(warnings).toEqual([]);
});

test("omits an invalid file and names its faults, once for each change", async () => {
  const warnings: { file?: string; faults?: string[] }[] = [];
  const { list } = create(folder, (fields) => warnings.push(fields));
  put("good.inv.json", template("good"), 100);
  put("bad.inv.json", { ...template("bad"), title: "" }, 100);
  expect(await list()).toHaveLength(1);
  expect(await list()).toHaveLength(1);
  expect(warnings).toEqual([{ file: "bad.inv.json", faults: ['"title": is empty'] }]);
  put("bad.inv.json", "{", 200);
  await list();
  expect(warnings[1]).toEqual({ file: "bad.inv.json", faults: ["The file is not valid JSON."] });
});

test("a folder that can't be read is reported once, and the gallery is empty", async () => {
  const warnings: unknown[] = [];
  const { list } = create(join(folder, "none"), (fields) => warnings.push(fields));
  expect(await list()).toEqual([]);
  expect(await list()).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(await create(null).list()).toEqual([]);
});

// Windows has neither.
(process.platform === "win32" ? describe.skip : describe)("anything but a regular file", () => {
  beforeEach(() => {
    put("good.inv.json", template("good"), 100);
    execFileSync("/usr/bin/mkfifo", [join(folder, "pipe.inv.json")]);
    symlinkSync("/dev/zero", join(folder, "zero.inv.json"));
    symlinkSync(folder, join(folder, "folder.inv.json"));
  });

  it("is left out and named, without blocking a thread or filling the memory", async () => {
    const warnings: unknown[] = [];
    const { list } = create(folder, (fields) => warnings.push(fields));
    const before = process.memoryUsage.rss();
    for (let look = 0; look < 6; look += 1) expect((await list()).map(({ id }) => id)).toEqual(["good"]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
    expect(warnings).toHaveLength(3);
    // More reads than there are threads: a file can still be read.
    expect(readFileSync(join(folder, "good.inv.json"), "utf8")).toContain("good");
  });
});

test("concurrent requests share one read of the folder", async () => {
  put("good.inv.json", template("good"), 100);
  const { list } = create(folder);
  const [one, two] = await Promise.all([list(), list()]);
  expect(one).toBe(two);
  expect(await list()).not.toBe(one);
});

test("a folder that doesn't answer in time leaves the previous gallery", async () => {
  put("a.inv.json", template("first"), 100);
  const warnings: string[] = [];
  let isOver = false;
  const clock = {
    ...clockOf(),
    setTimeout: (callback: () => void) => {
      if (isOver) callback();
      return null;
    },
    clearTimeout: () => undefined,
  };
  const { list } = create(folder, (_fields, message) => warnings.push(message), clock);
  await list();
  put("b.inv.json", template("second"), 100);
  isOver = true;
  expect((await list()).map(({ id }) => id)).toEqual(["first"]);
  expect(warnings).toEqual(["The folder of templates doesn't answer."]);
});
