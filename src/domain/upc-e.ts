/**
 * UPC-E: a label of eight digits that stands for a UPC-A of twelve. Read as a GTIN of eight digits, it is another item.
 */
import { checkDigitOf } from "./gtin-hints";

/**
 * Whether a GTIN of 14 digits was probably a UPC-E: it has eight digits, begins with 0 or 1, and its last one is the check digit of the
 * UPC-A that it stands for.
 */
export function mayBeUpcE(gtin: string): boolean {
  const [, system, middle, check] = /^0{6}([01])(\d{6})(\d)$/.exec(gtin) ?? [];
  if (system === undefined || middle === undefined) return false;
  return checkDigitOf(system + expanded(middle)) === Number(check);
}

/** The ten digits between number system and check digit, by the last of the six (documented by GS1). */
function expanded(middle: string): string {
  const [first, last] = [middle.slice(0, -1), middle.slice(-1)];
  if (last <= "2") return `${first.slice(0, 2)}${last}0000${first.slice(2)}`;
  if (last === "3") return `${first.slice(0, 3)}00000${first.slice(3)}`;
  if (last === "4") return `${first.slice(0, 4)}00000${first.slice(4)}`;
  return `${first}0000${last}`;
}
