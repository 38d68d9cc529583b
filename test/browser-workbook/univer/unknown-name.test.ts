/** Why a cell shows #NAME?: the word that there is not, and the nearest that there is. */
import { reasonForName } from "../../../src/browser-workbook/univer/unknown-name";

const known = {
  functions: ["SUM", "IF", "INV.QTY", "INV.STOCK", "LET", "LAMBDA", "MAP"],
  names: ["Stores_North"],
};

it.each([
  ["=inv.qt(1234,A2)", "There is no function INV.QT. Did you mean INV.QTY?"],
  ["=SUM(INV.STOK(1,2))", "There is no function INV.STOK. Did you mean INV.STOCK?"],
  ["=INV.EVERYTHING(1)", "There is no function INV.EVERYTHING."],
  [
    "=INV.QTY(Stores_Nort,A2)",
    "Nothing in this workbook has the name Stores_Nort. Did you mean Stores_North?",
  ],
  ["=LET(x,1,x+INV.QTTY(x,2))", "There is no function INV.QTTY. Did you mean INV.QTY?"],
  ["=IF(TRUE,INV.QTY(stores_north,$B$2)&\"FOO(\", 'My (sheet)'!A1:Z9)", null],
  ["=MAP(A1:A3,LAMBDA(each,each+1))", null],
  ["=SUM(A:A,Sheet1!B2,Items[Qty])", null],
])("%s", (formula, reason) => {
  expect(reasonForName(formula, known)).toBe(reason);
});
