/**
 * Which requested value an identifier in an answer stands for. Services and the JSON libraries between them
 * turn identifiers into numbers and lose leading zeros, so they are compared without those; where two
 * requested values differ in nothing else, only the exact spelling counts.
 * Invariant: an identifier is never taken for a value it might not mean; it then stands for none.
 */
import type { ItemType } from "../domain/records";
import * as z from "../domain/zod";

export const identifierSchema = z.union([z.string(), z.int()]);

/** Whether a field may stand as an identifier; one that is null or absent names nothing, which is allowed. */
export function isIdentifier(value: unknown): value is string | number | null | undefined {
  return typeof value === "string" || value === undefined || value === null || Number.isSafeInteger(value);
}

/** An identifier in text form; "" where there is none. */
export function identifierText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return Number.isSafeInteger(value) ? String(value) : "";
}

/** A GTIN in its 14 digits whatever it lost on the way; null where there is none. */
export function gtinText(value: unknown): string | null {
  const text = identifierText(value);
  if (text.length === 14) return text;
  if (text === "") return null;
  return /^\d+$/.test(text) ? text.padStart(14, "0") : text;
}

/** True when two spellings mean the same identifier. */
export function sameIdentifier(left: unknown, right: unknown): boolean {
  if (left === right && Number.isSafeInteger(left)) return true;
  const text = identifierText(left);
  return text !== "" && withoutLeadingZeros(text) === withoutLeadingZeros(identifierText(right));
}

export interface IdentifierIndex {
  /** Index of the requested value that the identifier stands for, or -1. */
  find(identifier: unknown): number;
}

/** Over the values of one request; of a value given twice the first index is found. */
export function createIdentifierIndex(values: readonly string[]): IdentifierIndex {
  const exact = new Map<string, number>();
  const loose = new Map<string, number>();
  values.forEach((value, index) => {
    if (exact.has(value)) return;
    exact.set(value, index);
    const bare = withoutLeadingZeros(value);
    loose.set(bare, loose.has(bare) ? -1 : index);
  });
  return {
    find(identifier) {
      const text = identifierText(identifier);
      return exact.get(text) ?? loose.get(withoutLeadingZeros(text)) ?? -1;
    },
  };
}

/** What users call an item type. */
export function itemTypeName(itemType: ItemType): string {
  return itemType === "gtin" ? "GTIN" : "item number";
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, "");
}
