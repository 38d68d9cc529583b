/**
 * The validator's finding about a store or an item in a sheet: the fault, its severity, what to do, and the cells to change if INV
 * can tell what was meant. A change is `sure` if something besides the error confirms it (the check digit, another row). Only
 * such changes may be made without a person who looks at each.
 */
import type { PlainValue } from "../bad-argument";
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
  "identifier-prefix": "A 01 before the GTIN",
  date: "A date instead of a GTIN",
  "wrong-length": "Not 2 to 6 digits",
  "item-for-store": "An item in the place of a store",
  swapped: "Store and item are swapped",
  "not-digits": "Not a number",
  "truth-value": "TRUE or FALSE instead of digits",
  negative: "A minus sign",
  decimals: "Decimals",
  "digits-lost": "Digits that Excel dropped",
  separators: "Separators between the digits",
  "letter-for-digit": "Letters in place of digits",
  "words-around": "Words around the digits",
  "other-digits": "Digits of another script",
  spaces: "Spaces or invisible marks",
  "mixed-types": "Text and number mixed in one column",
  "sheet-error": "An error in the cell",
  duplicate: "The same store and item twice",
};

export type InputField = "store" | "item";

interface FieldChange {
  readonly field: InputField;
  /** Text stays text, so that a GTIN keeps its leading zeros. */
  readonly value: string | number;
}

export interface Finding {
  /** Index of the validated row. */
  readonly row: number;
  readonly field: InputField;
  readonly fault: InputFault;
  /** `refusal`: INV requests nothing for it. `warning`: INV requests it, but it is probably wrong. `note`: it works as it is. */
  readonly severity: "refusal" | "warning" | "note";
  readonly received: PlainValue;
  /** A sentence that says what to do. */
  readonly advice: string;
  /** Empty if INV can't tell what was meant. */
  readonly changes: readonly FieldChange[];
  readonly sure: boolean;
  /** For a duplicate: the row that it repeats. */
  readonly sameAs?: number;
}

export type CellFinding = Omit<Finding, "row" | "field" | "received" | "changes"> & {
  /** What the cell should contain; null if INV can't tell. */
  readonly meant: string | number | null;
};

/** Validates a cell of a column; returns null for one that is right. */
export type ValidateCell = (value: PlainValue) => CellFinding | null;
