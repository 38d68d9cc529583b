/** Saving a sheet as a template: what is on show leaves, and nothing else, for the environment on show. */
import type { PublishedTemplate, PublishedTemplates } from "../../../src/connection/published-templates";
import { InvError } from "../../../src/domain/errors";
import { readTemplateText } from "../../../src/domain/templates/read-template";
import { builtInTemplates } from "../../../src/workbook/templates/built-in";
import { anEnvironment } from "../../connection/environments";
import { buttons, press, root, shown, unfold } from "../page";
import { openPane, type PaneBed, type PaneOptions } from "../pane-bed";

const cell = { sheet: "Plan", row: 0, col: 0, rows: 1, cols: 1 };
const iconSet = { area: { ...cell, row: 1 }, rule: null, name: "icon set" };

/** Writes a list of one pair to the sheet. */
function fillList({ workbook }: PaneBed, sheet: string): void {
  const rows = [
    ["Store", "GTIN", "On hand"],
    [1234, "00012345678905", "=INV.QTY(A2,B2)"],
  ];
  rows.forEach((cells, row) => cells.forEach((value, col) => workbook.put({ sheet, row, col }, value)));
}

/** Opens the part that saves Plan, with a list. */
async function openSaving(options: PaneOptions = {}): Promise<PaneBed> {
  const pane = await openPane({ settings: { "inv.environment": "demo" }, ...options });
  fillList(pane, "Plan");
  await pane.workbook.select(cell);
  await pane.openTab("Templates");
  await pane.sees("Planning sheet");
  await pane.unfold("Save this sheet as a team template");
  await pane.sees("Plan: a table of 3 columns");
  return pane;
}

async function typeNames(pane: PaneBed): Promise<void> {
  await pane.type("inv-team-title", "Weekly order");
  await pane.type("inv-team-summary", "For Mondays.");
}

/** Clicks twice where the first click shows what has changed: the second one finds the same button. */
async function doubleClick(pane: PaneBed, label: string): Promise<void> {
  press(label, 1);
  await pane.sees("The sheet has changed, and nothing has left.");
  await pane.sees(label);
  press(label, 2);
  await pane.clock.advance(1_000);
}

/** Holds the next reading of a sheet until the returned function is called. */
function holdReading({ workbook }: PaneBed): () => void {
  const { usedArea } = workbook;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  workbook.usedArea = (sheet) => held.then(() => usedArea(sheet));
  return release;
}

const downloads: string[] = [];
beforeEach(() => {
  downloads.length = 0;
  jest.spyOn(URL, "createObjectURL").mockReturnValue("blob:one");
  jest.spyOn(window.HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    downloads.push(this.download);
  });
});
afterEach(() => jest.restoreAllMocks());

it("a button that works says so, ignores clicks until it has ended, and goes on while its group is closed", async () => {
  const pane = await openSaving();
  await pane.press("Save as a file");
  await pane.sees("The template needs a title and a sentence.");
  await typeNames(pane);
  const release = holdReading(pane);
  await pane.press("Save as a file");
  await pane.sees("Working…");
  expect(buttons("Save as a file")).toEqual([]);
  unfold("Save this sheet as a team template", false);
  // It belongs to another template.
  await pane.type("inv-team-title", "Monthly order");
  expect(downloads).toEqual([]);
  release();
  await pane.sees("save this text as weekly-order.inv.json");
  expect(downloads).toEqual(["weekly-order.inv.json"]);
});

it("says that items below a blank row leave too, and not that the template is without them", async () => {
  const pane = await openSaving();
  await pane.sees("everybody's own stores and items, without yours.");
  const below = [1234, "00012345678912", "=INV.QTY(A4,B4)"];
  below.forEach((value, col) => pane.workbook.put({ sheet: "Plan", row: 3, col }, value));
  await pane.press("Read the sheet again");
  await pane.sees('"00012345678912" looks like one of yours and leaves too. 3 other cells.');
  expect(shown()).not.toContain("without yours");
});

