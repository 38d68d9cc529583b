/**
 * Store numbers of one column, validated beside each other. They have no check digit either: a repair is sure where
 * nothing but the spelling changes, or where that store is in the column already.
 */
import type { Plain } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseStore, type StoreFinding } from "../identifiers";
import type { CellFinding } from "./finding";
import { onlyLetterO } from "./item-number-column";

export interface StoreColumn {
  validate(value: Plain): CellFinding | null;
}

const thousands = /^\d{1,3}[ ,.\u00A0\u202F]\d{3}$/u;
const storeWords = /^(?:store|number|nbr|no|nr|[\s#.:])+$/iu;

export function createStoreColumn(values: readonly Plain[]): StoreColumn {
  const plain = new Set<number>();
  let hasText = false;
  let hasNumber = false;
  for (const value of values) {
    const read = diagnoseStore(value);
    if (typeof read !== "number") continue;
    plain.add(read);
    if (typeof value === "string") hasText = true;
    else hasNumber = true;
  }

  return {
    validate(value) {
      const read = diagnoseStore(value);
      if (typeof read !== "number") {
        const { fault, advice, suggestion } = read;
        const meant = suggestion === null ? null : Number(suggestion);
        const isConfirmed = meant !== null && (plain.has(meant) || isSpelling(fault, value));
        // A minus sign may be a return, or a number that was calculated.
        const sure = isConfirmed && fault !== "negative";
        return { fault, severity: "refusal", advice, meant, sure };
      }
      if (typeof value !== "string") return null;
      const untidy = { severity: "note", sure: true } as const;
      if (hasNumber && hasText) {
        const advice = "A text among numbers: a lookup or a sort takes them for different stores.";
        return { ...untidy, fault: "mixed-types", advice, meant: read };
      }
      const digits = cleanText(value);
      if (value === digits) return null;
      const advice = "Write it without spaces or marks around its digits.";
      return { ...untidy, fault: "spaces", advice, meant: digits };
    },
  };
}

/** Whether the repair changes the spelling alone. */
function isSpelling(fault: StoreFinding["fault"], value: Plain): boolean {
  if (fault === "decimals" || fault === "other-digits") return true;
  const text = cleanText(String(value));
  if (fault === "letter-for-digit") return onlyLetterO(text);
  if (fault === "separators") return thousands.test(text);
  return fault === "words-around" && storeWords.test(text.replace(/\d+/, ""));
}
