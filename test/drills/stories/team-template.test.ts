/**
 * The story that INV is made for, with a real provider and the built server: two planners in two time zones, a template that goes
 * from one to the other and back, and a copy for somebody without INV.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { button, openTab, unfold } from "../../browser/pane-parts";
import {
  openSignedOut,
  type SignInBed,
  type SignInWorkbook,
  startSignInBed,
} from "../../browser/sign-in-bed";
import { eventually, isCutOff, type OpenOptions, problemsInBothThemes } from "../../browser/support";

let bed: SignInBed;
let folder: string;
let jane: SignInWorkbook;
let joe: SignInWorkbook;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inv-story-"));
  bed = await startSignInBed({ templates: { folder, claim: "groups", values: ["templates"] } });
  await bed.provider.change({ jane: ["inv-users", "templates"], joe: ["inv-users", "templates"] });
  jane = await openAs("jane", { timezone: "America/Los_Angeles" });
  joe = await openAs("joe", { timezone: "Asia/Tokyo", locale: "de-DE" });
});
afterAll(async () => {
  await bed.stop();
  rmSync(folder, { recursive: true });
});

async function openAs(account: "jane" | "joe", options: OpenOptions): Promise<SignInWorkbook> {
  const opened = await openSignedOut(bed, options);
  await opened.signIn(account);
  return opened;
}

const stores = [1234, 12, 100];
const items = ["00012345678905", "00012345678912"];
const rows = stores.flatMap((store) => items.map((item) => `${store}\t${item}`)).join("\n");

/** Builds a sheet from a template of the gallery. Returns its name. */
async function build({ paneFrame: pane, settled }: SignInWorkbook, title: RegExp): Promise<string> {
  await openTab(pane, "Cell");
  await openTab(pane, "Templates");
  await pane.getByRole("button", { name: title }).click();
  await pane.getByLabel(/Or type or paste them/).fill(rows);
  await pane.locator(".price:visible", { hasText: /^Uses / }).waitFor();
  await looksRight(pane);
  await button(pane, "Build the sheet").click();
  const built = pane.getByText(/The sheet ".*" is built/);
  await built.waitFor();
  await settled();
  const [, name = ""] = /"(.*)"/.exec(await built.innerText()) ?? [];
  await button(pane, "All templates").click();
  return name;
}

async function publish({ paneFrame: pane }: SignInWorkbook, summary: string, label: string): Promise<void> {
  await unfold(pane, "Save this sheet as a team template");
  await pane.getByLabel("Title", { exact: true }).fill("Weekly order");
  await pane.getByLabel("What it is for, in a sentence").fill(summary);
  await pane.getByText(/for everybody's own stores and items, without yours/).waitFor();
  await looksRight(pane);
  await button(pane, label).click();
  await pane.getByText('"Weekly order" is published.').waitFor();
}

async function refresh({ paneFrame: pane }: SignInWorkbook): Promise<void> {
  await openTab(pane, "Refresh");
  await pane.getByRole("button", { name: "Refresh", exact: true }).click();
  await pane.getByText(/\d+ cells refreshed/).waitFor();
  await looksRight(pane);
}

async function looksRight(pane: Frame): Promise<void> {
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
}

const headings = async (opened: SignInWorkbook, sheet: string): Promise<string[]> =>
  ((await opened.values(sheet, 0, 0, 1, 14))[0] ?? []).map(String);

/** The sheet's conditional colours, and its notes. */
const looksOf = (opened: SignInWorkbook, sheet: string) =>
  opened.port(async (port, name) => {
    const notes = (await port.notesOf(name)).map(({ cell: { row, col }, text }) => ({ row, col, text }));
    const found = await port.highlightsOf(name);
    const colours = found.map(({ areas, rule }) => ({
      rule,
      areas: areas.map(({ row, col, rows: height, cols }) => [row, col, height, cols]),
    }));
    return { colours, notes };
  }, sheet);

test("a sheet becomes the team's template, a colleague's sheet, a better template, and a copy for everybody", async () => {
  const own = await build(jane, /^Planning sheet/);
  await jane.write(
    [own, 0, 7],
    [["To send"], ...stores.flatMap(() => items).map((_, row) => [`=MAX(0,24-N(E${row + 2}))`])],
  );
  await jane.port(
    (port, name) =>
      port.highlight(
        { sheet: name, row: 1, col: 7, rows: 6, cols: 1 },
        { kind: "formula", formula: "=H2>12", fill: "#fde7e5" },
      ),
    own,
  );
  await jane.settled();
  await publish(jane, "For Mondays.", "Publish to your team");

  const sheet = await build(joe, /^Weekly order For Mondays\. Published by Jane Doe, /);
  expect(sheet).toBe("Weekly order");
  expect(await headings(joe, sheet)).toEqual(await headings(jane, own));
  const looks = await looksOf(joe, sheet);
  expect(looks).toEqual(await looksOf(jane, own));
  expect(looks.notes).not.toEqual([]);
  expect(looks.colours.map(({ areas }) => areas)).toContainEqual([[1, 7, 6, 1]]);
  await refresh(jane);
  await refresh(joe);
  expect(await joe.values(sheet, 1, 0, 6, 8)).toEqual(await jane.values(own, 1, 0, 6, 8));

  await joe.write(
    [sheet, 0, 8],
    [["Half"], ...stores.flatMap(() => items).map((_, row) => [`=H${row + 2}/2`])],
  );
  await openTab(joe.paneFrame, "Templates");
  await publish(joe, "For Tuesdays.", "Replace the one published by Jane Doe");
  const next = await build(jane, /^Weekly order For Tuesdays\. Published by Joe/);
  expect(next).toBe("Weekly order");
  expect((await headings(jane, next)).slice(7, 9)).toEqual(["To send", "Half"]);

  const pane = joe.paneFrame;
  await joe.select(sheet, 1, 1);
  await openTab(pane, "Templates");
  await unfold(pane, "Copy with values");
  await looksRight(pane);
  await button(pane, "Copy").first().click();
  await pane
    .getByText(/Weekly order \d{4}-\d\d-\d\d/)
    .first()
    .waitFor();
  await looksRight(pane);
  const copy = (await joe.sheetNames()).find((name) => /^Weekly order \d{4}/.test(name)) ?? "";
  expect(
    await joe
      .port((port) => port.findFormulas(() => true), null)
      .then((found) => found.filter((cell) => cell.sheet === copy)),
  ).toEqual([]);
  await eventually(async () =>
    expect(await joe.values(copy, 4, 0, 6, 8)).toEqual(await joe.values(sheet, 1, 0, 6, 8)),
  );
  expect([...jane.complaints, ...joe.complaints]).toEqual([]);
});
