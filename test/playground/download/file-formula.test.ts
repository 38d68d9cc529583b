import { fileFormula } from "../../../src/playground/download/file-formula";

test.each([
  ['=IFNA(A1,"IFNA(")', '=_xlfn.IFNA(A1,"IFNA(")'],
  ["=SUM(Filter(A1:A9,A1:A9>0))", "=SUM(_xlfn._xlws.Filter(A1:A9,A1:A9>0))"],
  ["='SORT('!A1+MySORT(1)+SORT.X(1)", "='SORT('!A1+MySORT(1)+SORT.X(1)"],
  ["=FLOOR.MATH(2.5)+FLOOR(2.5,1)", "=_xlfn.FLOOR.MATH(2.5)+FLOOR(2.5,1)"],
])("%s goes into a file as %s", (formula, inFile) => {
  expect(fileFormula(formula)).toBe(inFile);
});
