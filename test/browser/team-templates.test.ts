/**
 * A template goes from one person to another. One makes it from a sheet, and the administrator puts it into the server's
 * folder. The other, in a second browser, chooses it in the gallery and builds it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInTemplates } from "../../src/workbook/templates/built-in";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { button, openTab, unfold } from "./pane-parts";
import { eventually, problemsInBothThemes } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inv-team-"));
  server = await startServer("server", { variables: { INV_TEMPLATES: folder } });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function openTemplates(): Promise<WorkbookPage> {
  const workbook = await openWorkbook(`${server.origin}/`);
  await openTab(workbook.pane(), "Build", "Templates");
  return workbook;
}

test("a sheet saved as a team template is in a second person's gallery, and builds there with their rows", async () => {
  const mine = await openTemplates();
  const pane = mine.pane();
  await unfold(pane, "Save this sheet as a team template");
  await mine.select("Planning", 3, 2);
  const made = (await mine.values("Planning", 0, 0, 4, 8)) as [string[], ...unknown[][]];
  const others = await mine.formulas("Planning", 2, 9, 4, 2);
  await pane.getByLabel("Title", { exact: true }).fill("Weekly order");
  await pane.getByLabel("What it is for, in a sentence").fill("What to order on Monday.");
  await button(pane, "Make the template").click();
  await pane.getByText(/A table of 8 columns for everybody's own stores and items/).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  const field = pane.getByLabel("Save this text as weekly-order.inv.json");
  const text = await field.inputValue();
  for (const own of [made[1]?.[1], made[2]?.[1], "demo-secret"]) expect(text).not.toContain(String(own));
  expect(mine.complaints).toEqual([]);
  await mine.page.context().close();

  writeFileSync(join(folder, "weekly-order.inv.json"), text);
  writeFileSync(join(folder, "broken.inv.json"), "{");
  const theirs = await openTemplates();
  const gallery = theirs.pane();
  const own = builtInTemplates().length;
  await gallery.getByRole("button", { name: /^Weekly order What to order on Monday\./ }).waitFor();
  await eventually(async () => expect(await gallery.locator(".template-card").count()).toBe(own + 1));
  await gallery.getByRole("button", { name: /^Weekly order/ }).click();
  await gallery.getByLabel(/Or type or paste them/).fill("57 00012345678912\n1234 00012345678905");
  await button(gallery, "Build the sheet").click();
  const told = await gallery.getByText(/The sheet ".*" is built/).textContent();
  const sheet = /"(.*)"/.exec(told ?? "")?.[1] ?? "";
  await theirs.settled();
  const [headers, first = [], second = [], beyond] = await theirs.values(sheet, 0, 0, 4, 8);
  expect(headers).toEqual(made[0]);
  expect([first.slice(0, 2), second.slice(0, 2)]).toEqual([
    [57, "00012345678912"],
    [1234, "00012345678905"],
  ]);
  expect([typeof first[2], typeof second[2]]).toEqual(["number", "number"]);
  expect(beyond).toEqual(Array(8).fill(null));
  expect(await theirs.formulas(sheet, 2, 2)).toEqual([["=INV.QTY(A3,B3)"]]);
  // Ranges over the first person's 200 rows become ranges over the second person's two.
  expect(JSON.stringify(others)).toContain("A2:A201");
  expect(await theirs.formulas(sheet, 2, 9, 4, 2)).toEqual(
    others.map((row) => row.map((cell) => (typeof cell === "string" ? cell.replaceAll("201", "3") : cell))),
  );
  expect(theirs.complaints).toEqual([]);
  await theirs.page.context().close();
});

test("a template made for an environment asks before it uses another", async () => {
  const [template] = builtInTemplates();
  const own = { ...template, id: "for-production", title: "Real orders", environment: "production" };
  writeFileSync(join(folder, "for-production.inv.json"), JSON.stringify(own));
  const pane = (await openTemplates()).pane();
  await pane.getByRole("button", { name: /^Real orders/ }).click();
  await pane
    .getByText(
      "This template was made for the environment “production”. Do you want to build it with values of Demo?",
    )
    .waitFor();
  expect(await pane.locator(".button", { hasText: "Build the sheet" }).count()).toBe(0);
  await pane.getByLabel(/Or type or paste them/).fill("57 00012345678912");
  expect(await problemsInBothThemes(pane)).toEqual([]);
  await button(pane, "Build with Demo").click();
  await pane.getByText(/The sheet ".*" is built/).waitFor();
});
