/** Templates that people publish to their team, in two time zones and two languages, with a real provider and the built server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { button, openTab, unfold } from "./pane-parts";
import { openSignedOut, type SignInBed, type SignInWorkbook, startSignInBed } from "./sign-in-bed";
import { gone, isCutOff, problemsInBothThemes } from "./support";
import { scratch } from "./workbook-page";

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

async function make(opened: SignInWorkbook, summary: string): Promise<void> {
  const pane = opened.paneFrame;
  await opened.write([scratch, 0, 0], sheet);
  await opened.settled();
  await opened.select(scratch, 2, 2);
  await unfold(pane, "Save this sheet as a team template");
  await pane.getByLabel("Title", { exact: true }).fill("Weekly order");
  await pane.getByLabel("What it is for, in a sentence").fill(summary);
  await button(pane, "Make the template").click();
  await pane.getByText(/A table of 4 columns/).waitFor();
}

const card = (pane: Frame, summary: string) =>
  pane.getByRole("button", { name: new RegExp(`^Weekly order ${summary} Published by Jane Doe\\.`) });

/** Leaves the view and returns, as a person does. */
async function lookAgain(pane: Frame): Promise<void> {
  await openTab(pane, "Cell");
  await openTab(pane, "Templates");
}

test("is published with its constants shown, built by a colleague, and replaced and removed by people with the role", async () => {
  const joe = await openAs("joe");
  await make(jane, "For Mondays.");
  await jane.paneFrame.getByText(/^\d+ constants that everybody can read$/).click();
  await jane.paneFrame.getByText("Rows not answered", { exact: true }).waitFor();
  expect(await problemsInBothThemes(jane.paneFrame)).toEqual([]);
  expect(await isCutOff(jane.paneFrame)).toBe(false);
  const [file] = await Promise.all([
    jane.page.waitForEvent("download"),
    button(jane.paneFrame, "Save as a file").click(),
  ]);
  expect(file.suggestedFilename()).toBe("weekly-order.inv.json");
  await button(jane.paneFrame, "Publish to your team").click();
  await jane.paneFrame.getByText('"Weekly order" is published.').waitFor();

  await lookAgain(joe.paneFrame);
  await card(joe.paneFrame, "For Mondays\\.").waitFor();
  expect(await button(joe.paneFrame, "Remove Weekly order").count()).toBe(0);
  await make(joe, "Mine.");
  expect(await button(joe.paneFrame, "Replace the one").count()).toBe(0);
  expect(await button(joe.paneFrame, "Publish to your team").count()).toBe(0);
  await card(joe.paneFrame, "For Mondays\\.").click();
  await joe.paneFrame.getByLabel(/Or type or paste them/).fill("1234 00012345678905");
  await button(joe.paneFrame, "Build the sheet").click();
  await joe.paneFrame.getByText('The sheet "Weekly order" is built').waitFor();
  await joe.settled();
  expect(await joe.values("Weekly order", 0, 0, 2, 4)).toEqual(await jane.values(scratch, 0, 0, 2, 4));
  await button(joe.paneFrame, "All templates").click();

  await make(jane, "For Tuesdays.");
  await button(jane.paneFrame, "Replace the one published by Jane Doe").click();
  await jane.paneFrame.getByText('"Weekly order" is published.').waitFor();
  await lookAgain(joe.paneFrame);
  await card(joe.paneFrame, "For Tuesdays\\.").waitFor();

  await lookAgain(jane.paneFrame);
  await button(jane.paneFrame, "Remove Weekly order").focus();
  // A key that is held down repeats: it must not remove the template for everybody.
  await jane.page.keyboard.press("Enter");
  await button(jane.paneFrame, "Remove Weekly order for everybody").waitFor();
  await jane.page.keyboard.press("Enter");
  await button(jane.paneFrame, "Remove Weekly order").click();
  await button(jane.paneFrame, "Remove Weekly order for everybody").click();
  await jane.paneFrame.getByText('"Weekly order" is removed for everybody.').waitFor();
  await lookAgain(joe.paneFrame);
  await gone(card(joe.paneFrame, "For Tuesdays\\."));
  expect([...jane.complaints, ...joe.complaints]).toEqual([]);
});
