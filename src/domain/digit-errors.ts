/**
 * Common errors in digits on their way into a cell: a minus sign, decimals, separators, letters that look like digits, digits
 * of other keyboards, digits that Excel dropped. Each finding says what to do, and which digits were probably meant if the
 * caller's own rule accepts them. INV repairs nothing silently: a wrong item has a stock too.
 */
import type { PlainValue } from "./bad-argument";
import { cleanText, excelDigits } from "./clean-text";

/** What is wrong with a value that should be digits. */
export interface InputFinding<Fault> {
  readonly fault: Fault;
  /** A sentence that says what to do. */
  readonly advice: string;
  /** The digits that were probably meant; null if INV can't tell. */
  readonly suggestion: string | null;
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

/** @param advice what to do, without the end of the sentence */
export function inputFinding<Fault>(
  fault: Fault,
  advice: string,
  suggestion: string | null = null,
): InputFinding<Fault> {
  return {
    fault,
    advice: suggestion === null ? `${advice}.` : `${advice}. Did you mean ${suggestion}?`,
    suggestion,
  };
}

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
 * @param meant returns what INV would read in these digits, or null if it would refuse them too
 */
export function findDigitError(
  input: PlainValue,
  meant: (digits: string) => string | null,
): DigitError | null {
  if (typeof input === "boolean") {
    return inputFinding("truth-value", "Select the cell that contains its digits");
  }
  return typeof input === "number" ? inNumber(input, meant) : inText(cleanText(input), meant);
}

type Meant = (digits: string) => string | null;

function inNumber(value: number, meant: Meant): DigitError | null {
  if (!Number.isFinite(value)) return null;
  if (Math.abs(value) >= 10 ** excelDigits) {
    return inputFinding("digits-lost", `Excel keeps ${excelDigits} digits of a number: enter it as text`);
  }
  if (value < 0) return negative(Number.isInteger(value) ? meant(String(-value)) : null);
  return Number.isInteger(value) ? null : decimals(null);
}

function inText(text: string, meant: Meant): DigitError | null {
  if (/^\d+([.,]\d+)?E\+?\d+$/i.test(text)) {
    return inputFinding(
      "digits-lost",
      "Its last digits are lost: paste it again into cells formatted as text",
    );
  }
  const minus = /^[-\u2010-\u2015\u2212]\s*(\d+)$/u.exec(text)?.[1];
  if (minus !== undefined) return negative(meant(minus));
  const [, whole, fraction] = /^(\d+)[.,](\d{1,2})$/.exec(text) ?? [];
  if (whole !== undefined) return decimals(/^0+$/.test(fraction ?? "") ? meant(whole) : null);
  const joined = text.replace(separators, "");
  const plain = meantBy(joined, meant);
  if (plain !== null) return inputFinding("separators", "Write it without separators", plain);
  if (/(?!\d)\p{Nd}/u.test(text)) {
    const suggestion = meantBy(text.normalize("NFKC").replace(separators, ""), meant);
    return inputFinding("other-digits", "Write it with the digits 0 to 9", suggestion);
  }
  // Otherwise any word would be "a number with wrong letters".
  const isMostlyDigits = (joined.match(/\d/g)?.length ?? 0) * 2 >= joined.length;
  const read = joined.toUpperCase().replace(/[A-Z]/g, (letter) => lookAlikes[letter] ?? letter);
  const suggestion = isMostlyDigits ? meantBy(read, meant) : null;
  if (suggestion === null) return wordsAround(text, meant);
  return inputFinding("letter-for-digit", "It contains letters in place of digits", suggestion);
}

/** `Store 1234`, `#1234`, `00012345678905 each`: one run of digits that touches no letter. */
function wordsAround(text: string, meant: Meant): DigitError | null {
  const runs = text.match(/\d+/g) ?? [];
  const separate = /(?<!\p{L})\d+(?!\p{L})/u.exec(text)?.[0];
  const suggestion = runs.length === 1 && separate === runs[0] ? meant(separate) : null;
  return suggestion === null ? null : inputFinding("words-around", "Write its digits only", suggestion);
}

function negative(suggestion: string | null): DigitError {
  const advice = suggestion === null ? "It is negative: look it up again" : "Leave out the minus sign";
  return inputFinding("negative", advice, suggestion);
}

function decimals(suggestion: string | null): DigitError {
  const advice = suggestion === null ? "It has decimals: look it up again" : "Write it without decimals";
  return inputFinding("decimals", advice, suggestion);
}

function meantBy(text: string, meant: Meant): string | null {
  return /^\d+$/.test(text) ? meant(text) : null;
}
