/** Formulas as people type them on an English and on a German system, and how the grid reads them. */
import { systemFormat } from "../../../src/browser-workbook/paste/locale-format";
import { readTypedFormula } from "../../../src/browser-workbook/paste/typed-formula";
import { inspectFormula } from "../../../src/formula/grid-check";

const [german, englishFormat] = [systemFormat("de-DE"), systemFormat("en-US")];

test.each([
  ["=INV.QTY(A2;B2)*1,19", "=INV.QTY(A2,B2)*1.19"],
  ["=RUNDEN(I2*1,5;1)", "=RUNDEN(I2*1.5,1)"],
  ["=SUM(1,5;2,25;3)", "=SUM(1.5,2.25,3)"],
  ['=IF(A1>0,5;"1,5;2";-0,5)', '=IF(A1>0.5,"1,5;2",-0.5)'],
  ["=A1*1,19", "=A1*1.19"],
  ["=SUM(A1:A3)*1,19+1,5%", "=SUM(A1:A3)*1.19+1.5%"],
  ["=SUM({1;2};3)", "=SUM({1;2},3)"],
  ["=SUM(A1;;A2)", "=SUM(A1,,A2)"],
  ["=ROUND(1.19;1)", "=ROUND(1.19,1)"],
])("a German %s becomes %s", (typed, read) => expect(readTypedFormula(typed, german)).toBe(read));

test.each(["=ROUND(A1,1)", "=IF(A1>0,1,0)", "=SUM({1,2;3,4})", "=A1*1.19", "=SUM(1,5)"])(
  "%s is as the grid spells it, on either system",
  (formula) => {
    expect(readTypedFormula(formula, german)).toBe(formula);
    expect(readTypedFormula(formula, englishFormat)).toBe(formula);
  },
);

test.each([
  ["=SUM(A1,A2;A3)", german],
  ["=SUM(1,5,2;3)", german],
  ["=SUM({1,5};3)", german],
  ["=SUM(1,5;2)", englishFormat],
  ["=A1*1,19", englishFormat],
] as const)("%s can be read in two ways, so it stays and is an error", (formula, format) => {
  expect(readTypedFormula(formula, format)).toBe(formula);
  expect(inspectFormula(formula).problem?.reason).toContain("a point for decimals");
});

test("names a number with a point that could be a store, on a German system", () => {
  const formula = "=INV.QTY(1.234;A2)";
  expect(readTypedFormula(formula, german)).toBe(formula);
  expect(inspectFormula(formula).problem).toEqual({
    error: "#VALUE!",
    reason: "1.234 can be read in two ways. Write a store as 1234, and a number with decimals as 1,234.",
  });
});

test("takes semicolons on an English system", () => {
  expect(readTypedFormula('=INV.QTY(A2;"1;2")*1.5', englishFormat)).toBe('=INV.QTY(A2,"1;2")*1.5');
});
