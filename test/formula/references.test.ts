/** References as Excel spells them, and the same formula in R1C1. */
import { movedFormula, referenceIn, references, toR1C1 } from "../../src/formula/references";

const cellsOf = (formula: string) => references(formula).cells.map(({ text }) => text);

describe("references", () => {
  it("are found on this and other sheets, as areas, whole rows and whole columns", () => {
    expect(cellsOf("=INV.QTY($A2,B$1)+'My sheet'!C3:D4+Data!E:E+2:3")).toEqual([
      "$A2",
      "B$1",
      "'My sheet'!C3:D4",
      "Data!E:E",
      "2:3",
    ]);
    expect(references("='It''s'!B3:A1").cells[0]).toEqual({
      text: "'It''s'!B3:A1",
      sheet: "It's",
      row: 0,
      col: 0,
      rows: 3,
      cols: 2,
      isSpilled: false,
    });
  });

  it("aren't text, functions, names or parts of names", () => {
    expect(cellsOf('=LOG10(5)&"A1"&INV.QTY(Store1_a,TAX2024X)&A1B&XFE1')).toEqual([]);
  });

  it("to this row of a table are recognized", () => {
    expect(references("=INV.QTY([@Store],Items[@[Item no.]])").thisRow).toEqual([
      { text: "[@Store]", table: null, column: "Store" },
      { text: "Items[@[Item no.]]", table: "Items", column: "Item no." },
    ]);
    expect(cellsOf("=SUM(Items[A1])+[Book2.xlsx]Sheet1!A1")).toEqual([]);
  });
});

describe("R1C1", () => {
  it.each([
    ["=INV.QTY(A2,B2)", "=INV.QTY(RC[-2],RC[-1])"],
    ["=INV.QTY($A2,B$1)", "=INV.QTY(RC1,R1C[-1])"],
    ["=SUM($A$1:C3)+Data!E:E+2:$3", "=SUM(R1C1:R[1]C)+Data!C[2]:C[2]+R:R3"],
    ['=INV.QTY("A1",A1)&[@Store]', '=INV.QTY("A1",R[-1]C[-2])&[@Store]'],
    ["='A1 B2'!C2", "='A1 B2'!RC"],
  ])("of %s", (formula, expected) => {
    expect(toR1C1(formula, { row: 1, col: 2 })).toBe(expected);
  });
});

test("moves relative references, but not absolute ones or text", () => {
  const formula = `=INV.QTY($A2,B$1)+'Plan 7'!$C$3+LOG10(A9)&"A1"+[Book.xlsx]S!A1`;
  expect(movedFormula(formula, { rows: 3, cols: 1 })).toBe(
    `=INV.QTY($A5,C$1)+'Plan 7'!$C$3+LOG10(B12)&"A1"+[Book.xlsx]S!A1`,
  );
  expect(movedFormula("=A1+B:B+Plan!C9", { rows: -1, cols: -1 })).toBe("=#REF!+A:A+Plan!B8");
});

test("recognizes a spilled reference, and a text that is one reference", () => {
  expect(references("=SUM(Plan!B2#)").cells[0]).toMatchObject({
    text: "Plan!B2#",
    sheet: "Plan",
    isSpilled: true,
  });
  expect(referenceIn("'North|South'!A:A")).toMatchObject({ sheet: "North|South", cols: 1, rows: 1_048_576 });
  expect(referenceIn("A1+1")).toBeNull();
});
