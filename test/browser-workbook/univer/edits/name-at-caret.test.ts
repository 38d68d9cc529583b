/** Tab completes the letters that begin a function's name, and nothing that only looks like it. */
import { nameAtCaret } from "../../../../src/browser-workbook/univer/edits/name-at-caret";

test.each([
  ["=INV.QT", { name: "INV.QT", from: 1 }],
  ["=A1+su", { name: "su", from: 4 }],
  ['=IF(A1="x",inv.', { name: "inv.", from: 11 }],
  ["=SUM", { name: "SUM", from: 1 }],
])("%s ends in a name", (formula, expected) => {
  expect(nameAtCaret(formula, formula.length)).toEqual(expected);
});

test.each(["", "=", "INV.QT", '="SU', "=SUM(", "=A1:B", "=Plan!C", "=$B", "='On hand'!D", "=12"])(
  "%s does not",
  (formula) => {
    const name = nameAtCaret(formula, formula.length);
    expect(name).toBeNull();
  },
);

test("ignores text after the caret", () => {
  expect(nameAtCaret("=SU+B1", 3)).toEqual({ name: "SU", from: 1 });
  expect(nameAtCaret("=SU+B1", 1)).toBeNull();
});
