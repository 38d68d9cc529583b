/** Templates: what a person chooses or presses while the workbook is read or written is neither lost nor overtaken. */
import { InvError } from "../../../src/domain/errors";
import type { PaneServices } from "../../../src/taskpane/services";
import { builtInTemplates } from "../../../src/workbook/templates/built-in";
import { buttons, root, shown } from "../page";
import { openPane, type PaneBed } from "../pane-bed";

const cell = { sheet: "Plan", row: 0, col: 0, rows: 1, cols: 1 };

async function openTemplates(): Promise<PaneBed> {
  const pane = await openPane({ settings: { "inv.environment": "demo" } });
  await pane.workbook.addSheet("Lists");
  const lists = [
    ["Winkel", "Voorraad", "EAN", "Naam"],
    [1234, 12, "00012345678905", "Haver 500 g"],
    [57, 100, "00012345678912", "Melk 1 l"],
  ];
  lists.forEach((line, row) =>
    line.forEach((value, col) => pane.workbook.put({ sheet: "Lists", row, col }, value)),
  );
  await pane.openTab("Templates");
  await pane.sees("Planning sheet");
  return pane;
}

it("shows the first rows as they will be read, waits for a column that may be mistaken, and builds with names", async () => {
  const pane = await openTemplates();
  await pane.press("Planning sheet");
  await pane.workbook.select({ sheet: "Lists", row: 0, col: 0, rows: 3, cols: 4 });
  await pane.press("Use the selected cells");
  await pane.sees("Choose the column of stores.");
  expect(buttons("Build the sheet")).toEqual([]);
  await pane.type("inv-column-store", "1");
  await pane.sees("12 00012345678905");
  await pane.type("inv-column-store", "0");
  await pane.type("inv-column-itemName", "3");
  await pane.sees("2 rows of store and GTIN.");
  await pane.sees("57 00012345678912 Melk 1 l");
  const approve = jest.spyOn(pane.services.engine, "approveSpending");
  await pane.press("Build the sheet");
  await pane.sees('The sheet "Planning" is built.');
  expect(approve).toHaveBeenCalled();
  const built = { sheet: "Planning", row: 0, col: 0, rows: 3, cols: 3 };
  expect(await pane.workbook.read(built, "values")).toEqual([
    ["Store", "GTIN", "Item name"],
    [1234, "00012345678905", "Haver 500 g"],
    [57, "00012345678912", "Melk 1 l"],
  ]);
});

it("says which of several names of an item it takes", async () => {
  const pane = await openTemplates();
  await pane.press("Planning sheet");
  const lines = [
    "Store\tGTIN\tItem name",
    "1234\t00012345678905\tOats 500 g",
    "57\t00012345678905\tOat flakes",
  ];
  await pane.type("inv-template-rows", lines.join("\n"));
  await pane.sees(/Several names in the list\. The last is used:\s*00012345678905 Oat flakes/);
  await pane.type("inv-template-rows", lines.slice(0, 2).join("\n"));
  await pane.sees("1 row of store and GTIN.");
  expect(shown()).not.toContain("Several names");
});

it("a grid takes stores and items from an area each", async () => {
  const pane = await openTemplates();
  await pane.press("Store x item grid");
  await pane.workbook.select({ sheet: "Lists", row: 1, col: 0, rows: 2, cols: 1 });
  await pane.press("Use the selected stores");
  await pane.sees("Add rows to see the cost.");
  await pane.workbook.select({ sheet: "Lists", row: 0, col: 2, rows: 3, cols: 2 });
  await pane.press("Use the selected GTINs");
  await pane.sees("2 stores by 2 GTINs.");
});

it("an item history takes the selected row", async () => {
  const pane = await openTemplates();
  pane.workbook.put({ sheet: "Lists", row: 0, col: 0 }, "Filiale");
  await pane.press("Item history");
  await pane.workbook.select({ sheet: "Lists", row: 2, col: 3, rows: 1, cols: 1 });
  await pane.press("Use the selected cells");
  await pane.sees("Store 57, GTIN 00012345678912.");
});

