/** For which argument words are offered: one that is empty, or a text that has begun. */
import { argumentAtCaret } from "../../../../src/browser-workbook/univer/edits/argument-at-caret";

test.each([
  ['=INV.QTY(1234,"x",', { callee: "INV.QTY", index: 2, typed: "", from: 18 }],
  ['=INV.QTY(1234,"x", ', { callee: "INV.QTY", index: 2, typed: "", from: 19 }],
  ['=IF(A1,INV.QTY(A1,B1,"ST', { callee: "INV.QTY", index: 2, typed: "ST", from: 21 }],
  ['=inv.qty(MAX(A1,A2),B1,"a, b""', { callee: "INV.QTY", index: 2, typed: 'a, b""', from: 23 }],
])("%s offers words", (formula, expected) => {
  expect(argumentAtCaret(formula, formula.length)).toEqual(expected);
});

test.each([
  "",
  "=",
  "=INV.QTY(",
  'INV.QTY(1,"x",',
  "=INV.QTY(1,B",
  '=INV.QTY(1,"x","STORE"',
  '=INV.QTY(1,"x")',
  "=INV.QTY(1,(",
  '=INV.QTY(1,"a"&"',
])("%s offers none", (formula) => {
  expect(argumentAtCaret(formula, formula.length)).toBeNull();
});

test("behind the caret only the end of the argument may stand", () => {
  const formula = "=INV.QTY(A1,B1,)";
  expect(argumentAtCaret(formula, formula.length - 1)).toMatchObject({ index: 2, typed: "" });
  expect(argumentAtCaret("=INV.QTY(A1,B1,C1)", 15)).toBeNull();
});
