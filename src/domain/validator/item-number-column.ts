/**
 * Validates the item numbers of a column together. They have no check digit, so a repair is sure only if it changes nothing but
 * the spelling, or if the column contains that number elsewhere.
 */
import type { PlainValue } from "../bad-argument";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseItemNumber } from "../identifiers";
import { hasOnlyLetterO, readColumn, spellingFinding } from "./column";
import type { CellFinding, ValidateCell } from "./finding";
import { isValid } from "./gtin-column";

/** Documented. The service decides about other lengths. */
const usualLength = 9;
/** Faults whose repair changes only the spelling. */
const spellings: ReadonlySet<string> = new Set(["decimals", "other-digits", "separators"]);

export function createItemNumberColumn(values: readonly PlainValue[]): ValidateCell {
  const { known, isMixed } = readColumn(values, (value) => {
    const read = diagnoseItemNumber(value);
    return typeof read === "string" ? read : null;
  });
  return (value): CellFinding | null => {
    const read = diagnoseItemNumber(value);
    if (typeof read === "string") {
      return read.length === usualLength ? spellingFinding(value, read, isMixed) : unusualLength(read);
    }
    const { fault, advice, suggestion } = read;
    const isUsual = suggestion !== null && suggestion.length === usualLength;
    const isConfirmed = isUsual && (known.has(suggestion) || spellings.has(fault) || hasOnlyLetterO(value));
    // A negative number may be a return or a calculated number.
    const sure = isConfirmed && fault !== "negative";
    return { fault, severity: "refusal", advice, meant: suggestion, sure };
  };
}

function unusualLength(itemNumber: string): CellFinding {
  const { gtin } = diagnoseGtin(itemNumber);
  const unknown = { severity: "warning", meant: null, sure: false } as const;
  if (gtin !== null && isValid(gtin) && itemNumber.length > usualLength) {
    const advice = "It is a GTIN among item numbers: look up its item number.";
    return { ...unknown, fault: "gtin-among-item-numbers", advice };
  }
  const advice = `It has ${itemNumber.length} digits, item numbers have ${usualLength}: look it up again.`;
  return { ...unknown, fault: "unusual-length", advice };
}
