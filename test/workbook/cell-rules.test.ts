/** Rules for values and texts, as formulas. */
import { type Comparison, comparisonFormula, textFormula } from "../../src/workbook/cell-rules";

const cell = { row: 1, col: 4 };

test.each<[Comparison, readonly [string, string?], string]>([
  [">", ["12"], "=E2>12"],
  ["=", ['="order"'], '=E2="order"'],
  ["<>", ["=$H$1"], "=E2<>$H$1"],
  ["<", ["=A2=1"], "=E2<(A2=1)"],
  ["<=", ["-1.5"], "=E2<=-1.5"],
  ["between", ["1", "=B2+1"], "=AND(E2>=1,E2<=(B2+1))"],
  ["not between", ["1", "3"], "=OR(E2<1,E2>3)"],
])("%s %j is %s", (comparison, values, formula) => {
  expect(comparisonFormula(cell, comparison, values)).toBe(formula);
});

test("a part of a text is quoted", () => {
  expect(textFormula(cell, "contains", '12" pan')).toBe('=ISNUMBER(SEARCH("12"" pan",E2))');
  expect(textFormula(cell, "not contains", "x")).toBe('=ISERROR(SEARCH("x",E2))');
  expect(textFormula(cell, "begins with", "x")).toBe('=LEFT(E2,LEN("x"))="x"');
  expect(textFormula(cell, "ends with", "x")).toBe('=RIGHT(E2,LEN("x"))="x"');
});
