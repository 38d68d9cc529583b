/**
 * Common errors in digits on their way into a cell: a minus sign, decimals, separators, letters that look like digits, digits
 * of other keyboards, digits that Excel dropped. Each finding says what to do. INV neither repairs nor guesses digits: a wrong item
 * has a stock too.
 */
import type { PlainValue } from "./bad-argument";
import { cleanText, excelDigits } from "./clean-text";

/** What is wrong with a value that should be digits. */
export interface InputFinding<Fault> {
  readonly fault: Fault;
  /** A sentence that says what to do. */
  readonly advice: string;
}

export type DigitFault =
  | "truth-value"
  | "negative"
  | "decimals"
  | "digits-lost"
  | "separators"
  | "letter-for-digit"
  | "words-around"
  | "other-digits";

type DigitError = InputFinding<DigitFault>;

const lookAlikes: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  D: "0",
  I: "1",
  L: "1",
  Z: "2",
  S: "5",
  B: "8",
};
const separators = /[\s.,/_\u2010-\u2015-]+/gu;

/**
 * Finds such an error in a value that should be digits only; returns null if the value is right, or has another fault.
 * @param accepts whether INV would accept these digits
 */
export function findDigitError(input: PlainValue, accepts: (digits: string) => boolean): DigitError | null {
  if (typeof input === "boolean") {
    return { fault: "truth-value", advice: "Select the cell that contains its digits." };
  }
  return typeof input === "number" ? inNumber(input, accepts) : inText(cleanText(input), accepts);
}

type Accepts = (digits: string) => boolean;

function inNumber(value: number, accepts: Accepts): DigitError | null {
  if (!Number.isFinite(value)) return null;
  if (Math.abs(value) >= 10 ** excelDigits) {
    return {
      fault: "digits-lost",
      advice: `Excel keeps ${excelDigits} digits of a number: enter it as text.`,
    };
  }
  if (value < 0) return negative(Number.isInteger(value) && accepts(String(-value)));
  return Number.isInteger(value) ? null : decimals(false);
}

function inText(text: string, accepts: Accepts): DigitError | null {
  if (/^\d+([.,]\d+)?E\+?\d+$/i.test(text)) {
    const advice = "Its last digits are lost: paste it again into cells formatted as text.";
    return { fault: "digits-lost", advice };
  }
  const minus = /^[-\u2010-\u2015\u2212]\s*(\d+)$/u.exec(text)?.[1];
  if (minus !== undefined) return negative(accepts(minus));
  const [, whole, fraction] = /^(\d+)[.,](\d{1,2})$/.exec(text) ?? [];
  if (whole !== undefined) return decimals(/^0+$/.test(fraction ?? "") && accepts(whole));
  const joined = text.replace(separators, "");
  const isAccepted = (digits: string): boolean => /^\d+$/.test(digits) && accepts(digits);
  if (isAccepted(joined)) return { fault: "separators", advice: "Write it without separators." };
  if (/(?!\d)\p{Nd}/u.test(text)) {
    return { fault: "other-digits", advice: "Write it with the digits 0 to 9." };
  }
  // Otherwise any word would be "a number with wrong letters".
  const isMostlyDigits = (joined.match(/\d/g)?.length ?? 0) * 2 >= joined.length;
  const read = joined.toUpperCase().replace(/[A-Z]/g, (letter) => lookAlikes[letter] ?? letter);
  return isMostlyDigits && isAccepted(read)
    ? { fault: "letter-for-digit", advice: "It contains letters in place of digits." }
    : wordsAround(text, accepts);
}

/** `Store 1234`, `#1234`, `00012345678905 each`: one run of digits that touches no letter. */
function wordsAround(text: string, accepts: Accepts): DigitError | null {
  const runs = text.match(/\d+/g) ?? [];
  const separate = /(?<!\p{L})\d+(?!\p{L})/u.exec(text)?.[0];
  const isOne = separate !== undefined && runs.length === 1 && separate === runs[0];
  return isOne && accepts(separate) ? { fault: "words-around", advice: "Write its digits only." } : null;
}

function negative(isAccepted: boolean): DigitError {
  const advice = isAccepted ? "Leave out the minus sign." : "It is negative: look it up again.";
  return { fault: "negative", advice };
}

function decimals(isAccepted: boolean): DigitError {
  const advice = isAccepted ? "Write it without decimals." : "It has decimals: look it up again.";
  return { fault: "decimals", advice };
}
