/**
 * What people's texts bring along without meaning it: spaces around (also the ones of web pages and of
 * other writing systems), invisible marks, and the apostrophe that Excel users type before digits.
 * Nothing inside the text is touched here; each parser decides on that.
 */

const invisible = /[\u200B-\u200F\u202A-\u202E\u2060\uFEFF\u00AD]/gu;

/** The text without spaces around, invisible marks, and a leading apostrophe. */
export function cleanText(text: string): string {
  const trimmed = text.replace(invisible, "").trim();
  return /^['’]/u.test(trimmed) ? trimmed.slice(1).trimStart() : trimmed;
}

/** The digits, where the text holds digits and spaces between groups of them only; else null. */
export function groupedDigits(text: string): string | null {
  const digits = cleanText(text).replace(/\s+/gu, "");
  return /^\d+$/.test(digits) ? digits : null;
}

/** How many digits of a number Excel keeps (documented); those after them become zeros. */
export const excelDigits = 15;

/** The digits of a whole number that is not negative and that Excel keeps exactly; else null. */
export function wholeDigits(value: number): string | null {
  return Number.isInteger(value) && value >= 0 && value < 10 ** excelDigits ? String(value) : null;
}