it("in Excel a saved file's text can be copied too, and says so where the clipboard is closed", async () => {
  const copied: string[] = [];
  let isClosed = false;
  const copyText = (text: string) =>
    isClosed ? Promise.reject(new Error("closed")) : Promise.resolve(void copied.push(text));
  const pane = await openSaving({ copyText });
  await typeNames(pane);
  expect(buttons("Copy the text")).toEqual([]);
  await pane.press("Save as a file");
  await pane.sees("Excel may block downloads.");
  await pane.press("Copy the text");
  await pane.sees("Copied.");
  expect(readTemplateText(copied[0] ?? "").template).toMatchObject({
    id: "weekly-order",
    title: "Weekly order",
    summary: "For Mondays.",
    sheet: { name: "Weekly order" },
  });
  isClosed = true;
  await pane.press("Copy the text");
  await pane.sees("INV can't use the clipboard here. Select the text and copy it.");
});

it("in the browser workbook, whose downloads work, no text is shown", async () => {
  const pane = await openSaving({
    instead: ({ host }) => ({ host: { ...host, kind: "browser-workbook" } }),
  });
  await typeNames(pane);
  await pane.press("Save as a file");
  await pane.sees("weekly-order.inv.json is downloaded.");
  expect([downloads, root.querySelector("#inv-team-text")]).toEqual([["weekly-order.inv.json"], null]);
});

/** A server that has one template at most. Its list is as a test sets it; it refuses a first version, as if Jane was faster. */
function aServer() {
  const versions: number[] = [];
  const state = { templates: [] as PublishedTemplate[] };
  const server: PublishedTemplates = {
    list: () => Promise.resolve({ templates: state.templates, mayPublish: true }),
    remove: () => Promise.resolve(),
    publish(template, version) {
      versions.push(version);
      state.templates = [{ template, version: 3, author: "Jane Doe", publishedAtMs: 0 }];
      if (version > 0) return Promise.resolve();
      return Promise.reject(new InvError("not-possible", "It was published by Jane Doe meanwhile."));
    },
  };
  return { versions, state, instead: () => ({ published: () => Promise.resolve(server) }) };
}

it("of two people who publish at once, the later one is told, and may then replace the other", async () => {
  const { versions, state, instead } = aServer();
  const pane = await openSaving({ instead });
  await typeNames(pane);
  const [publish] = buttons("Publish to your team");
  await pane.press("Publish to your team");
  await pane.sees("It was published by Jane Doe meanwhile.");
  // A key that is held down repeats, and must not replace what nobody has seen.
  expect(publish?.isConnected).toBe(false);
  // What isn't on show doesn't leave.
  pane.workbook.put({ sheet: "Plan", row: 0, col: 2 }, "Secret margin");
  await pane.press("Replace the one published by Jane Doe");
  await pane.sees("The sheet has changed, and nothing has left.");
  expect(versions).toEqual([0]);
  await pane.press("Replace the one published by Jane Doe");
  await pane.sees('"Weekly order" is published.');
  expect(versions).toEqual([0, 3]);
  expect(state.templates[0]?.template.table?.columns[2]?.header).toBe("Secret margin");
});

it.each<readonly [string, (pane: PaneBed) => unknown]>([
  ["another sheet", ({ workbook }) => workbook.select({ ...cell, sheet: "Other" })],
  ["a rule that can't be saved", ({ workbook }) => workbook.highlights.push(iconSet)],
  ["a constant", ({ workbook }) => workbook.write({ ...cell, row: 9, col: 4 }, [["Ask Ann"]])],
])("shows %s first, and the second click of a double-click doesn't publish it", async (_, act) => {
  const { versions, instead } = aServer();
  const pane = await openSaving({ instead });
  await pane.workbook.addSheet("Other");
  fillList(pane, "Other");
  await typeNames(pane);
  await act(pane);
  await doubleClick(pane, "Publish to your team");
  expect(versions).toEqual([]);
  await pane.press("Publish to your team");
  await pane.sees("It was published by Jane Doe meanwhile.");
});

