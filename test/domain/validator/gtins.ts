/** GTINs with a right check digit. */
import { checkDigitOf } from "../../../src/domain/gtin-hints";

export function gtinOf(number: number): string {
  const body = String(1_234_567_000 + number).padStart(13, "0");
  return `${body}${checkDigitOf(body)}`;
}
