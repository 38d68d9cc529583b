/** The facts about this Excel that a formula can check, with the demo's stock. Each formula returns one plain value. */
import type { CellValue } from "../../src/workbook/port";
import type { FormulaCheck } from "./check";

/** The sheet that the formulas refer to. Its first row contains items; each later row contains a store and two items. */
export const dataSheet = "INV check data";
const data = `'${dataSheet}'!`;

const gtin = "00012345678905";
export const dataRows: readonly (readonly CellValue[])[] = [
  ["Store", gtin, "00012345678912", "00012345678929"],
  [1234, gtin, gtin, null],
  [12, "00012345678912", "x", null],
  [1234, "00012345678929", gtin, null],
];

const qty = `INV.QTY(1234,"${gtin}")`;
const column = `INV.QTY(${data}A2:A4,${data}B2:B4)`;

export const formulaChecks: readonly FormulaCheck[] = [
  {
    id: "environment",
    fact: "A text that a function returns is a text; these checks ask the demo environment",
    formula: '=IF(ISTEXT(INV.ENV()),INV.ENV(),"no text")',
    expected: "demo",
    sure: "documented",
    source: "learn.microsoft.com: custom functions overview",
    reliedOnIn: "connection/connection.ts",
  },
  {
    id: "number",
    fact: "A function declared for ranges gives one plain number for single values, which can be calculated with",
    formula: `=IF(ISNUMBER(${qty}),${qty}+1-${qty},"no number")`,
    expected: 1,
    sure: "documented",
    source: "learn.microsoft.com: return multiple results from your custom function",
    reliedOnIn: "functions/present.ts",
  },
  {
    id: "column",
    fact: "A column of stores and one of items give a column",
    formula: `=ROWS(${column})`,
    expected: 3,
    sure: "documented",
    reliedOnIn: "functions/grid.ts",
  },
  {
    id: "grid",
    fact: "Stores down and items across give a grid",
    formula: `=COLUMNS(INV.QTY(${data}A2:A4,${data}B1:D1))`,
    expected: 3,
    sure: "documented",
    reliedOnIn: "functions/grid.ts",
  },
  {
    id: "one-wrong",
    fact: "One wrong item in a column costs its neighbours nothing",
    formula: `=SUMPRODUCT(--ISERROR(INV.QTY(${data}A2:A4,${data}C2:C4)))`,
    expected: 1,
    sure: "documented",
    reliedOnIn: "functions/grid.ts",
  },
  {
    id: "value-error",
    fact: "A wrong store is #VALUE!",
    formula: `=ERROR.TYPE(INV.QTY("x","${gtin}"))`,
    expected: 3,
    sure: "documented",
    reliedOnIn: "functions/present.ts",
  },
  {
    id: "no-data",
    fact: "An item that the service does not know is #N/A",
    formula: '=ISNA(INV.QTY(1234,"00099999999997"))',
    expected: true,
    sure: "documented",
    reliedOnIn: "functions/present.ts",
  },
  {
    id: "blank",
    fact: "Empty cells as store and item arrive as something INV takes for blank",
    formula: `=INV.QTY(${data}E2,${data}F2)=""`,
    expected: true,
    sure: "reported",
    source: "office-js 4702",
    reliedOnIn: "functions/argument-values.ts",
  },
  {
    id: "error-argument",
    fact: "An error as an argument comes back as itself",
    formula: "=ISNA(INV.QTY(1234,NA()))",
    expected: true,
    sure: "documented",
    reliedOnIn: "functions/argument-values.ts",
  },
  {
    id: "number-gtin",
    fact: "A GTIN that Excel keeps as a number arrives with all its digits",
    formula: '=INV.STATUS(1234,10012345678902)=INV.STATUS(1234,"10012345678902")',
    expected: true,
    sure: "documented",
    source: "learn.microsoft.com: autogenerate JSON metadata, type any",
    reliedOnIn: "functions/argument-values.ts",
  },
  {
    id: "text-gtin",
    fact: "Text that INV writes keeps its leading zeros",
    formula: `=IF(ISTEXT(${data}B2),LEN(${data}B2),0)`,
    expected: 14,
    sure: "assumed",
    reliedOnIn: "workbook/office/cells.ts",
  },
  {
    id: "table-result",
    fact: "A function that gives rows spills all its columns",
    formula: "=COLUMNS(INV.EVENTTYPES())",
    expected: 3,
    sure: "documented",
    reliedOnIn: "functions/table-rules.ts",
  },
  {
    id: "time",
    fact: "A time with a format of its own can be calculated with",
    formula: `=ABS(INV.UPDATED(1234,"${gtin}")-NOW())<60`,
    expected: true,
    sure: "documented",
    reliedOnIn: "functions/present.ts",
  },
  {
    id: "date-system",
    fact: "The workbook counts days from 1900; in the other date system times are four years off",
    formula: "=DATE(2000,1,1)+0",
    expected: 36526,
    sure: "documented",
    reliedOnIn: "domain/dates.ts",
  },
  {
    id: "map",
    fact: "MAP with a LAMBDA calls INV for each row (Windows 2510, Mac 16.102, web)",
    formula: `=SUM(MAP(${data}A2:A4,${data}B2:B4,LAMBDA(s,i,INV.QTY(s,i))))-SUM(${column})`,
    expected: 0,
    sure: "documented",
    reliedOnIn: "functions/catalogue",
  },
];
