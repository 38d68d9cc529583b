/**
 * What happens to digits on their way into a cell without anybody meaning it: a minus sign, decimals,
 * separators, letters that look like digits, digits of other keyboards, digits that Excel dropped. Each
 * error is told with what to do, and with the digits that were probably meant where the caller's own rule
 * takes them. Nothing is repaired silently: a wrong item has a number too.
 */
import type { Plain } from "./bad-argument";
import { cleanText, excelDigits } from "./clean-text";

export interface InputError {
  readonly fault:
    | "truth-value"
    | "negative"
    | "decimals"
    | "digits-lost"
    | "separators"
    | "letter-for-digit"
    | "words-around"
    | "other-digits";
  /** What to do, as a sentence without its end. */
  readonly advice: string;
  readonly suggestion: string | null;
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
 * The error in a value that should be digits only; null where there is none, or another fault.
 * @param meant what these digits would be read as, or null where they would be refused too
 */
export function findInputError(input: Plain, meant: (digits: string) => string | null): InputError | null {
  if (typeof input === "boolean") {
    return { fault: "truth-value", advice: "Point at the cell that holds its digits", suggestion: null };
  }
  return typeof input === "number" ? inNumber(input, meant) : inText(cleanText(input), meant);
}

/** The advice as a sentence, with the suggestion where there is one. */
export function adviceSentence({ advice, suggestion }: Pick<InputError, "advice" | "suggestion">): string {
  return suggestion === null ? `${advice}.` : `${advice}: was ${suggestion} meant?`;
}

type Meant = (digits: string) => string | null;

function inNumber(value: number, meant: Meant): InputError | null {
  if (!Number.isFinite(value)) return null;
  if (Math.abs(value) >= 10 ** excelDigits) {
    return {
      fault: "digits-lost",
      advice: `Excel keeps ${excelDigits} digits of a number: enter it as text`,
      suggestion: null,
    };
  }
  if (value < 0) return negative(Number.isInteger(value) ? meant(String(-value)) : null);
  return Number.isInteger(value) ? null : decimals(null);
}

function inText(text: string, meant: Meant): InputError | null {
  if (/^\d+([.,]\d+)?E\+?\d+$/i.test(text)) {
    return {
      fault: "digits-lost",
      advice: "Its last digits are lost: paste it again into cells formatted as text",
      suggestion: null,
    };
  }
  const minus = /^[-\u2010-\u2015\u2212]\s*(\d+)$/u.exec(text)?.[1];
  if (minus !== undefined) return negative(meant(minus));
  const [, whole, fraction] = /^(\d+)[.,](\d{1,2})$/.exec(text) ?? [];
  if (whole !== undefined) return decimals(/^0+$/.test(fraction ?? "") ? meant(whole) : null);
  const joined = text.replace(separators, "");
  const plain = meantBy(joined, meant);
  if (plain !== null) {
    return { fault: "separators", advice: "Write it without separators", suggestion: plain };
  }
  if (/(?!\d)\p{Nd}/u.test(text)) {
    const suggestion = meantBy(text.normalize("NFKC").replace(separators, ""), meant);
    return { fault: "other-digits", advice: "Write it with the digits 0 to 9", suggestion };
  }
  // Half of it must be digits already, or any word would be "a number with wrong letters".
  const isMostlyDigits = (joined.match(/\d/g)?.length ?? 0) * 2 >= joined.length;
  const read = joined.toUpperCase().replace(/[A-Z]/g, (letter) => lookAlikes[letter] ?? letter);
  const suggestion = isMostlyDigits ? meantBy(read, meant) : null;
  if (suggestion === null) return wordsAround(text, meant);
  return { fault: "letter-for-digit", advice: "It holds letters for digits", suggestion };
}

/** `Store 1234`, `#1234`, `00012345678905 each`: one run of digits that touches no letter. */
function wordsAround(text: string, meant: Meant): InputError | null {
  const runs = text.match(/\d+/g) ?? [];
  const alone = /(?<!\p{L})\d+(?!\p{L})/u.exec(text)?.[0];
  const suggestion = runs.length === 1 && alone === runs[0] ? meant(alone) : null;
  if (suggestion === null) return null;
  return { fault: "words-around", advice: "Write its digits only", suggestion };
}

function negative(suggestion: string | null): InputError {
  const advice = suggestion === null ? "It is negative: look it up again" : "Leave out the minus sign";
  return { fault: "negative", advice, suggestion };
}

function decimals(suggestion: string | null): InputError {
  const advice = suggestion === null ? "It has decimals: look it up again" : "Write it without decimals";
  return { fault: "decimals", advice, suggestion };
}

function meantBy(text: string, meant: Meant): string | null {
  return /^\d+$/.test(text) ? meant(text) : null;
}
