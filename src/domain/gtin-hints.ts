/**
 * What is wrong with a value that should be a GTIN, and what was probably meant. INV sends a value with a warning, which may be a
 * typing error, but not a refused one. A wrong check digit is only a warning, because retailers use such GTINs.
 */
import type { PlainValue } from "./bad-argument";
import { cleanText, groupedDigits, wholeDigits } from "./clean-text";
import { dateFromMs, msFromSerial } from "./dates";
import { type DigitFault, findDigitError, type InputFinding, inputFinding } from "./digit-errors";

type GtinFault =
  | "zeros-missing"
  | "wrong-check-digit"
  | "nine-digits"
  | "too-short"
  | "too-long"
  | "identifier-prefix"
  | "date"
  | "not-digits"
  | DigitFault;

/** `suggestion` has 14 digits. */
export interface GtinFinding extends InputFinding<GtinFault> {
  readonly severity: "warning" | "refusal";
}

export interface GtinDiagnosis {
  /** The 14 digits that INV sends; null for a refused value. */
  readonly gtin: string | null;
  /** Empty for 14 digits with a valid check digit. */
  readonly findings: readonly GtinFinding[];
}

const gtinLength = 14;
/** The serials of 2000-01-01 and 2100-01-01. */
const firstDate = 36_526;
const endOfDates = 73_051;

export function diagnoseGtin(input: PlainValue): GtinDiagnosis {
  if (typeof input === "number" && input >= firstDate && input < endOfDates) return diagnoseDate(input);
  const digits = typeof input === "number" ? wholeDigits(input) : groupedDigits(String(input));
  if (digits !== null) return diagnoseDigits(digits);
  const prefixed = padded(/^\(01\)\s*(\d{14})$/.exec(cleanText(String(input)))?.[1] ?? "");
  if (prefixed !== null) return refused("identifier-prefix", "Leave out the (01) before it", prefixed);
  const error = findDigitError(input, padded);
  return error === null ? refused("not-digits", "Write its digits only") : refusedFor(error);
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
  if (/^0+$/.test(spare)) return refused("too-long", "It has too many zeros", tail);
  return refused("too-long", "More than 14 digits: look the GTIN up again");
}

/** Five digits are too few for a GTIN, and people easily select a column of dates by mistake. */
function diagnoseDate(serial: number): GtinDiagnosis {
  const date = dateFromMs(msFromSerial(Math.floor(serial)));
  return refused("date", `It may be the date ${date}: select the cell with the GTIN`);
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
    const advice = `Its check digit is not valid. Did you mean ${meant}?`;
    findings.push({ fault: "wrong-check-digit", severity: "warning", advice, suggestion: meant });
  }
  return { gtin, findings };
}

function refused(fault: GtinFault, advice: string, suggestion: string | null = null): GtinDiagnosis {
  return refusedFor(inputFinding(fault, advice, suggestion));
}

function refusedFor(finding: InputFinding<GtinFault>): GtinDiagnosis {
  return { gtin: null, findings: [{ ...finding, severity: "refusal" }] };
}

function padded(digits: string): string | null {
  return /^\d+$/.test(digits) && isGtinLength(digits.length) ? digits.padStart(gtinLength, "0") : null;
}

function isGtinLength(length: number): boolean {
  return length === 8 || (length >= 10 && length <= gtinLength);
}
