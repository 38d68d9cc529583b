/**
 * Validates the store numbers of a column together. They have no check digit, so a repair is sure only if it changes nothing but
 * the spelling, or if the column contains that store elsewhere.
 */
import type { PlainValue } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseStore, type StoreFinding } from "../identifiers";
import { hasOnlyLetterO, readColumn, spacesAdvice } from "./column";
import type { CellFinding, ValidateCell } from "./finding";

const thousands = /^\d{1,3}[ ,.\u00A0\u202F]\d{3}$/u;
const storeWords = /^(?:store|number|nbr|no|nr|[\s#.:])+$/iu;

export function createStoreColumn(values: readonly PlainValue[]): ValidateCell {
  const { known, isMixed } = readColumn(values, (value) => {
    const read = diagnoseStore(value);
    return typeof read === "number" ? read : null;
  });
  return (value): CellFinding | null => {
    const read = diagnoseStore(value);
    if (typeof read !== "number") {
      const { fault, advice, suggestion } = read;
      const meant = suggestion === null ? null : Number(suggestion);
      const isConfirmed = meant !== null && (known.has(meant) || isSpelling(fault, value));
      // A negative number may be a return or a calculated number.
      const sure = isConfirmed && fault !== "negative";
      return { fault, severity: "refusal", advice, meant, sure };
    }
    if (typeof value !== "string") return null;
    const untidy = { severity: "note", sure: true } as const;
    if (isMixed) {
      const advice = "A text among numbers: a lookup or a sort treats them as different stores.";
      return { ...untidy, fault: "mixed-types", advice, meant: read };
    }
    const digits = cleanText(value);
    return value === digits ? null : { ...untidy, fault: "spaces", advice: spacesAdvice, meant: digits };
  };
}

/** Whether the repair changes only the spelling. */
function isSpelling(fault: StoreFinding["fault"], value: PlainValue): boolean {
  if (fault === "decimals" || fault === "other-digits") return true;
  const text = cleanText(String(value));
  if (fault === "letter-for-digit") return hasOnlyLetterO(text);
  if (fault === "separators") return thousands.test(text);
  return fault === "words-around" && storeWords.test(text.replace(/\d+/, ""));
}
