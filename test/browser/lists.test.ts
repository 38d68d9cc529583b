/**
 * Lists in the browser workbook, by keyboard: a column of stores and a column of items get names, and a grid over both names shows
 * the service's numbers. Typing below a list extends the grid, and templates accept the lists.
 */
import { button, openTab } from "./pane-parts";
import { eventually, problemsInBothThemes } from "./support";
import { namesExpected, tryNames } from "../contract/port-names";
import { askService, openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

const items = ["00012345678905", "00012345678929"];

beforeAll(async () => {
  workbook = await openScratch();
  await workbook.write([scratch, 0, 0], [["Store"], [1234], ["12A"], [100]]);
  await workbook.write([scratch, 0, 2], [["GTIN"], ...items.map((item) => [item])]);
  await openTab(workbook.pane(), "Build", "Lists");
});

const select = (col: number, rows: number) => workbook.select(scratch, 0, col, rows);

/** Presses a button without a mouse. */
async function press(text: string): Promise<void> {
  const found = button(workbook.pane(), text);
  await found.focus();
  await workbook.page.keyboard.press("Enter");
}

async function available(store: number, gtin: string): Promise<number> {
  const { inventory_locations } = await (await askService()).item(store, gtin);
  const own = inventory_locations.find(
    (each) => each.location_area === "STORE" && each.state === "AVAILABLE",
  );
  return Number(own?.quantity);
}

test("the port adds, reads and deletes names as it does in Excel", async () => {
  expect(await workbook.port(tryNames, null)).toEqual(namesExpected);
  await workbook.port((port) => port.deleteSheet("Store list"), null);
});

test("columns become lists where they are, under names that the workbook accepts", async () => {
  const pane = workbook.pane();
  const { page } = workbook;
  await select(0, 4);
  await pane.getByLabel("Name for the column").focus();
  await page.keyboard.type("TOP25");
  await press("Use this column as a list");
  await pane.getByText("TOP25 is the address of a cell. You can use Stores_TOP25.").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  await pane.getByLabel("Name for the column").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Stores_North");
  await press("Use this column as a list");
  await pane.getByText("Stores_North: 3 stores.").waitFor();
  await pane.getByText(/Row 3 can't be read/).waitFor();
  await workbook.write([scratch, 2, 0], [[null]]);

  await select(2, 3);
  await pane.getByLabel("Name for the column").focus();
  await page.keyboard.type("Items_Top");
  await press("Use this column as a list");
  await pane.getByText("Items_Top: 2 items.").waitFor();
  expect(await workbook.sheetNames()).not.toContain("INV lists");
});

test("a grid over the names has the service's numbers, and grows with what is typed below a list", async () => {
  await workbook.select(scratch, 10, 5);
  await workbook.enter("=INV.QTY(Stores_North,TRANSPOSE(Items_Top))");
  const wanted = [
    [await available(1234, items[0]!), await available(1234, items[1]!)],
    [await available(100, items[0]!), await available(100, items[1]!)],
  ];
  await eventually(async () => expect(await workbook.values(scratch, 10, 5, 2, 2)).toEqual(wanted));
  const typed = "00012345678912";
  await workbook.select(scratch, 3, 2);
  await workbook.enter(typed);
  await eventually(async () => {
    expect(await workbook.values(scratch, 3, 2, 1, 1)).toEqual([[typed]]);
    const [row = []] = await workbook.values(scratch, 10, 5, 1, 3);
    expect(row).toEqual([...wanted[0]!, await available(1234, typed)]);
  });
});

test("Insert makes the grid's formula from the lists, with its cost before it is written", async () => {
  const pane = workbook.pane();
  await workbook.select(scratch, 20, 4);
  await openTab(pane, "Build", "Formula");
  await pane.locator("#inv-insert-store").selectOption("List Stores_North");
  await pane.locator("#inv-insert-item").selectOption("List Items_Top");
  await pane.getByText("=INV.QTY(Stores_North,TRANSPOSE(Items_Top))").waitFor();
  await pane.getByText("Uses no requests: INV has all values.").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  await button(pane, "Insert into E21").click();
  await eventually(async () => {
    expect(await workbook.values(scratch, 20, 4, 2, 3)).toEqual(await workbook.values(scratch, 10, 5, 2, 3));
  });
  await openTab(pane, "Build", "Templates");
});

test("templates take lists", async () => {
  const pane = workbook.pane();
  await pane.getByRole("button", { name: /^Store x item grid/ }).click();
  await pane.getByLabel("Stores of a list").selectOption("Stores_North");
  await pane.getByText("2 stores, but no GTINs: give the GTINs too.").waitFor();
  await pane.getByLabel("GTINs of a list").selectOption("Items_Top");
  await pane.getByText("2 stores by 3 GTINs.").waitFor();
  await button(pane, "All templates").click();
  expect(workbook.complaints).toEqual([]);
});
