/**
 * Validates the GTINs of a column together. A repair is sure only if the check digit confirms it. A GTIN that differs by one typing
 * error from another one of the column probably means that one. Where nearly all check digits are wrong, they were left out.
 */
import type { PlainValue } from "../bad-argument";
import { checkDigitOf, diagnoseGtin, type GtinFinding } from "../gtin-hints";
import { readColumn, spellingFinding } from "./column";
import type { CellFinding, ValidateCell } from "./finding";

const gtinLength = 14;
const bodyLength = gtinLength - 1;
/** From this number and share on, wrong check digits are no accident: one in ten is right by chance. */
const fewestLeftOut = 5;
const shareLeftOut = 0.7;
/** Fewer digits among words may be anything. */
const fewestAmongWords = 11;

export function createGtinColumn(values: readonly PlainValue[]): ValidateCell {
  let wrong = 0;
  const { known, isMixed } = readColumn(values, (value) => {
    const { gtin } = diagnoseGtin(value);
    if (gtin !== null && !isValid(gtin)) wrong++;
    return gtin;
  });
  const valid = new Set([...known].filter(isValid));
  const areLeftOut = wrong >= fewestLeftOut && wrong >= (wrong + valid.size) * shareLeftOut;

  function wrongCheckDigit(gtin: string, { advice, suggestion }: GtinFinding): CellFinding {
    const body = gtin.slice(1);
    if (areLeftOut && gtin.startsWith("0")) {
      const meant = `${body}${checkDigitOf(body)}`;
      const todo = `Its check digit seems to be left out, as in the rows around it. Did you mean ${meant}?`;
      return { fault: "check-digit-left-out", severity: "warning", advice: todo, meant, sure: false };
    }
    const near = nearest(gtin, valid);
    const todo =
      near === null
        ? advice
        : `One typing error away from ${near}, which is in this column. Did you mean it?`;
    return {
      fault: "wrong-check-digit",
      severity: "warning",
      advice: todo,
      meant: near ?? suggestion,
      sure: false,
    };
  }

  function readable(gtin: string, value: PlainValue, findings: readonly GtinFinding[]): CellFinding | null {
    const wrongCheck = findings.find(({ fault }) => fault === "wrong-check-digit");
    if (wrongCheck) return wrongCheckDigit(gtin, wrongCheck);
    const [zeros] = findings;
    if (zeros === undefined) return spellingFinding(value, gtin, isMixed);
    const expanded = expandedUpcE(digitsOf(value));
    const advice =
      expanded === null
        ? zeros.advice
        : `${zeros.advice} It may also be a UPC-E, short for ${expanded}: look it up.`;
    return { fault: zeros.fault, severity: "note", advice, meant: gtin, sure: expanded === null };
  }

  return (value) => {
    const { gtin, findings } = diagnoseGtin(value);
    if (gtin !== null) return readable(gtin, value, findings);
    const [finding] = findings;
    if (!finding) return null;
    const { fault, severity, advice, suggestion } = finding;
    const digits = digitsOf(value);
    const isAmbiguous =
      // A minus sign may be a hyphen, a return, or part of a calculated number.
      fault === "negative" ||
      (fault === "too-long" && mayBeDoubled(digits)) ||
      (fault === "words-around" && digits.length < fewestAmongWords) ||
      expandedUpcE(digits) !== null;
    const sure = suggestion !== null && isValid(suggestion) && !isAmbiguous;
    return { fault, severity, advice, meant: suggestion, sure };
  };
}

/** Whether the check digit of these 14 digits is right. */
export function isValid(gtin: string): boolean {
  return checkDigitOf(gtin.slice(0, bodyLength)) === Number(gtin[bodyLength]);
}

function digitsOf(value: PlainValue): string {
  return String(value).replace(/\D/g, "");
}

/** Whether a digit after the leading zeros may have been typed twice: without it the check digit is right. */
function mayBeDoubled(digits: string): boolean {
  if (digits.length !== gtinLength + 1) return false;
  for (let at = digits.search(/[1-9]/) + 1; at > 0 && at < digits.length; at++) {
    if (digits[at] === digits[at - 1] && isValid(digits.slice(0, at) + digits.slice(at + 1))) return true;
  }
  return false;
}

/** Returns the only GTIN of the column with one other digit, or two swapped ones; null if there are several, or none. */
function nearest(gtin: string, valid: ReadonlySet<string>): string | null {
  const found = new Set<string>();
  const look = (candidate: string): unknown =>
    candidate !== gtin && valid.has(candidate) && found.add(candidate);
  for (let at = 0; at < gtin.length; at++) {
    const before = gtin.slice(0, at);
    for (let digit = 0; digit <= 9; digit++) look(`${before}${digit}${gtin.slice(at + 1)}`);
    look(`${before}${gtin[at + 1] ?? ""}${gtin[at] ?? ""}${gtin.slice(at + 2)}`);
  }
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

/**
 * Expands a UPC-E, a UPC-A of twelve digits that is written as eight without some zeros. Eight digits may be valid both ways, and
 * then nothing shows which item is meant. Returns null if they aren't a UPC-E, or mean the same both ways.
 */
function expandedUpcE(digits: string): string | null {
  const parts = /^([01])(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/.exec(digits);
  if (parts === null) return null;
  const [, system = "", a = "", b = "", c = "", d = "", e = "", last = "", check = ""] = parts;
  const body = `${system}${withZeros([a, b, c, d, e], last)}`.padStart(bodyLength, "0");
  const expanded = `${body}${check}`;
  return isValid(expanded) && expanded !== digits.padStart(gtinLength, "0") ? expanded : null;
}

/** The last digit encodes where the zeros were (GS1 General Specifications, 5.2.2.4). */
function withZeros([a = "", b = "", c = "", d = "", e = ""]: readonly string[], last: string): string {
  if (last <= "2") return `${a}${b}${last}0000${c}${d}${e}`;
  if (last === "3") return `${a}${b}${c}00000${d}${e}`;
  if (last === "4") return `${a}${b}${c}${d}00000${e}`;
  return `${a}${b}${c}${d}${e}0000${last}`;
}
