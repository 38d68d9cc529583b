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
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

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
  const workbook = await openScratch({}, `${server.origin}/`);
  await openTab(workbook.pane(), "Build", "Templates");
  return workbook;
}

test("a sheet saved as a team template is in a second person's gallery, and builds there with their rows", async () => {
  const mine = await openTemplates();
  const pane = mine.pane();
  const headers = ["Store", "GTIN", "On hand", "Backroom"];
  const rows = ["00012345678929", "00012345678936", "00012345678943"].map((item, at) => [
    ...[2345, item, `=INV.QTY(A${at + 2},B${at + 2})`, `=INV.QTY(A${at + 2},B${at + 2},"BACKROOM")`],
  ]);
  await mine.write([scratch, 0, 0], [headers, ...rows]);
  await mine.write([scratch, 0, 5], [["Rows not answered", '=COUNTIF(C2:C4,"#*")']]);
  await mine.settled();
  await mine.select(scratch, 3, 2);
  await unfold(pane, "Save this sheet as a team template");
  await pane.getByLabel("Title", { exact: true }).fill("Weekly order");
  await pane.getByLabel("What it is for, in a sentence").fill("What to order on Monday.");
  await button(pane, "Make the template").click();
  await pane.getByText(/A table of 4 columns for everybody's own stores and items/).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  const field = pane.getByLabel("Save this text as weekly-order.inv.json");
  const text = await field.inputValue();
  for (const own of ["2345", "00012345678929", "demo-secret"]) expect(text).not.toContain(own);
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
  const message = await gallery.getByText(/The sheet ".*" is built/).textContent();
  const sheet = /"(.*)"/.exec(message ?? "")?.[1] ?? "";
  await theirs.settled();
  expect(await theirs.values(sheet, 0, 0, 4, 4)).toEqual([
    headers,
    [57, "00012345678912", expect.any(Number), expect.anything()],
    [1234, "00012345678905", expect.any(Number), expect.anything()],
    Array(4).fill(null),
  ]);
  expect(await theirs.formulas(sheet, 2, 2)).toEqual([["=INV.QTY(A3,B3)"]]);
  // A range over the first person's three rows becomes a range over the second person's two.
  expect(await theirs.formulas(sheet, 0, 5, 1, 2)).toEqual([["Rows not answered", '=COUNTIF(C2:C3,"#*")']]);
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
