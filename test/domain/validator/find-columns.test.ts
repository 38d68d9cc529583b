/** The columns of stores and items, in tables as planners have them. */
import { findColumns } from "../../../src/domain/validator/find-columns";
import { gtinOf } from "./gtins";

describe("the columns of stores and items", () => {
  it("are found by their headings, whatever is between them", () => {
    const rows = [
      ["Week 47", null, null, null, null],
      ["Item name", "Qty", "STORE_NBR", "Date", "UPC"],
      ["Flakes 500 g", 12, 1234, 46346, 12345678905],
      ["Oats 1 kg", 340, 2045, 46347, 12345678912],
    ];
    expect(findColumns(rows)).toEqual({ store: 2, item: 4, firstRow: 2 });
  });

  it("are found by their contents without headings: the store is left of its item", () => {
    const rows = [1, 2, 3, 4].map((number) => [46340 + number, 1234, gtinOf(number), number * 10]);
    expect(findColumns(rows)).toEqual({ store: 1, item: 2, firstRow: 0 });
  });

  it("begin with the first store, also if the one below it can't be read", () => {
    expect(findColumns([["Store"], [1234], ["12A"], [100]])).toMatchObject({ store: 0, firstRow: 1 });
  });

  it.each([
    ["a date", "Bestand", 46354],
    ["a year", "Stock list", 2026],
  ])("are below a title with %s, whose heading tells stores from quantities", (_, title, number) => {
    const rows = [
      [title, number, null],
      [null, null, null],
      ["Filiale", "Menge", "EAN"],
      [1234, 12, gtinOf(1)],
      [2045, 30, gtinOf(2)],
    ];
    expect(findColumns(rows)).toEqual({ store: 0, item: 2, firstRow: 3 });
    expect(findColumns([...rows.slice(2, 4), ["Summe", null, null]])).toEqual({
      ...{ store: 0, item: 2, firstRow: 1 },
    });
  });

  it("may be a single column", () => {
    expect(findColumns([["GTIN"], [gtinOf(1)], ["OOO12345678905"], [gtinOf(2)]])).toEqual({
      store: null,
      item: 0,
      firstRow: 1,
    });
    expect(findColumns([["Store"], [1234]])).toEqual({ store: 0, item: null, firstRow: 1 });
  });

  it("don't exist in words, in blanks, and in quantities beside words", () => {
    expect(findColumns([])).toEqual({ store: null, item: null, firstRow: 0 });
    expect(findColumns([["Plan"], ["for spring"]])).toEqual({ store: null, item: null, firstRow: 0 });
    expect(
      findColumns([
        ["Name", "Share"],
        ["Oats", 0.5],
      ]),
    ).toEqual({ store: null, item: null, firstRow: 0 });
  });

  it("may contain item numbers, but not item names", () => {
    const rows = [
      ["Store", "Item description", "Item Nbr"],
      [1234, "Oats 12345678905", 551234567],
      [1234, "Flakes", 551234568],
    ];
    expect(findColumns(rows)).toEqual({ store: 0, item: 2, firstRow: 1 });
  });
});
