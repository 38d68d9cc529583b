/**
 * UPC-E: twelve digits of a UPC-A written as eight, by leaving out zeros. Its check digit is that of the long form, so
 * eight digits may be valid both ways, and then nothing tells which item is meant.
 */
import { checkDigitOf } from "./gtin-hints";

const gtinLength = 14;

/** The 14 digits that it is short for; null for what is no valid UPC-E, or means the same as it stands. */
export function expandedUpcE(digits: string): string | null {
  const parts = /^([01])(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/.exec(digits);
  if (parts === null) return null;
  const [, system = "", a = "", b = "", c = "", d = "", e = "", last = "", check = ""] = parts;
  const body = `${system}${bodyOf([a, b, c, d, e], last)}`.padStart(gtinLength - 1, "0");
  const expanded = `${body}${check}`;
  const isValid = checkDigitOf(body) === Number(check);
  return isValid && expanded !== digits.padStart(gtinLength, "0") ? expanded : null;
}

/** The last digit says which zeros were left out (GS1 General Specifications, 5.2.2.4). */
function bodyOf([a = "", b = "", c = "", d = "", e = ""]: readonly string[], last: string): string {
  if (last <= "2") return `${a}${b}${last}0000${c}${d}${e}`;
  if (last === "3") return `${a}${b}${c}00000${d}${e}`;
  if (last === "4") return `${a}${b}${c}${d}00000${e}`;
  return `${a}${b}${c}${d}${e}0000${last}`;
}
