/** The columns of stores, items and names, in lists as planners have them. */
import { columnName } from "../../../src/formula/columns";
import { findColumns } from "../../../src/domain/validator/find-columns";
import { gtinOf } from "./gtins";
import { plannersLists } from "./planners-lists";

test.each(plannersLists.map((list) => [`${list.language}, ${list.trap}`, list] as const))(
  "%s: only columns without doubt are chosen",
  (_title, { rows, stores, items }) => {
    const { store, item } = findColumns(rows);
    const letter = (col: number | null) => (col === null ? null : columnName(col));
    expect({ stores: letter(store), items: letter(item) }).toEqual({ stores, items });
  },
);

test("there are 24 lists in nine languages", () => {
  expect(plannersLists).toHaveLength(24);
  expect(new Set(plannersLists.map(({ language }) => language)).size).toBe(9);
});

test("names have columns of their own, which no quantity is", () => {
  const rows = [
    ["Week 47", null, null, null],
    ["Filiale", "Filialname", "EAN", "Artikel"],
    [1234, "Mitte", "00012345678905", "Hafer 500 g"],
  ];
  expect(findColumns(rows)).toEqual({
    ...{ store: 0, storeName: 1, item: 2, itemName: 3, firstRow: 2 },
    headings: ["Filiale", "Filialname", "EAN", "Artikel"],
    isFilled: [true, true, true, true],
  });
});

test("one-digit stores on top of a list aren't a heading", () => {
  expect(
    findColumns([
      [7, gtinOf(1)],
      [1234, gtinOf(2)],
    ]),
  ).toMatchObject({ store: null, item: 1, firstRow: 0 });
});

test.each(["OO012345678912", "]C100012345678905", "(01)00012345678905", "#N/A"])(
  "a first line of %s is data, not a heading",
  (value) => {
    expect(findColumns([[value], [gtinOf(1)]])).toMatchObject({ firstRow: 0 });
  },
);

test.each([
  ["a date", "Bestand", 46354],
  ["a year", "Stock list", 2026],
])("a title with %s is above the headings", (_, title, number) => {
  const rows = [
    [title, number, null],
    [null, null, null],
    ["Filiale", "Menge", "EAN"],
    [1234, 12, gtinOf(1)],
  ];
  expect(findColumns(rows)).toMatchObject({ store: 0, item: 2, firstRow: 3 });
});

test("unknown headings of words are headings too", () => {
  expect(
    findColumns([
      ["Winkel", "Streepjescode"],
      [1234, gtinOf(1)],
    ]),
  ).toMatchObject({
    ...{ store: 0, item: 1, firstRow: 1 },
    headings: ["Winkel", "Streepjescode"],
  });
});

test("a column with a known heading is chosen whatever is in it, so that wrong values are seen", () => {
  expect(findColumns([["Store"], [1234], ["12A"], [100]])).toMatchObject({
    store: 0,
    item: null,
    firstRow: 1,
  });
});

test("nothing is chosen in blanks, words and shares", () => {
  const nothing = { store: null, item: null, storeName: null, itemName: null };
  expect(findColumns([])).toMatchObject({ ...nothing, firstRow: 0 });
  expect(findColumns([["Plan"], ["for spring"]])).toMatchObject(nothing);
  expect(
    findColumns([
      ["Name", "Share"],
      ["Oats", 0.5],
    ]),
  ).toMatchObject(nothing);
});

test("an error among the items doesn't hide their column, and a column of errors is none", () => {
  const rows = [
    ["Filiale", "Artikel-Nr.", "Rang"],
    [1234, gtinOf(1), "#N/A"],
    [57, "#N/A", "#N/A"],
  ];
  expect(findColumns(rows)).toMatchObject({ store: 0, item: 1 });
});
