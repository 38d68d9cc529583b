/** Templates that people publish to their team, in two time zones and two languages, with a real provider and the built server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { button, openTab, unfold } from "./pane-parts";
import { openSignedOut, type SignInBed, type SignInWorkbook, startSignInBed } from "./sign-in-bed";
import { gone, isCutOff, problemsInBothThemes } from "./support";
import { narrow, scratch } from "./workbook-page";

let bed: SignInBed;
let folder: string;
/** Stays open for all tests. */
let jane: SignInWorkbook;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inv-published-"));
  bed = await startSignInBed({ templates: { folder, claim: "groups", values: ["templates"] } });
  await bed.provider.change({ jane: ["inv-users", "templates"], joe: ["inv-users"] });
  jane = await openAs("jane");
});
afterAll(async () => {
  await bed.stop();
  rmSync(folder, { recursive: true });
});

/** Their systems. */
const systems = {
  jane: { timezone: "America/Los_Angeles" },
  joe: { timezone: "Asia/Tokyo", locale: "de-DE" },
};

async function openAs(account: "jane" | "joe"): Promise<SignInWorkbook> {
  const opened = await openSignedOut(bed, systems[account]);
  await opened.signIn(account);
  await openTab(opened.paneFrame, "Templates");
  return opened;
}

/** A list of two rows, and the cells beside it. */
const sheet = [
  ["Store", "GTIN", "On hand", "Backroom", null, "Rows not answered", '=COUNTIF(C2:C3,"#*")'],
  ...[2, 3].map((row) => [
    ...[1234, "00012345678905", `=INV.QTY(A${row},B${row})`, `=INV.QTY(A${row},B${row},"BACKROOM")`],
    ...[null, row === 2 ? "Low below" : null, row === 2 ? 5 : null],
  ]),
];

/** Opens the part that saves the sheet on show, and types the template's names. */
async function prepare({ paneFrame: pane }: SignInWorkbook, summary: string): Promise<void> {
  await unfold(pane, "Save this sheet as a team template");
  await pane.getByLabel("Title", { exact: true }).fill("Weekly order");
  await pane.getByLabel("What it is for, in a sentence").fill(summary);
  await pane.getByText(/: a table of \d columns/).waitFor();
}

/** The template among the published ones, with the time in the person's time zone. */
const card = ({ paneFrame }: SignInWorkbook, summary: string) =>
  paneFrame.getByRole("button", {
    name: new RegExp(
      `^Weekly order ${summary} Published by Jane Doe, (\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d\\.`,
    ),
  });

/** Leaves the view and returns, as a person does. */
async function lookAgain({ paneFrame }: SignInWorkbook): Promise<void> {
  await openTab(paneFrame, "Cell");
  await openTab(paneFrame, "Templates");
}

/** Builds the template whose form is open, for one pair. */
async function build({ paneFrame: pane, settled }: SignInWorkbook, name: string): Promise<void> {
  await pane.getByLabel(/Or type or paste them/).fill("1234 00012345678905");
  await button(pane, "Build the sheet").click();
  await pane.getByText(`The sheet "${name}" is built`).waitFor();
  await settled();
  await button(pane, "All templates").click();
}

/** At the width of Excel's pane, and in both themes. */
async function looksRight({ paneFrame: pane }: SignInWorkbook): Promise<void> {
  await narrow(pane, 350);
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
}

test("what one person publishes, with a change after the look, another builds; and mails back a file of it", async () => {
  const joe = await openAs("joe");
  const pane = jane.paneFrame;
  await jane.write([scratch, 0, 0], sheet);
  await jane.settled();
  await jane.select(scratch, 2, 2);
  await prepare(jane, "For Mondays.");
  await pane.getByText(/^\d+ constants that everybody can read$/).click();
  await pane.getByText("Rows not answered", { exact: true }).waitFor();
  await looksRight(jane);

  // A colleague calls, and the sheet gets a line that the list on show doesn't have.
  await jane.write([scratch, 4, 5], [["Ask Ann about store 57"]]);
  await button(pane, "Publish to your team").click();
  await pane.getByText("The sheet has changed, and nothing has left.").waitFor();
  await pane.getByText("Ask Ann about store 57", { exact: true }).waitFor();
  await looksRight(jane);
  await lookAgain(joe);
  expect(await joe.paneFrame.getByText("Published by your team").count()).toBe(0);
  await jane.write([scratch, 4, 5], [[null]]);
  await button(pane, "Read the sheet again").click();
  await gone(pane.getByText("Ask Ann about store 57", { exact: true }));
  await button(pane, "Publish to your team").click();
  await pane.getByText('"Weekly order" is published.').waitFor();

  await lookAgain(jane);
  await lookAgain(joe);
  const times = await Promise.all([jane, joe].map((one) => card(one, "For Mondays\\.").innerText()));
  expect(times[0]).not.toBe(times[1]);
  expect(await button(joe.paneFrame, "Remove Weekly order").count()).toBe(0);
  await looksRight(joe);
  await card(joe, "For Mondays\\.").click();
  await build(joe, "Weekly order");
  expect(await joe.values("Weekly order", 0, 0, 2, 4)).toEqual(await jane.values(scratch, 0, 0, 2, 4));

  // Joe has no role: his better sheet goes by mail.
  await joe.write(["Weekly order", 0, 7], [["Both"], ["=C2+D2"]]);
  await joe.settled();
  await prepare(joe, "Mine.");
  expect(await button(joe.paneFrame, "Replace the one").count()).toBe(0);
  expect(await button(joe.paneFrame, "Publish to your team").count()).toBe(0);
  const [file] = await Promise.all([
    joe.page.waitForEvent("download"),
    button(joe.paneFrame, "Save as a file").click(),
  ]);
  expect(file.suggestedFilename()).toBe("weekly-order.inv.json");
  await joe.paneFrame.getByText("weekly-order.inv.json is downloaded.").waitFor();
  await looksRight(joe);
  const mailed = join(folder, file.suggestedFilename());
  await file.saveAs(mailed);
  await unfold(pane, "Open a template file");
  await pane.locator("#inv-open-template").setInputFiles(mailed);
  await pane.getByText("Mine.", { exact: true }).waitFor();
  await build(jane, "Weekly order");
  expect(await jane.values("Weekly order", 0, 0, 2, 8)).toEqual(await joe.values("Weekly order", 0, 0, 2, 8));
  await joe.page.close();

  await jane.select(scratch, 2, 2);
  await lookAgain(jane);
  await prepare(jane, "For Tuesdays.");
  await button(pane, "Read the sheet again").click();
  await pane.getByText(`${scratch}: a table of 4 columns`).waitFor();
  await button(pane, "Replace the one published by Jane Doe").click();
  await pane.getByText('"Weekly order" is published.').waitFor();
  await lookAgain(jane);
  await card(jane, "For Tuesdays\\.").waitFor();
  await button(pane, "Remove Weekly order").focus();
  // A key that is held down repeats: it must not remove the template for everybody.
  await jane.page.keyboard.press("Enter");
  await button(pane, "Remove Weekly order for everybody").waitFor();
  await jane.page.keyboard.press("Enter");
  await button(pane, "Remove Weekly order").click();
  await button(pane, "Remove Weekly order for everybody").click();
  await pane.getByText('"Weekly order" is removed for everybody.').waitFor();
  await gone(card(jane, "For Tuesdays\\."));
  expect([...jane.complaints, ...joe.complaints]).toEqual([]);
});
