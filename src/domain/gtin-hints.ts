/**
 * Hints for GTINs: what is wrong with a text or number that should be a GTIN, and what was probably
 * meant. A refusal means that the value cannot be sent; a warning that it can, but may be a typing error
 * (retailers do use GTINs whose check digit is not valid, so that alone never refuses).
 * Used by error texts, and by whatever offers to repair a sheet.
 */
import type { Plain } from "./bad-argument";
import { cleanText, groupedDigits, wholeDigits } from "./clean-text";
import { dateFromMs, msFromSerial } from "./dates";
import { findInputError, adviceSentence, type InputError } from "./input-errors";

export type GtinFault =
  | "zeros-missing"
  | "wrong-check-digit"
  | "nine-digits"
  | "too-short"
  | "too-long"
  | "identifier-prefix"
  | "date"
  | "not-digits"
  | InputError["fault"];

export interface GtinFinding {
  readonly fault: GtinFault;
  readonly severity: "warning" | "refusal";
  /** A sentence that says what to do. */
  readonly advice: string;
  /** The 14 digits that were probably meant, where that can be told. */
  readonly suggestion: string | null;
}

export interface GtinDiagnosis {
  /** The 14 digits INV sends for this value; null where it is refused. */
  readonly gtin: string | null;
  /** Nothing where the value is 14 digits with a valid check digit. */
  readonly findings: readonly GtinFinding[];
}

const gtinLength = 14;
/** Serials of the years 2000 to 2099. */
const firstDate = 36_526;
const endOfDates = 73_051;

/** What is wrong with a value that should be a GTIN, and what was probably meant. */
export function diagnoseGtin(input: Plain): GtinDiagnosis {
  if (typeof input === "number" && input >= firstDate && input < endOfDates) return diagnoseDate(input);
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  if (digits !== null) return diagnoseDigits(digits);
  const prefixed = padded(/^\(01\)\s*(\d{14})$/.exec(cleanText(String(input)))?.[1] ?? "");
  if (prefixed !== null) return refused("identifier-prefix", "Leave out the (01) before it", prefixed);
  const wrong = findInputError(input, padded);
  if (wrong !== null) return refused(wrong.fault, wrong.advice, wrong.suggestion);
  return refused("not-digits", "Write its digits only");
}

/** The check digit (GS1 modulo 10) of a GTIN's first digits. */
export function checkDigitOf(body: string): number {
  let sum = 0;
  for (let index = 0; index < body.length; index++) {
    const weight = (body.length - index) % 2 === 1 ? 3 : 1;
    sum += Number(body[index]) * weight;
  }
  return (10 - (sum % 10)) % 10;
}

function diagnoseDigits(digits: string): GtinDiagnosis {
  if (isGtinLength(digits.length)) return accepted(digits);
  if (digits.length === 9) {
    return refused("nine-digits", 'Nine digits: if it is an item number, give "wm_item_number" as item_type');
  }
  if (digits.length < gtinLength) return refused("too-short", "Digits are missing: look the GTIN up again");
  if (digits.length === 16 && digits.startsWith("01")) {
    return refused("identifier-prefix", "Leave out the 01 before it", digits.slice(2));
  }
  const tail = digits.slice(-gtinLength);
  const spare = digits.slice(0, -gtinLength);
  if (/^0+$/.test(spare)) return refused("too-long", "It has zeros too many", tail);
  return refused("too-long", "More than 14 digits: look the GTIN up again");
}

/** Five digits are too few for a GTIN, and a column of dates is easily pointed at. */
function diagnoseDate(serial: number): GtinDiagnosis {
  const date = dateFromMs(msFromSerial(Math.floor(serial)));
  return refused("date", `It may be the date ${date}: point at the cell with the GTIN`);
}

function accepted(digits: string): GtinDiagnosis {
  const gtin = digits.padStart(gtinLength, "0");
  const findings: GtinFinding[] = [];
  if (digits.length < gtinLength) {
    const advice = `Written without its leading zeros: ${gtin}.`;
    findings.push({ fault: "zeros-missing", severity: "warning", advice, suggestion: gtin });
  }
  const body = gtin.slice(0, -1);
  const meant = `${body}${checkDigitOf(body)}`;
  if (meant !== gtin) {
    const advice = `Its check digit is not valid: was ${meant} meant?`;
    findings.push({ fault: "wrong-check-digit", severity: "warning", advice, suggestion: meant });
  }
  return { gtin, findings };
}

function refused(fault: GtinFault, advice: string, suggestion: string | null = null): GtinDiagnosis {
  const sentence = adviceSentence({ advice, suggestion });
  return { gtin: null, findings: [{ fault, severity: "refusal", advice: sentence, suggestion }] };
}

function padded(digits: string): string | null {
  return /^\d+$/.test(digits) && isGtinLength(digits.length) ? digits.padStart(gtinLength, "0") : null;
}

function isGtinLength(length: number): boolean {
  return length === 8 || (length >= 10 && length <= gtinLength);
}
