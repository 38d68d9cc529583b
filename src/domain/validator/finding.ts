/**
 * What the validator says of a store or an item in a sheet: which fault, how grave, what to do, and the cells
 * to change where it can be told what was meant. A change is `sure` when something beside the error confirms
 * it (the check digit, another row); only such changes may be made without a person looking at each.
 */
import type { Plain } from "../bad-argument";
import type { GtinFault } from "../gtin-hints";
import type { ItemNumberFinding, StoreFinding } from "../identifiers";

export type InputFault =
  | GtinFault
  | StoreFinding["fault"]
  | ItemNumberFinding["fault"]
  | "check-digit-left-out"
  | "unusual-length"
  | "gtin-among-item-numbers"
  | "swapped"
  | "spaces"
  | "mixed-types"
  | "sheet-error"
  | "duplicate";

/** The title under which findings are grouped. */
export const faultTitles: Readonly<Record<InputFault, string>> = {
  "zeros-missing": "Leading zeros are missing",
  "wrong-check-digit": "The check digit is wrong",
  "check-digit-left-out": "The check digits seem to be left out",
  "nine-digits": "Nine digits: an item number among GTINs",
  "gtin-among-item-numbers": "A GTIN among item numbers",
  "unusual-length": "Not the nine digits of an item number",
  "too-short": "Digits are missing",
  "too-long": "Too many digits",
  "identifier-prefix": "A 01 stands before the GTIN",
  date: "A date instead of a GTIN",
  "wrong-length": "Not 2 to 6 digits",
  "item-for-store": "An item in the place of a store",
  swapped: "Store and item have changed places",
  "not-digits": "Not a number",
  "truth-value": "TRUE or FALSE instead of digits",
  negative: "A minus sign",
  decimals: "Decimals",
  "digits-lost": "Digits that Excel has dropped",
  separators: "Separators between the digits",
  "letter-for-digit": "Letters for digits",
  "words-around": "Words around the digits",
  "other-digits": "Digits of another script",
  spaces: "Spaces or invisible marks",
  "mixed-types": "Text and number mixed in one column",
  "sheet-error": "An error of the sheet",
  duplicate: "The same store and item twice",
};

export type InputField = "store" | "item";

export interface FieldChange {
  readonly field: InputField;
  /** Text stays text: the zeros in front of a GTIN are kept. */
  readonly value: string | number;
}

export interface Finding {
  /** Which of the validated rows, from 0. */
  readonly row: number;
  readonly field: InputField;
  readonly fault: InputFault;
  /** `refusal`: INV asks nothing for it. `warning`: asked, but probably not meant. `note`: works as it is. */
  readonly severity: "refusal" | "warning" | "note";
  readonly received: Plain;
  /** A sentence that says what to do. */
  readonly advice: string;
  /** What would put it right; empty where that cannot be told. */
  readonly changes: readonly FieldChange[];
  readonly sure: boolean;
  /** Of a duplicate: the row it repeats. */
  readonly sameAs?: number;
}

/** What a finding is before its row is known. */
export type CellFinding = Omit<Finding, "row" | "field" | "received" | "changes"> & {
  /** What the cell should hold. */
  readonly meant: string | number | null;
};