it("says before a sheet is built that the workbook doesn't calculate all of its INV cells, and doesn't build it", async () => {
  const pane = await openTemplates();
  pane.workbook.mostInvCells = 5_000;
  await pane.press("Planning sheet");
  const lines = Array.from({ length: 2_000 }, (_, at) => `1234 ${10_000_000_000_000 + at}`);
  await pane.type("inv-template-rows", lines.slice(0, 5).join("\n"));
  await pane.sees("Uses 1 of 600 requests");
  expect(shown()).not.toContain("INV cells");
  await pane.type("inv-template-rows", lines.join("\n"));
  await pane.sees(
    "This workbook calculates at most 5,000 INV cells, and would have 8,002. Use fewer rows, or INV in Excel.",
  );
  const sheets = await pane.workbook.sheets();
  await pane.press("Build the sheet");
  await pane.clock.advance(1_000);
  expect(shown().match(/at most 5,000 INV cells/g)).toHaveLength(2);
  expect(await pane.workbook.sheets()).toEqual(sheets);
  pane.workbook.mostInvCells = null;
  await pane.press("Build the sheet");
  await pane.sees('The sheet "Planning" is built.');
  // The cost of building it again would read like that of the sheet.
  expect(shown()).not.toMatch(/Uses|INV cells/);
  await pane.type("inv-template-rows", lines.slice(1).join("\n"));
  await pane.sees("1,999 rows of store and GTIN.");
  await pane.clock.advance(1_000);
  expect(shown()).not.toContain("INV cells");
});

it("a price is that of the rows on show, and a click approves only what was seen", async () => {
  const pane = await openTemplates();
  pane.workbook.mostInvCells = 50_000;
  await pane.press("Planning sheet");
  const lines = Array.from({ length: 300 }, (_, at) => `${1_000 + at} 00012345678905`);
  await pane.type("inv-template-rows", lines[0] ?? "");
  await pane.sees("Uses 1 of 600 requests");
  const { findFormulas } = pane.workbook;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  pane.workbook.findFormulas = (...given) => held.then(() => findFormulas(...given));
  await pane.type("inv-template-rows", lines.join("\n"));
  await pane.sees("Counting the requests…");
  expect(shown()).not.toContain("Uses 1 of");
  const approve = jest.spyOn(pane.services.engine, "approveSpending");
  await pane.press("Build the sheet");
  release();
  await pane.sees('The sheet "Planning" is built.');
  expect(approve).not.toHaveBeenCalled();
  pane.workbook.findFormulas = () => Promise.reject(new InvError("internal", "Excel is busy."));
  await pane.type("inv-template-rows", lines.slice(1).join("\n"));
  await pane.sees("Excel is busy.");
});

it("what one types while cells are read stays, and another choice isn't called built", async () => {
  const pane = await openTemplates();
  await pane.press("Planning sheet");
  await pane.workbook.select({ sheet: "Lists", row: 0, col: 0, rows: 3, cols: 4 });
  const { read, addSheet } = pane.workbook;
  let release = (): void => undefined;
  const held = () => new Promise<void>((resolve) => (release = resolve));
  pane.workbook.read = (...given) => held().then(() => read(...given));
  await pane.press("Use the selected cells");
  await pane.type("inv-template-rows", "1234 00012345678905");
  pane.workbook.read = read;
  release();
  await pane.clock.advance(1_000);
  await pane.sees("1 row of store and GTIN.");
  expect(Reflect.get(root.querySelector("#inv-template-rows") ?? {}, "value")).toBe("1234 00012345678905");
  pane.workbook.addSheet = (...given) => held().then(() => addSheet(...given));
  await pane.press("Build the sheet");
  await pane.sees("Building…");
  await pane.type("inv-template-rows", "1234 00012345678905\n1234 00012345678912");
  pane.workbook.addSheet = addSheet;
  release();
  await pane.sees('The sheet "Planning" is built.');
  await pane.sees("Uses 1 of 600 requests");
});

