/**
 * Formulas as a file spells them: functions that came to Excel after the file format stand there behind a prefix, and
 * Excel shows #NAME? for one without it until the cell is entered again (tried by many with files that programs wrote;
 * the names are those of Microsoft's list of functions with the prefix), and the names that LET and LAMBDA give behind another. Pure.
 */
import { outsideTexts } from "../../workbook/formula-text";
import { withOwnNames } from "./own-names";
import { withAnchorCalls } from "./spill-references";

const afterTheFormat = `ACOT ACOTH ARABIC ARRAYTOTEXT BASE BITAND BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW
CEILING.MATH CHOOSECOLS CHOOSEROWS COMBINA CONCAT COT COTH CSC CSCH DAYS DECIMAL DROP ENCODEURL EXPAND FILTERXML
FLOOR.MATH FORECAST.LINEAR FORMULATEXT GAMMA GAUSS HSTACK IFNA IFS ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA LET MAKEARRAY
MAP MAXIFS MINIFS MUNIT NUMBERVALUE PDURATION PERMUTATIONA PHI RANDARRAY REDUCE RRI SCAN SEC SECH SEQUENCE SHEET SHEETS
SKEW.P SORTBY SWITCH TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW UNICHAR UNICODE UNIQUE VALUETOTEXT VSTACK
WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR`;
const ofSheets = "FILTER SORT";

const prefixes = new Map([
  ...afterTheFormat.split(/\s+/).map((name) => [name, "_xlfn."] as const),
  ...ofSheets.split(" ").map((name) => [name, "_xlfn._xlws."] as const),
]);

const called = /[\p{L}_][\p{L}\p{N}_.]*(?=\()/gu;

/** @param formula with its `=` or without */
export function fileFormula(formula: string): string {
  return withAnchorCalls(
    outsideTexts(withOwnNames(formula), (part) =>
      part.replaceAll(called, (name) => (prefixes.get(name.toUpperCase()) ?? "") + name),
    ),
  );
}
