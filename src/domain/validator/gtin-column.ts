/**
 * GTINs of one column, validated beside each other. The check digit confirms a repair; what it does not
 * confirm is only proposed. A GTIN one digit away from another one of the column was probably meant to be that one;
 * where nearly all check digits are wrong, they were left out.
 */
import type { Plain } from "../bad-argument";
import { checkDigitOf, diagnoseGtin, type GtinDiagnosis } from "../gtin-hints";
import { expandedUpcE } from "../upc-e";
import type { CellFinding } from "./finding";
import { untidyFinding } from "./untidy";

export interface GtinColumn {
  /** What is wrong with a value of the column; null where nothing is. */
  validate(value: Plain): CellFinding | null;
}

const bodyLength = 13;
/** As many wrong check digits are no accident: one of ten is right by chance. */
const fewestLeftOut = 5;
const shareLeftOut = 0.7;
/** Fewer digits between words may be anything. */
const fewestAmongWords = 11;

export function createGtinColumn(values: readonly Plain[]): GtinColumn {
  const valid = new Set<string>();
  let wrong = 0;
  let hasText = false;
  let hasNumber = false;
  for (const value of values) {
    const { gtin } = diagnoseGtin(value);
    if (gtin === null) continue;
    if (typeof value === "string") hasText = true;
    else hasNumber = true;
    if (isValid(gtin)) valid.add(gtin);
    else wrong++;
  }
  const read = wrong + valid.size;
  const areLeftOut = wrong >= fewestLeftOut && wrong >= read * shareLeftOut;

  function ofWrongCheckDigit(gtin: string, advice: string, otherwise: string | null): CellFinding {
    const body = gtin.slice(1);
    if (areLeftOut && gtin.startsWith("0")) {
      const meant = `${body}${checkDigitOf(body)}`;
      const todo = `Its check digit seems to be left out, as in the rows around it: was ${meant} meant?`;
      return { fault: "check-digit-left-out", severity: "warning", advice: todo, meant, sure: false };
    }
    const near = nearest(gtin, valid);
    const meant = near ?? otherwise;
    const todo =
      near === null
        ? advice
        : `One typing mistake away from ${near}, which is in this column: was that meant?`;
    return { fault: "wrong-check-digit", severity: "warning", advice: todo, meant, sure: false };
  }

  function ofRead({ gtin, findings }: GtinDiagnosis & { gtin: string }, value: Plain): CellFinding | null {
    const wrongCheck = findings.find(({ fault }) => fault === "wrong-check-digit");
    if (wrongCheck) return ofWrongCheckDigit(gtin, wrongCheck.advice, wrongCheck.suggestion);
    const [zeros] = findings;
    if (zeros) {
      const expanded = expandedUpcE(digitsOf(value));
      const isOnly = expanded === null;
      const advice = isOnly
        ? zeros.advice
        : `${zeros.advice} It may also be a UPC-E, short for ${expanded}: look it up.`;
      return { fault: zeros.fault, severity: "note", advice, meant: gtin, sure: isOnly };
    }
    return untidyFinding(value, gtin, hasText && hasNumber);
  }

  return {
    validate(value) {
      const { gtin, findings } = diagnoseGtin(value);
      if (gtin !== null) return ofRead({ gtin, findings }, value);
      const [finding] = findings;
      if (!finding) return null;
      const { fault, severity, advice, suggestion } = finding;
      const isLongEnough = fault !== "words-around" || digitsOf(value).length >= fewestAmongWords;
      // A minus sign may stand for a hyphen, a return, or a number that was calculated: nothing confirms which.
      const isOnly =
        fault !== "negative" &&
        (fault !== "too-long" || !mayBeDoubled(digitsOf(value))) &&
        expandedUpcE(digitsOf(value)) === null;
      const sure = suggestion !== null && isValid(suggestion) && isLongEnough && isOnly;
      return { fault, severity, advice, meant: suggestion, sure };
    },
  };
}

/** Whether 14 digits have the check digit that belongs to them. */
export function isValid(gtin: string): boolean {
  return checkDigitOf(gtin.slice(0, bodyLength)) === Number(gtin[bodyLength]);
}

function digitsOf(value: Plain): string {
  return String(value).replace(/\D/g, "");
}

/** Whether a digit behind the zeros in front was typed twice, as far as the check digit can tell. */
function mayBeDoubled(digits: string): boolean {
  if (digits.length !== bodyLength + 2) return false;
  for (let at = digits.search(/[1-9]/) + 1; at > 0 && at < digits.length; at++) {
    if (digits[at] === digits[at - 1] && isValid(digits.slice(0, at) + digits.slice(at + 1))) return true;
  }
  return false;
}

/** The one GTIN of the column that differs in one digit or in two that changed places; null where there is none or several. */
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
