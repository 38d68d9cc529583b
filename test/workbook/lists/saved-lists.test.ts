/** Saved lists over the port: each name covers a column that grows. Saving never overwrites, and leaves nothing after a failure. */
import { listFormula, listPlace, mostEntries } from "../../../src/workbook/lists/list-formula";
import { listsSheet, namesIn, readLists, saveList } from "../../../src/workbook/lists/saved-lists";
import type { CellValue } from "../../../src/workbook/port";
import { createMemoryWorkbook } from "../memory-workbook";

const gtin = "00012345678905";
const stores = { name: "Stores_North", kind: "stores", entries: [1234, 57] } as const;
const items = { name: "Items_Top", kind: "items", entries: [gtin] } as const;

const put = (workbook: ReturnType<typeof createMemoryWorkbook>, row: number, col: number, value: CellValue) =>
  workbook.put({ sheet: listsSheet, row, col }, value);

it("reads the list's place from its formula, for any name of the sheet", () => {
  for (const sheet of [listsSheet, "Lists", "O'Neil, (x)"]) {
    const heading = { sheet, row: 2, col: 27 };
    expect(listPlace(listFormula(heading))).toEqual({ heading, endRow: heading.row + 1 + mostEntries });
  }
  const formula =
    '=FILTER(Lists!$B$1:$B$10000,NOT(ISBLANK(Lists!$B$1:$B$10000))*(ROW(Lists!$B$1:$B$10000)>ROW(Lists!$B$1)),"")';
  expect(listFormula({ sheet: "Lists", row: 0, col: 1 })).toBe(formula);
  // The formula as a file spells it, after two rows were inserted.
  expect(listPlace(formula.replace("FILTER", "_xlfn._xlws.FILTER").replaceAll("10000", "10002"))).toEqual({
    heading: { sheet: "Lists", row: 0, col: 1 },
    endRow: 10_002,
  });
  expect(listPlace("='INV lists'!$A$2:$A$9")).toBeNull();
});

it("writes two lists beside each other on their own sheet, items as text", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  await saveList(workbook, stores);
  await saveList(workbook, items);
  expect((await workbook.sheets()).map(({ name, visible }) => [name, visible])).toEqual([
    ["Plan", true],
    [listsSheet, true],
  ]);
  expect(await workbook.read({ sheet: listsSheet, row: 0, col: 0, rows: 3, cols: 2 }, "values")).toEqual([
    ["Stores_North", "Items_Top"],
    [1234, gtin],
    [57, null],
  ]);
  const [[, format] = []] = await workbook.formatsOf({ sheet: listsSheet, row: 1, col: 0, rows: 1, cols: 2 });
  expect(format).toMatchObject({ numberFormat: "@" });
  expect((await readLists(workbook)).map(({ name, kind, values }) => [name, kind, values.length])).toEqual([
    ["Stores_North", "stores", 2],
    ["Items_Top", "items", 1],
  ]);
});

it("writes names beside the entries, reads them again with those typed later, and finds them by store and GTIN", async () => {
  const workbook = createMemoryWorkbook();
  await saveList(workbook, { ...stores, names: ["Main Street", null] });
  await saveList(workbook, { ...items, names: [null] });
  put(workbook, 3, 0, 100);
  put(workbook, 3, 1, " Harbour ");
  put(workbook, 0, 3, "Name");
  put(workbook, 1, 3, "Oat drink");
  const lists = await readLists(workbook);
  expect(lists.map(({ values, names }) => [values, names])).toEqual([
    [
      [1234, 57, 100],
      ["Main Street", null, "Harbour"],
    ],
    [[gtin], ["Oat drink"]],
  ]);
  expect([...namesIn(lists)]).toEqual([
    ["1234", "Main Street"],
    ["100", "Harbour"],
    [gtin, "Oat drink"],
  ]);
});

it("takes no names from a column with another heading", async () => {
  const workbook = createMemoryWorkbook();
  await saveList(workbook, stores);
  put(workbook, 0, 1, "Note");
  put(workbook, 1, 1, "closed on Mondays");
  expect((await readLists(workbook))[0]?.names).toEqual([null, null]);
});

it("includes entries typed below, with blanks between, up to its last row", async () => {
  const workbook = createMemoryWorkbook();
  await saveList(workbook, stores);
  put(workbook, 4, 0, 100);
  put(workbook, mostEntries + 1, 0, 200);
  const [list] = await readLists(workbook);
  expect(list?.values).toEqual([1234, 57, null, 100]);
});

it("keeps somebody else's sheet of that name, uses an empty one, and skips a column beside the lists", async () => {
  const workbook = createMemoryWorkbook([listsSheet]);
  put(workbook, 0, 0, "mine");
  await saveList(workbook, stores);
  expect((await readLists(workbook))[0]?.heading.sheet).toBe(`${listsSheet} 2`);
  expect(workbook.cells.get("0,0,INV lists")).toBe("mine");
  workbook.put({ sheet: `${listsSheet} 2`, row: 5, col: 1 }, "a remark");
  await saveList(workbook, items);
  expect((await readLists(workbook))[1]?.heading.col).toBe(2);

  const empty = createMemoryWorkbook([listsSheet]);
  await saveList(empty, stores);
  expect((await empty.sheets()).map(({ name }) => name)).toEqual([listsSheet]);
});

it("refuses a name that a defined name, a table or a sheet already has, before it writes", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  await saveList(workbook, stores);
  const before = new Map(workbook.cells);
  for (const name of ["stores_north", "plan", "TOP25"]) {
    await expect(saveList(workbook, { ...items, name })).rejects.toMatchObject({ code: "bad-argument" });
  }
  expect(workbook.cells).toEqual(before);
});

it("frees the name of a list without its sheet", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  await saveList(workbook, stores);
  await workbook.deleteSheet(listsSheet);
  await saveList(workbook, stores);
  expect(workbook.definedNames).toHaveLength(1);
  expect((await readLists(workbook)).map(({ name }) => name)).toEqual(["Stores_North"]);
});

it("leaves no column behind if the host refuses the name", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  await saveList(workbook, stores);
  workbook.addName = () => Promise.reject(new Error("It is a function"));
  await expect(saveList(workbook, items)).rejects.toThrow(
    'The workbook refused the name "Items_Top": It is a function.',
  );
  expect(await workbook.usedArea(listsSheet)).toMatchObject({ cols: 1, rows: 3 });
});
