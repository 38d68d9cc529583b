/**
 * Removes what people paste or type without meaning it: spaces around the text (also those of web pages and other scripts),
 * invisible marks, and the apostrophe that Excel users type before digits. Parsers decide about the inside of the text.
 */

const invisible = /[\u200B-\u200F\u202A-\u202E\u2060\uFEFF\u00AD]/gu;

export function cleanText(text: string): string {
  const trimmed = text.replace(invisible, "").trim();
  return /^['’]/u.test(trimmed) ? trimmed.slice(1).trimStart() : trimmed;
}

/** Whether the functions take the value for a blank: nothing, spaces, or the 0 that Excel passes for an empty cell. */
export function isBlankInput(value: string | number | boolean | null | undefined): boolean {
  if (typeof value === "string") return cleanText(value) === "";
  return value === null || value === undefined || value === 0;
}

/** Returns the digits of a text such as `0001 2345`; null if it contains anything else. */
export function groupedDigits(text: string): string | null {
  const digits = cleanText(text).replace(/\s+/gu, "");
  return /^\d+$/.test(digits) ? digits : null;
}

/** Digits of a number that Excel keeps (documented). It replaces later digits by zeros. */
export const excelDigits = 15;

/** Returns the digits of a whole number from 0 on that Excel keeps exactly; null for any other number. */
export function wholeDigits(value: number): string | null {
  return Number.isInteger(value) && value >= 0 && value < 10 ** excelDigits ? String(value) : null;
}