it("the second click of a double-click doesn't save what nobody has read", async () => {
  const pane = await openSaving();
  await typeNames(pane);
  await pane.workbook.write({ ...cell, row: 9, col: 4 }, [["Ask Ann"]]);
  await doubleClick(pane, "Save as a file");
  expect(downloads).toEqual([]);
  await pane.press("Save as a file");
  await pane.sees("save this text as weekly-order.inv.json");
});

/** Two environments that people sign in to. Jane has published the third version of a template in the first; the second's list is late. */
async function openSignedIn() {
  const environments = ["first", "second"].map((id) => ({
    ...anEnvironment(id, "production"),
    credentials: "server" as const,
    signIn: { at: "ACME", url: `https://inv.example/sign-in/begin/${id}` },
  }));
  const { state, versions, instead } = aServer();
  const template = {
    ...builtInTemplates()[0]!,
    id: "weekly-order",
    title: "Weekly order",
    environment: null,
  };
  const janes = { template, version: 3, author: "Jane Doe", publishedAtMs: 0 };
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const server = await instead().published();
  const pane = await openPane({
    environments,
    instead: ({ connection }) => {
      const list = async () => {
        const isFirst = connection.get().environment?.id === "first";
        if (!isFirst) await late;
        return { templates: isFirst ? [janes] : state.templates, mayPublish: true };
      };
      return { published: () => Promise.resolve({ ...server, list }) };
    },
  });
  const use = (environmentId: string) => {
    const credentials = { session: `session-${environmentId}`, person: "Joe", endsAtMs: 4_000_000_000_000 };
    return pane.services.connection.connect({ environmentId, credentials }, { tested: false });
  };
  await use("first");
  await pane.openTab("Templates");
  await pane.sees("Published by your team");
  return { pane, use, versions, janes, state, answer };
}

/** Somebody is about to replace Jane's template with Plan. */
async function openReplacing() {
  const opened = await openSignedIn();
  const { pane } = opened;
  fillList(pane, "Plan");
  await pane.workbook.select(cell);
  await pane.unfold("Save this sheet as a team template");
  await typeNames(pane);
  await pane.sees("Replace the one published by Jane Doe");
  return opened;
}

it("another environment's list and versions are neither shown nor used while its own is on its way", async () => {
  const { pane, use, versions, janes, state, answer } = await openReplacing();
  await use("second");
  await pane.clock.advance(1_000);
  expect(buttons("Weekly order")).toEqual([]);
  expect(buttons(/Publish|Replace/)).toEqual([]);
  state.templates = [{ ...janes, author: "Ann" }];
  answer();
  await pane.sees("Replace the one published by Ann");
  await pane.press("Replace the one published by Ann");
  await pane.sees('"Weekly order" is published.');
  expect(versions).toEqual([3]);
});

it("what was to be published in one environment doesn't leave for another that is chosen meanwhile", async () => {
  const { pane, use, versions, answer } = await openReplacing();
  const release = holdReading(pane);
  await pane.press("Replace the one published by Jane Doe");
  await use("second");
  release();
  await pane.sees("The environment has changed, and nothing has left.");
  answer();
  await pane.sees("Publish to your team");
  expect(versions).toEqual([]);
});

it("asks before it builds a published template in an environment that was chosen after it", async () => {
  const { pane, use } = await openSignedIn();
  await pane.press(/^Weekly order/);
  await pane.sees("Build the sheet");
  expect(shown()).not.toContain("made for the environment");
  await use("second");
  await pane.sees("made for the environment “first”. Do you want to build it with values of second?");
});

it("reads the sheet again by a button, and names what a template can't contain", async () => {
  const pane = await openSaving();
  pane.workbook.highlights.push(iconSet, iconSet, { ...iconSet, name: "area of a data bar" });
  await pane.press("Read the sheet again");
  await pane.sees("Not saved: 2 icon sets, 1 area of a data bar.");
});
