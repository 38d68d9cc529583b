/** Addresses in the spellings of Excel, the functions and the port. */
import { fc } from "../helpers/properties";
import {
  areaAddress,
  cellAddresses,
  contains,
  functionAddress,
  parseCellAddress,
  renamedAddress,
} from "../../src/workbook/addresses";
import { freeSheetName } from "../../src/workbook/sheet-names";

test("an area is one cell or two corners", () => {
  expect(areaAddress({ row: 1, col: 2, rows: 1, cols: 1 })).toBe("C2");
  expect(areaAddress({ row: 1, col: 2, rows: 9, cols: 2 })).toBe("C2:D10");
});

test("reads both spellings of any cell", () => {
  const cell = fc.record({
    sheet: fc.string({ minLength: 1, maxLength: 31 }).filter((name) => !/[[\]:*?/\\!]|^'|'$/.test(name)),
    row: fc.nat(1_048_575),
    col: fc.nat(16_383),
  });
  fc.assert(
    fc.property(cell, (ref) => {
      const [bare, quoted] = cellAddresses(ref);
      expect(parseCellAddress(quoted)).toEqual(ref);
      if (!ref.sheet.includes("'")) expect(parseCellAddress(bare)).toEqual(ref);
    }),
  );
});

test("ignores a workbook's name and dollar signs", () => {
  expect(parseCellAddress("[Book1.xlsx]Plan!$B$3")).toEqual({ sheet: "Plan", row: 2, col: 1 });
  expect(parseCellAddress("'[Book 1.xlsx]My plan'!B3")).toEqual({ sheet: "My plan", row: 2, col: 1 });
});

test.each(["", "A1", "Sheet1!A0", "Sheet1!A1:B2", "Sheet1!", "!A1", "Sheet1!1A"])(
  "%j isn't a cell",
  (text) => {
    expect(parseCellAddress(text)).toBeNull();
  },
);

describe("a sheet's name, as Excel passes it to a function", () => {
  it.each(["Plan", "Plan_2", "_x", "A1B", "ABCD1", "A", "RX", "R1C1x", "Läden.1", "Plan1234567a"])(
    "%s needs no quotes",
    (sheet) => {
      expect(functionAddress(sheet, "B2")).toBe(`${sheet}!B2`);
    },
  );

  it.each(["A1", "abc123", "XFD1048576", "R1C1", "r2c3", "RC", "R1C", "My plan", "1st", "Q&A", "a-b"])(
    "%s needs quotes, because a formula would read it as something else",
    (sheet) => {
      expect(functionAddress(sheet, "B2")).toBe(`'${sheet}'!B2`);
    },
  );

  it("repeats its quotes", () => {
    expect(functionAddress("Tom's", "B2")).toBe("'Tom''s'!B2");
  });
});

test.each([
  ["Plan!B2", "Week", "Week!B2"],
  ["'Plan'!B2", "Week", "Week!B2"],
  ["Plan!B2", "A1", "'A1'!B2"],
  ["Plan!B2", "R1C1", "'R1C1'!B2"],
  ["Plan 2!B2", "Week", "Plan 2!B2"],
])("%s of a sheet that is now %s is %s", (address, to, renamed) => {
  expect(renamedAddress(address, { from: "Plan", to })).toBe(renamed);
});

test("an area contains its corners and nothing beyond them", () => {
  const area = { sheet: "Plan", row: 1, col: 1, rows: 3, cols: 2 };
  expect(contains(area, { sheet: "Plan", row: 1, col: 1 })).toBe(true);
  expect(contains(area, { sheet: "Plan", row: 3, col: 2 })).toBe(true);
  expect(contains(area, { sheet: "Plan", row: 4, col: 2 })).toBe(false);
  expect(contains(area, { sheet: "Plan", row: 3, col: 3 })).toBe(false);
  expect(contains(area, { sheet: "Other", row: 2, col: 1 })).toBe(false);
});

describe("the name of a new sheet", () => {
  it.each([
    ["stays when it is free", "Planning", [], "Planning"],
    ["is numbered when in use, in any letter case", "Planning", ["PLANNING", "planning 2"], "Planning 3"],
    ["loses what Excel forbids", "'Q1/Q2: [plan]?'", [], "Q1 Q2   plan"],
    ["is cut to 31 characters, number included", "x".repeat(40), ["x".repeat(31)], `${"x".repeat(29)} 2`],
    ["is never Excel's own History", "History", [], "History 2"],
    ["is Sheet when nothing is left of it", "///", [], "Sheet"],
  ])("%s", (_title, wanted, taken, name) => {
    expect(freeSheetName(wanted, taken)).toBe(name);
  });
});
