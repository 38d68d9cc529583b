/** Formulas in the spelling of files, in both directions. */
import { readFileSpelling, fromStoredFunctions, spellForFile } from "../../src/formula/file-spelling";
import { futureFunctions } from "../../src/formula/future-functions";

test.each([
  ['=IFNA(A1,"IFNA(")', '=_xlfn.IFNA(A1,"IFNA(")'],
  ["=SUM(Filter(A1:A9,A1:A9>0))", "=SUM(_xlfn._xlws.Filter(A1:A9,A1:A9>0))"],
  ["='SORT('!A1+MySORT(1)+SORT.X(1)", "='SORT('!A1+MySORT(1)+SORT.X(1)"],
  ["=FLOOR.MATH(2.5)+FLOOR(2.5,1)", "=_xlfn.FLOOR.MATH(2.5)+FLOOR(2.5,1)"],
])("%s goes into a file as %s", (formula, inFile) => {
  expect(spellForFile(formula)).toBe(inFile);
});

test.each([
  ["=LET(x,A1,x*2)", "=_xlfn.LET(_xlpm.x,A1,_xlpm.x*2)"],
  [
    "=let( Qty, A1, f, LAMBDA(n, n+Qty), f(3) )",
    "=_xlfn.let( _xlpm.Qty, A1, _xlpm.f, _xlfn.LAMBDA(_xlpm.n, _xlpm.n+_xlpm.Qty), _xlpm.f(3) )",
  ],
  [
    "=LAMBDA(temp,[scale],IF(_xlfn.ISOMITTED(scale),temp,temp*scale))(32)",
    "=_xlfn.LAMBDA(_xlpm.temp,[_xlpm.scale],IF(_xlfn.ISOMITTED(_xlpm.scale),_xlpm.temp,_xlpm.temp*_xlpm.scale))(32)",
  ],
  // The value of a name is calculated before there is the name; a sheet, a text and a longer word are none.
  ["=x+LET(x,x+1,x.y+x!A1+x)", "=x+_xlfn.LET(_xlpm.x,x+1,x.y+x!A1+_xlpm.x)"],
  ["=LET(a,1,\"a\"&a&'a'!A1)+a", "=_xlfn.LET(_xlpm.a,1,\"a\"&_xlpm.a&'a'!A1)+a"],
  ["=MAP(A1:A3,LAMBDA(v,SUM(v,{1,2})))+v", "=_xlfn.MAP(A1:A3,_xlfn.LAMBDA(_xlpm.v,SUM(_xlpm.v,{1,2})))+v"],
  ["=LET(map,1,map)", "=_xlfn.LET(_xlpm.map,1,_xlpm.map)"],
])("%s goes into a file as %s, its own names too, and comes back", (formula, inFile) => {
  expect(spellForFile(formula)).toBe(inFile);
  expect(readFileSpelling(inFile)).toBe(formula.replaceAll("_xlfn.", ""));
});

test.each([
  ["=SUM(A1#)", "=SUM(_xlfn.ANCHORARRAY(A1))"],
  ["='On hand'!$B$2#*2", "=_xlfn.ANCHORARRAY('On hand'!$B$2)*2"],
  ['=ROWS(Plan!C3#)&"A1#"&Items#', '=ROWS(_xlfn.ANCHORARRAY(Plan!C3))&"A1#"&_xlfn.ANCHORARRAY(Items)'],
  [
    "=LET(all,A1#,SUM(all#))",
    "=_xlfn.LET(_xlpm.all,_xlfn.ANCHORARRAY(A1),SUM(_xlfn.ANCHORARRAY(_xlpm.all)))",
  ],
  // Errors and parts of a table have the sign too.
  ["=IF(A1=#N/A,Plan!#REF!,A1)", "=IF(A1=#N/A,Plan!#REF!,A1)"],
])("%s goes into a file as %s, what it has spilled spelled as a call, and comes back", (formula, inFile) => {
  expect(spellForFile(formula)).toBe(inFile);
  expect(readFileSpelling(inFile)).toBe(formula);
});

test("a reference to a part of a table keeps its #", () => {
  expect(spellForFile("=SUM(Items[#Totals])")).toBe("=SUM(Items[#Totals])");
});

test.each([
  "STDEV.S",
  "NORM.S.INV",
  "PERCENTILE.INC",
  "RANK.EQ",
  "AGGREGATE",
  "CEILING.PRECISE",
  "T.INV.2T",
  "VAR.P",
])("%s has the prefix without which Excel shows #NAME?", (name) => {
  expect(spellForFile(`=${name}(A1:A9)*2`)).toBe(`=_xlfn.${name}(A1:A9)*2`);
  expect(readFileSpelling(`=_xlfn.${name}(A1:A9)*2`)).toBe(`=${name}(A1:A9)*2`);
});

test("functions of the first file format, and others without a prefix in the specification, have none", () => {
  const formula = "=STDEV(A1)+RANK(1,A1)+NETWORKDAYS.INTL(A1,B1)+WORKDAY.INTL(A1,1)+ISO.CEILING(1)+SUM(A1)";
  expect(spellForFile(formula)).toBe(formula);
  expect(futureFunctions.size).toBeGreaterThan(150);
});

test.each([
  ["=_xldudf_INV_QTY(A2,B2)", "=INV.QTY(A2,B2)"],
  ["=IFNA([2]!_xldudf_INV_QTY(A2,B2),_xldudf_INV_ASOF(A2,B2))", "=IFNA(INV.QTY(A2,B2),INV.ASOF(A2,B2))"],
  ['=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)', '=IF(A2="_xldudf_INV_QTY",INV.QTY(A2,B2),0)'],
  ["='_xldudf_INV_A'!A1+INV.ENV()", "='_xldudf_INV_A'!A1+INV.ENV()"],
])("%s is read as %s", (stored, read) => {
  expect(fromStoredFunctions(stored)).toBe(read);
  expect(readFileSpelling(stored)).toBe(read);
});
