/** What the columns of stores and items have in common. */
import type { PlainValue } from "../bad-argument";
import { cleanText } from "../clean-text";
import type { CellFinding } from "./finding";

export interface ColumnFacts<T> {
  /** What INV reads in the column's values. */
  readonly known: ReadonlySet<T>;
  /** The values that INV can read are both texts and numbers. */
  readonly isMixed: boolean;
}

/** @param read returns null for a value that INV refuses */
export function readColumn<T>(
  values: readonly PlainValue[],
  read: (value: PlainValue) => T | null,
): ColumnFacts<T> {
  const known = new Set<T>();
  let [hasText, hasNumber] = [false, false];
  for (const value of values) {
    const found = read(value);
    if (found === null) continue;
    known.add(found);
    if (typeof value === "string") hasText = true;
    else hasNumber = true;
  }
  return { known, isMixed: hasText && hasNumber };
}

/** Finds a readable item that isn't spelled like its neighbours; returns null for a tidy one. */
export function spellingFinding(value: PlainValue, meant: string, isMixed: boolean): CellFinding | null {
  const untidy = { severity: "note", meant, sure: true } as const;
  if (typeof value === "string" && value !== meant) {
    return { ...untidy, fault: "spaces", advice: spacesAdvice };
  }
  if (typeof value === "number" && isMixed) {
    const advice = "A number among texts: a lookup or a sort treats them as different items.";
    return { ...untidy, fault: "mixed-types", advice };
  }
  return null;
}

export const spacesAdvice = "Write it without spaces or marks around its digits.";

/** Whether the only letter among digits is an O, which can only be a zero there. */
export function hasOnlyLetterO(value: PlainValue): boolean {
  return typeof value === "string" && /^[\dO\s]+$/i.test(cleanText(value));
}
