/** Features of Excel's files that INV doesn't write: shared formulas, functions under other names, tables, themes, settings. */
import { colorOf } from "../../../src/browser-workbook/open-xlsx/styles-part";
import { openedSettings } from "../../../src/browser-workbook/open-xlsx/settings-part";
import { readFile } from "../../../src/browser-workbook/open-xlsx/read-file";
import { environmentSetting, mailedSetting, markSetting } from "../../../src/workbook/settings";
import { bookOf, relations, type Part } from "./make-zip";

const data = (cells: string) => `<sheetData><row r="2">${cells}</row></sheetData>`;

async function formulasOf(cells: string): Promise<unknown[]> {
  const { sheets } = await readFile(bookOf(data(cells)));
  return sheets[0]!.cells.map(({ formula, value }) => formula ?? value);
}

test("moves a shared formula to each cell without changing its texts", async () => {
  const master = `<c r="A2"><f t="shared" ref="A2:C2" si="0">B1&amp;"B1"&amp;$A1&amp;'B1 x'!B$1</f><v>1</v></c>`;
  const others = `<c r="B2"><f t="shared" si="0"/><v>2</v></c><c r="C2"><f t="shared" si="0"/><v>3</v></c>`;
  expect(await formulasOf(master + others)).toEqual([
    `=B1&"B1"&$A1&'B1 x'!B$1`,
    `=C1&"B1"&$A1&'B1 x'!C$1`,
    `=D1&"B1"&$A1&'B1 x'!D$1`,
  ]);
});

test.each([
  ["_xldudf_INV_QTY(A2,B2)", "=INV.QTY(A2,B2)"],
  ["IFNA([2]!_xldudf_INV_EVENTQTY(A2),0)", "=IFNA(INV.EVENTQTY(A2),0)"],
  ["_xlfn._xlws.FILTER(A1:A9,A1:A9>1)", "=FILTER(A1:A9,A1:A9>1)"],
  ["_xlfn.LET(_xlpm.x,1,_xlpm.x)", "=LET(x,1,x)"],
  ['"_xlfn.A"&A1', '="_xlfn.A"&A1'],
])("%s reads %s", async (stored, formula) => {
  const cells = `<c r="A2"><f>${stored.replaceAll(">", "&gt;").replaceAll("&A", "&amp;A")}</f><v>1</v></c>`;
  expect(await formulasOf(cells)).toEqual([formula]);
});

test.each([
  "WEBSERVICE(A1)",
  "_xlfn.WEBSERVICE(A1)",
  "LET(f,WEBSERVICE,f(A1))",
  'HYPERLINK("http://x/"&amp;A1)',
  "[1]Sheet1!A1",
  "'C:\\[x.xlsx]Plan'!A1",
  "'[1]My plan'!A1",
  "cmd|' /c calc'!A0",
  "Items[Qty]",
])("%s stays the value it showed, and is listed", async (formula) => {
  const { sheets, unshown: left } = await readFile(
    bookOf(data(`<c r="A2" t="str"><f>${formula}</f><v>shown</v></c>`)),
  );
  expect(sheets[0]!.cells).toEqual([{ row: 1, col: 0, value: "shown", style: 0 }]);
  expect(left.join()).toMatch(/^formulas .*\(their values stay\)$/);
});

test.each([
  "CONTOSO.GET(A1)",
  "MAP(A1:A3,CONTOSO.GET)",
  'INDIRECT("[x.xlsx]S!A1")',
  "'cmd|/c calc'!A0",
  "MYUDF(A1)",
])("%s reaches outside: its value stands", async (formula) => {
  expect(await formulasOf(`<c r="A2"><f>${formula}</f><v>7</v></c>`)).toEqual([7]);
});

test("accepts a sheet name with | and a name that is a LAMBDA", async () => {
  const workbook = `<workbook><sheets><sheet name="Plan" r:id="r1"/><sheet name="North|South" r:id="r1"/></sheets>
    <definedNames><definedName name="Stock">_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)</definedName></definedNames></workbook>`;
  const cells = `<c r="A2"><f>'North|South'!B2+1</f><v>1</v></c><c r="B2"><f>Stock(A2)</f><v>2</v></c>`;
  const { sheets, unshown: left } = await readFile(
    bookOf(data(cells), [{ name: "xl/workbook.xml", content: workbook }]),
  );
  expect(sheets[0]!.cells.map(({ formula }) => formula)).toEqual(["='North|South'!B2+1", "=Stock(A2)"]);
  expect(left).toEqual([]);
});

