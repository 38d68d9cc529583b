/**
 * What a host's regional settings and language change for an add-in: the separator that `getRanges` wants
 * (office-js issues 1167 and 1985: Windows' own list separator; Excel on the web always takes commas), the
 * decimal separator, and how errors are spelt in `values` (the texts are those of German Excel; that `values` has
 * them so is one of two possible behaviours). Formulas are English everywhere (documented).
 */

export interface Culture {
  readonly listSeparator: "," | ";" | "|";
  readonly decimalSeparator: string;
  /** Errors that are not spelt as in English. */
  readonly errors: Readonly<Record<string, string>>;
}

export const english: Culture = { listSeparator: ",", decimalSeparator: ".", errors: {} };

export const german: Culture = {
  listSeparator: ";",
  decimalSeparator: ",",
  errors: {
    "#N/A": "#NV",
    "#VALUE!": "#WERT!",
    "#REF!": "#BEZUG!",
    "#NUM!": "#ZAHL!",
    "#BUSY!": "#BELEGT!",
    "#SPILL!": "#ÜBERLAUF!",
  },
};

/** As jest's project says: the whole Office suite runs in both. */
export const givenCulture = process.env.INV_TEST_CULTURE === "german" ? german : english;

/** `Excel.ErrorCellValueType`. */
export const errorKinds: Readonly<Record<string, string>> = {
  "#N/A": "NotAvailable",
  "#VALUE!": "Value",
  "#REF!": "Ref",
  "#NAME?": "Name",
  "#DIV/0!": "Div0",
  "#NUM!": "Num",
  "#NULL!": "Null",
  "#BUSY!": "Busy",
  "#SPILL!": "Spill",
  "#CALC!": "Calc",
};
