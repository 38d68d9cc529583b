/**
 * What a host's language changes for an add-in: the spelling of errors in `values`. The error texts are those of German Excel;
 * that `values` contains them is one of two possible behaviours. Formulas are English everywhere (documented).
 */

export interface Culture {
  /** Errors whose spelling differs from English. */
  readonly errors: Readonly<Record<string, string>>;
}

export const english: Culture = { errors: {} };

export const german: Culture = {
  errors: {
    "#N/A": "#NV",
    "#VALUE!": "#WERT!",
    "#REF!": "#BEZUG!",
    "#NUM!": "#ZAHL!",
    "#BUSY!": "#BELEGT!",
    "#SPILL!": "#ÜBERLAUF!",
  },
};

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