it("no longer calls a sheet built when it is gone, by Ctrl+Z or under another name, and until then keeps the words", async () => {
  const pane = await openTemplates();
  const { workbook } = pane;
  await pane.press("Planning sheet");
  await pane.type("inv-template-rows", "1234 00012345678905");
  await pane.press("Build the sheet");
  await pane.sees('The sheet "Planning" is built.');
  workbook.tellEdit([{ ...cell, sheet: "Planning" }]);
  workbook.tellEdit(null);
  await pane.clock.advance(1_000);
  await pane.sees('The sheet "Planning" is built.');
  const { sheets } = workbook;
  let answer = (): void => undefined;
  workbook.sheets = async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return sheets();
  };
  const built = (await sheets()).find(({ name }) => name === "Planning");
  await workbook.deleteSheet(built?.id ?? "");
  workbook.tellEdit(null);
  answer();
  await pane.sees("Uses 1 of 600 requests");
  expect(shown()).not.toContain("is built");
  workbook.sheets = sheets;
  await pane.press("Build the sheet");
  await pane.sees('The sheet "Planning" is built.');
  workbook.renameSheet("Planning", "Week 47");
  workbook.tellEdit({ from: "Planning", to: "Week 47" });
  await pane.clock.advance(1_000);
  expect(shown()).not.toContain("is built");
});

afterEach(() => jest.restoreAllMocks());

it("says that an empty sheet has nothing to copy", async () => {
  const pane = await openPane({ settings: { "inv.environment": "demo" } });
  await pane.openTab("Templates");
  await pane.unfold("Copy with values");
  await pane.workbook.select(cell);
  await pane.press("Copy with values");
  await pane.sees('The sheet "Plan" is empty, so there is nothing to copy.');
});

it.each([
  ["excel", "right-click the copy's tab, choose Move or Copy"],
  ["browser-workbook", "choose Download above the sheet. To give somebody"],
] as const)("says in %s how to send a copy's values", async (kind, advice) => {
  const instead = ({ host }: PaneServices) => ({ host: { ...host, kind } });
  const pane = await openPane({ settings: { "inv.environment": "demo" }, instead });
  await pane.openTab("Templates");
  await pane.unfold("Copy with values");
  await pane.sees(advice);
  expect(shown().includes("Move or Copy")).toBe(kind === "excel");
});

it("loads the team's templates again by a button, and skips only a broken one", async () => {
  const pane = await openPane();
  pane.files["templates.json"] = undefined;
  await pane.openTab("Templates");
  await pane.sees("INV couldn't read your team's templates from its server.");
  const ours = { ...builtInTemplates()[0], id: "ours", title: "Weekly order" };
  pane.files["templates.json"] = { templates: [{ id: "broken" }, ours] };
  await pane.press("Try again");
  await pane.sees("Weekly order");
});

it("asks before it builds a template of another environment", async () => {
  const pane = await openPane({ settings: { "inv.environment": "demo" } });
  const real = { ...builtInTemplates()[0], id: "real", title: "Real orders", environment: "production" };
  pane.files["templates.json"] = { templates: [real] };
  await pane.openTab("Templates");
  await pane.sees("Real orders");
  await pane.press("Real orders");
  await pane.sees("made for the environment “production”. Do you want to build it with values of Demo?");
  expect(buttons("Build the sheet")).toEqual([]);
  await pane.type("inv-template-rows", "57 00012345678912");
  await pane.press("Build with Demo");
  await pane.sees(/The sheet ".*" is built/);
});

it("opens a template file that somebody has sent, and says what is wrong with another file", async () => {
  const pane = await openPane({ settings: { "inv.environment": "demo" } });
  await pane.openTab("Templates");
  await pane.sees("Planning sheet");
  await pane.unfold("Open a template file");
  await pane.sees("A file that ends with .inv.json");
  const choose = (name: string, text: string): void => {
    const input = document.getElementById("inv-open-template") as HTMLInputElement;
    Object.defineProperty(input, "files", { configurable: true, value: [new File([text], name)] });
    input.dispatchEvent(new window.Event("change", { bubbles: true }));
  };
  choose("orders.csv", "1234;00012345678905");
  await pane.sees('INV can\'t use "orders.csv": The file is not valid JSON.');
  const planning = builtInTemplates()[0];
  choose(
    "spy.inv.json",
    JSON.stringify({ ...planning, blocks: [{ at: "A30", rows: [['=WEBSERVICE("x")']] }] }),
  );
  await pane.sees(/INV can't use "spy\.inv\.json": .*WEBSERVICE/);
  choose("orders.inv.json", JSON.stringify({ ...planning, id: "orders", title: "Mailed orders" }));
  await pane.sees("Mailed orders");
  await pane.sees("Build the sheet");
});
