/** The folder of team templates: read again when it changes, bad files left out and named. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTeamTemplates } from "../../src/server/team-templates";

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

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "inv-templates-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, content: unknown, seconds: number): void {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  utimesSync(path, seconds, seconds);
}

test("lists the good files, by name, and follows what comes, changes and goes", async () => {
  const warnings: unknown[] = [];
  const { list } = createTeamTemplates(folder, { warn: (fields) => warnings.push(fields) });
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

test("leaves a bad file out and names its faults, once for each change of it", async () => {
  const warnings: { file?: string; faults?: string[] }[] = [];
  const { list } = createTeamTemplates(folder, { warn: (fields) => warnings.push(fields) });
  put("good.inv.json", template("good"), 100);
  put("bad.inv.json", { ...template("bad"), title: "" }, 100);
  expect(await list()).toHaveLength(1);
  expect(await list()).toHaveLength(1);
  expect(warnings).toEqual([{ file: "bad.inv.json", faults: ['"title": is empty'] }]);
  put("bad.inv.json", "{", 200);
  await list();
  expect(warnings[1]).toEqual({ file: "bad.inv.json", faults: ["The file is not valid JSON."] });
});

test("a folder that cannot be read is told once, and the gallery is empty", async () => {
  const warnings: unknown[] = [];
  const { list } = createTeamTemplates(join(folder, "none"), { warn: (fields) => warnings.push(fields) });
  expect(await list()).toEqual([]);
  expect(await list()).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(await createTeamTemplates(null, { warn: () => undefined }).list()).toEqual([]);
});
