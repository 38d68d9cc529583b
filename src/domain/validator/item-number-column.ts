/**
 * Item numbers of one column, validated beside each other. They have no check digit, so a repair is sure only where
 * nothing but the spelling changes, or where the number is in the column already.
 */
import type { Plain } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseItemNumber } from "../identifiers";
import type { CellFinding } from "./finding";
import { isValid } from "./gtin-column";
import { untidyFinding } from "./untidy";

/** Documented; other lengths are left to the service. */
const usualLength = 9;
/** Faults whose repair changes the spelling alone. */
const spellings: ReadonlySet<string> = new Set(["decimals", "other-digits", "separators"]);

export interface ItemNumberColumn {
  validate(value: Plain): CellFinding | null;
}

export function createItemNumberColumn(values: readonly Plain[]): ItemNumberColumn {
  const plain = new Set<string>();
  let hasText = false;
  let hasNumber = false;
  for (const value of values) {
    const read = diagnoseItemNumber(value);
    if (typeof read !== "string") continue;
    plain.add(read);
    if (typeof value === "string") hasText = true;
    else hasNumber = true;
  }

  function ofRead(itemNumber: string, value: Plain): CellFinding | null {
    if (itemNumber.length !== usualLength) return ofOtherLength(itemNumber);
    return untidyFinding(value, itemNumber, hasText && hasNumber);
  }

  return {
    validate(value) {
      const read = diagnoseItemNumber(value);
      if (typeof read === "string") return ofRead(read, value);
      const { fault, advice, suggestion } = read;
      const isUsual = suggestion !== null && suggestion.length === usualLength;
      const isConfirmed = isUsual && (plain.has(suggestion) || spellings.has(fault) || onlyLetterO(value));
      // A minus sign may be a return, or a number that was calculated.
      const sure = isConfirmed && fault !== "negative";
      return { fault, severity: "refusal", advice, meant: suggestion, sure };
    },
  };
}

/** Whether the only letter for a digit is an O, which in a number cannot be anything but a zero. */
export function onlyLetterO(value: Plain): boolean {
  return typeof value === "string" && /^[\dO\s]+$/i.test(cleanText(value));
}

function ofOtherLength(itemNumber: string): CellFinding {
  const { gtin } = diagnoseGtin(itemNumber);
  const lost = { severity: "warning", meant: null, sure: false } as const;
  if (gtin !== null && isValid(gtin) && itemNumber.length > usualLength) {
    const advice = "It is a GTIN, and item numbers stand around it: look up its item number.";
    return { ...lost, fault: "gtin-among-item-numbers", advice };
  }
  const advice = `It has ${itemNumber.length} digits, item numbers have ${usualLength}: look it up again.`;
  return { ...lost, fault: "unusual-length", advice };
}
