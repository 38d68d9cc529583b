/**
 * What is wrong with a value that should be a GTIN. INV sends a value with a warning, which may be a
 * typing error, but not a refused one. A wrong check digit is only a warning, because retailers use such GTINs.
 */
import type { PlainValue } from "./bad-argument";
import { cleanText, groupedDigits, wholeDigits } from "./clean-text";
import { dateFromMs, msFromSerial } from "./dates";
import { type DigitFault, findDigitError, type InputFinding } from "./digit-errors";

export type GtinFault =
  | "wrong-check-digit"
  | "nine-digits"
  | "too-short"
  | "too-long"
  | "too-many-zeros"
  | "scanner"
  | "date"
  | "not-digits"
  | DigitFault;

export interface GtinFinding extends InputFinding<GtinFault> {
  readonly severity: "warning" | "refusal";
}

export interface GtinDiagnosis {
  /** The 14 digits that INV sends; null for a refused value. */
  readonly gtin: string | null;
  /** Empty if the check digit is valid. */
  readonly findings: readonly GtinFinding[];
}

const gtinLength = 14;
/** The serials of 2000-01-01 and 2100-01-01. */
const firstDate = 36_526;
const endOfDates = 73_051;
/** What scanners write before a GTIN: its application identifier (01), or the kind of barcode, such as `]C1`. */
const scannedText = /\(01\)\s*\d{14}|^\][A-Za-z]\w\s*\d{8}/;
const dateText = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4})$/;

export function diagnoseGtin(input: PlainValue): GtinDiagnosis {
  if (typeof input === "number" && input >= firstDate && input < endOfDates) return diagnoseDate(input);
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  if (digits !== null) return diagnoseDigits(digits);
  const text = cleanText(String(input));
  if (scannedText.test(text)) return scanned("]C1 or (01)");
  if (dateText.test(text)) {
    return refused({ fault: "date", advice: "It may be a date: select the cell with the GTIN." });
  }
  const error = findDigitError(input, ({ length }) => isGtinLength(length));
  return refused(error ?? { fault: "not-digits", advice: "Write its digits only." });
}

/** Returns the check digit (GS1 modulo 10) for a GTIN's other digits. */
export function checkDigitOf(body: string): number {
  let sum = 0;
  for (let index = 0; index < body.length; index++) {
    const weight = (body.length - index) % 2 === 1 ? 3 : 1;
    sum += Number(body[index]) * weight;
  }
  return (10 - (sum % 10)) % 10;
}

/** @param gtin 14 digits */
export function hasCheckDigit(gtin: string): boolean {
  return gtin.endsWith(String(checkDigitOf(gtin.slice(0, -1))));
}

function diagnoseDigits(digits: string): GtinDiagnosis {
  if (isGtinLength(digits.length)) return accepted(digits);
  if (digits.length === 9) {
    const advice = 'Nine digits: if it is an item number, give "wm_item_number" as item_type.';
    return refused({ fault: "nine-digits", advice });
  }
  if (digits.length < gtinLength) {
    return refused({ fault: "too-short", advice: "Digits are missing: look the GTIN up again." });
  }
  if (digits.length === 16 && digits.startsWith("01")) {
    return scanned("the 01 before it");
  }
  const spare = digits.slice(0, -gtinLength);
  if (/^0+$/.test(spare)) return refused({ fault: "too-many-zeros", advice: "It has too many zeros." });
  return refused({ fault: "too-long", advice: "More than 14 digits: look the GTIN up again." });
}

function scanned(prefix: string): GtinDiagnosis {
  return refused({ fault: "scanner", advice: `A scanner wrote it: keep only the GTIN, without ${prefix}.` });
}

/** Five digits are too few for a GTIN, and people easily select a column of dates by mistake. */
function diagnoseDate(serial: number): GtinDiagnosis {
  const date = dateFromMs(msFromSerial(Math.floor(serial)));
  return refused({ fault: "date", advice: `It may be the date ${date}: select the cell with the GTIN.` });
}

function accepted(digits: string): GtinDiagnosis {
  const gtin = digits.padStart(gtinLength, "0");
  if (hasCheckDigit(gtin)) return { gtin, findings: [] };
  const advice = "Its check digit is not valid.";
  return { gtin, findings: [{ fault: "wrong-check-digit", severity: "warning", advice }] };
}

function refused(finding: InputFinding<GtinFault>): GtinDiagnosis {
  return { gtin: null, findings: [{ ...finding, severity: "refusal" }] };
}

function isGtinLength(length: number): boolean {
  return length === 8 || (length >= 10 && length <= gtinLength);
}