// The colours of Excel's palette for the Office theme. Excel changes only the lightness, with slightly different results.
test.each([
  [4, 0.79998168889431442, "D9E1F2"],
  [4, 0.59999389629810485, "B4C6E7"],
  [4, 0.39997558519241921, "8EA9DB"],
  [4, -0.249977111117893, "305496"],
  [4, -0.499984740745262, "203764"],
  [0, -0.14999847407452621, "D9D9D9"],
  [1, 0.34998626667073579, "595959"],
  [3, 0.59999389629810485, "ACB9CA"],
  [7, -0.249977111117893, "BF8F00"],
  [4, 0, "4472C4"],
])("theme colour %s with tint %s is nearly %s", (theme, tint, expected) => {
  const made = colorOf({ theme: String(theme), tint: String(tint) }) ?? "";
  const parts = (digits: string) => [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
  const [is, should] = [parts(made.slice(1)), parts(expected)];
  expect(Math.max(...is.map((part, index) => Math.abs(part - (should[index] ?? 0))))).toBeLessThanOrEqual(8);
});

test("keeps text that begins with = as text", async () => {
  const cells = `<c r="A2" t="inlineStr"><is><t>=1+1</t></is></c><c r="B2" t="str"><v>=WEBSERVICE("x")</v></c>`;
  const { sheets } = await readFile(bookOf(data(cells)));
  expect(sheets[0]!.cells.map(({ formula, value }) => [formula, value])).toEqual([
    [undefined, "=1+1"],
    [undefined, '=WEBSERVICE("x")'],
  ]);
});

test("calculates an INV formula whose value in the file is #NAME?", async () => {
  const cells = `<c r="A2" t="e"><f>_xldudf_INV_QTY(1,"2")</f><v>#NAME?</v></c>
    <c r="B2" t="e"><f>INV.QTY(1,"2")</f><v>#BUSY!</v></c><c r="C2" t="e"><f>FOO(1)</f><v>#NAME?</v></c>
    <c r="D2"><f>INV.QTY(1,"2")</f><v>7</v></c>`;
  const { sheets } = await readFile(bookOf(data(cells)));
  expect(sheets[0]!.cells.map(({ value }) => value)).toEqual([null, null, "#NAME?", 7]);
});

test("leaves spilled cells to their formula", async () => {
  const sheet = `<sheetData><row r="2"><c r="A2"><f t="array" ref="A2:A3">_xlfn.SEQUENCE(2)</f><v>1</v></c></row>
    <row r="3"><c r="A3"><v>2</v></c></row></sheetData>`;
  const { sheets } = await readFile(bookOf(sheet));
  expect(sheets[0]!.cells).toEqual([
    { row: 1, col: 0, formula: "=SEQUENCE(2)", value: 1, style: 0, spill: { rows: 2, cols: 1 } },
    { row: 2, col: 0, value: null, style: 0 },
  ]);
});

test("lists what it doesn't show", async () => {
  const sheet = `${data('<c r="A2"><v>1</v></c>')}<conditionalFormatting><cfRule/><cfRule/></conditionalFormatting><sheetProtection sheet="1"/><autoFilter ref="A1:B2"/>
    <dataValidations><dataValidation/><dataValidation/></dataValidations><hyperlinks><hyperlink ref="A1"/></hyperlinks>`;
  const parts: Part[] = [
    {
      name: "xl/worksheets/_rels/sheet1.xml.rels",
      content: relations({ r1: ["drawing", "../drawings/drawing1.xml"], r2: ["pivotTable", "../p.xml"] }),
    },
    {
      name: "xl/drawings/_rels/drawing1.xml.rels",
      content: relations({
        r1: ["chart", "../charts/c1.xml"],
        r2: ["image", "../media/1.png"],
        r3: ["image", "../2.png"],
      }),
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations({
        r1: ["worksheet", "worksheets/sheet1.xml"],
        r2: ["vbaProject", "vbaProject.bin"],
        r3: ["externalLink", "externalLinks/1.xml"],
      }),
    },
  ];
  expect((await readFile(bookOf(sheet, parts))).unshown).toEqual([
    "conditional formats",
    "protection of sheets",
    "filters",
    "rules for what may be typed",
    "links (their texts stay)",
    "pivot tables (their values stay)",
    "charts",
    "pictures",
    "macros",
    "links to other files",
  ]);
});

test("takes over INV's settings, but not a device's mark", async () => {
  const property = (name: string, value: string) =>
    `<we:property name="${name}" value="${JSON.stringify(value).replaceAll('"', "&quot;")}"/>`;
  const extension = `<we:webextension xmlns:we="x"><we:properties>${property(environmentSetting, "sandbox")}
    ${property(markSetting, "a mark")}${property(mailedSetting, "asked")}${property("Office.AutoShow", "x")}
    </we:properties></we:webextension>`;
  const parts = [{ name: "xl/webextensions/webextension1.xml", content: extension }];
  const book = await readFile(bookOf(data(""), parts));
  expect([...openedSettings(book)]).toEqual([
    [environmentSetting, "sandbox"],
    [mailedSetting, "asked"],
  ]);
});

test("reads number formats, bold, colours, borders and alignment, and lists wrapped text", async () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0"/></numFmts>
    <fonts><font><sz val="11"/><color theme="1"/></font><font><b/><i/><sz val="22"/><color theme="4"/></font></fonts>
    <fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor theme="4" tint="0.79998168889431442"/></patternFill></fill>
    <fill><gradientFill><stop position="0"><color rgb="FFFF0000"/></stop></gradientFill></fill></fills>
    <borders><border/><border><left style="thin"><color rgb="FFFF0000"/></left><right/></border></borders>
    <cellXfs><xf/><xf numFmtId="170" fontId="1" fillId="1" borderId="1"><alignment horizontal="center" wrapText="1"/></xf><xf numFmtId="9"/></cellXfs>
    <dxfs><dxf><font><color rgb="FFFF0000"/></font></dxf></dxfs></styleSheet>`;
  const parts: Part[] = [
    { name: "xl/styles.xml", content: styles },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations({ r1: ["worksheet", "worksheets/sheet1.xml"], r2: ["styles", "styles.xml"] }),
    },
  ];
  const book = await readFile(bookOf(data('<c r="A2" s="1"/>'), parts));
  expect(book.styles[1]).toEqual({
    ...{ numberFormat: "0.0", bold: true, color: "#4472C4", fill: "#DAE3F3", align: "center" },
    borders: { left: { kind: "thin", color: "#FF0000" } },
  });
  expect(book.styles[2]).toEqual({ numberFormat: "0%" });
  expect(book.unshown).toEqual(["wrapped text and diagonal lines"]);
});
