/** The calls and names of a formula, and which formulas a refresh recalculates. */
import {
  argumentTexts,
  callsIn,
  definedNamesIn,
  fromStoredFunctions,
  invFunctionsIn,
  isInvFormula,
  onlyCall,
} from "../../src/formula/calls";
import { tokensOf } from "../../src/formula/tokens";

describe("formulas with an INV function", () => {
  it.each([
    ["alone", "=INV.QTY(A2,B2)"],
    ["lower case", "=inv.qty(a2,b2)"],
    ["nested in IFNA", '=IFNA(INV.QTY(A2,B2),"")'],
    ["after an operator", "=A1+INV.QTY(A2,B2)*2"],
    ["after @", "=@INV.STATUS(A2,B2)"],
    ["behind text that holds quotes", '=IF(A1="say ""hi""",INV.ENV(),0)'],
    ["behind a quoted sheet", "='Joe''s [old]'!A1+INV.QTY(A2,B2)"],
    ["behind a structured reference", "=Stock[@[On hand]]+INV.QTY([@Store],[@GTIN])"],
    ["behind a column with escaped brackets", "=Stock['[odd']]+INV.QTY(A2,B2)"],
    ["inside LET and LAMBDA", "=LET(q,INV.QTY(A2,B2),q+1)"],
    ["by bare name", "=MAP(A2:A9,B2:B9,INV.QTY)"],
    ["as stored in files", "=_xldudf_INV_QTY(A2,B2)"],
    ["as stored, behind a broken link", "=[2]!_xldudf_INV_QTY(A2,B2)"],
    ["with a line break", "=IF(A2>0,\n  INV.QTY(A2,B2), 0)"],
    ["of a name released later", "=INV.SOMETHING_NEW(A2)"],
  ])("%s", (_title, formula) => {
    expect(isInvFormula(formula)).toBe(true);
  });
});

describe("formulas without an INV function", () => {
  it.each([
    ["a value", "INV.QTY(A2,B2)"],
    ["empty", ""],
    ["a text in a formula", '=A1&"INV.QTY(A2,B2)"'],
    ["a text with quotes around it", '="""INV.QTY(A2,B2)"""'],
    ["a quoted sheet name", "='INV.QTY(x)'!A1"],
    ["a bare sheet name", "=INV.QTY!A1"],
    ["a table", "=SUM(INV.Items[Qty])"],
    ["a column name", "=SUM(Stock[INV.QTY(A2)])"],
    ["another function that ends so", "=MYINV.QTY(A2,B2)"],
    ["a name inside a longer one", "=MY.INV.QTY(A2,B2)"],
    ["a sheet called INV", "=INV!A1"],
    ["a function called INVERSE", "=MINVERSE(A1:B2)"],
    ["another add-in's stored function", "=_xldudf_INVENTORY_QTY(A2)"],
  ])("%s", (_title, formula) => {
    expect(isInvFormula(formula)).toBe(false);
  });

  it("checks 200,000 formulas", () => {
    let found = 0;
    for (let row = 1; row <= 200_000; row += 1) {
      if (isInvFormula(row % 2 ? `=IFNA(INV.QTY(A${row},B${row}),"")` : `=SUM(A${row}:B${row})`)) found += 1;
    }
    expect(found).toBe(100_000);
  });
});

test("finds calls with their arguments: nested, in LET and LAMBDA, and unclosed", () => {
  const formula = '=LET(q,INV.QTY(A2,{1,2;3,4}),IF(q>0,LAMBDA(x,x+1)(q),"f(1,2)"))+SUM(,B1';
  const tokens = tokensOf(formula);
  expect(callsIn(tokens).map((call) => [call.name, ...argumentTexts(tokens, call)])).toEqual([
    ["INV.QTY", "A2", "{1,2;3,4}"],
    ["LAMBDA", "x", "x+1"],
    ["IF", "q>0", "LAMBDA(x,x+1)(q)", '"f(1,2)"'],
    ["LET", "q", "INV.QTY(A2,{1,2;3,4})", 'IF(q>0,LAMBDA(x,x+1)(q),"f(1,2)")'],
    ["SUM", "", "B1"],
  ]);
});

test.each([
  ["=INV.QTY(A2, B2)", { name: "INV.QTY", texts: ["A2", "B2"] }],
  ["= inv.env( )", null],
  ["=INV.ENV( ) ", { name: "INV.ENV", texts: [] }],
  ["=INV.QTY(A2,B2)+1", null],
  ["=-INV.QTY(A2,B2)", null],
  ["=(INV.QTY(A2,B2))", null],
  ["=INV.QTY(A2,B2", null],
])("the only call of %s", (formula, expected) => {
  expect(onlyCall(formula)).toEqual(expected);
});

test("names that LET and LAMBDA define aren't the workbook's", () => {
  expect(definedNamesIn("=LET(stock,1,stock+Total)+stock+SUM(Items[Total])+Plan!Total2")).toEqual([
    ...["LET", "Total", "stock", "SUM", "Total2"],
  ]);
  expect(invFunctionsIn("=MAP(A1:A9,INV.QTY)+LET(INV.A,1,INV.A)+inv.asof(1,2)")).toEqual(["QTY", "ASOF"]);
});

test.each([
  ["=_xldudf_INV_QTY(A2,B2)", "=INV.QTY(A2,B2)"],
  ["=IFNA([2]!_xldudf_INV_QTY(A2,B2),_xldudf_INV_ASOF(A2,B2))", "=IFNA(INV.QTY(A2,B2),INV.ASOF(A2,B2))"],
  ['=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)', '=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)'],
  ["='_xldudf_INV_A'!A1+INV.ENV()", "='_xldudf_INV_A'!A1+INV.ENV()"],
])("reads %s, which a file contains, as %s", (stored, read) => {
  expect(fromStoredFunctions(stored)).toBe(read);
});
