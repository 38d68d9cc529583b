/**
 * Validates stores and items before any request, each value as the functions read it (`diagnoseGtin`, `diagnoseStore`,
 * `diagnoseItemNumber`): what is wrong, and what was probably meant. A change is `sure` only if its check digit confirms it, or
 * if it changes nothing but the spelling. Only such changes may be made without a person who looks at each.
 */
import type { PlainValue } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseItemNumber, diagnoseStore } from "../identifiers";
import type { ItemType } from "../records";

/** A row of the sheet. Null for an empty cell, or without such a column. */
export interface StoreAndItem {
  readonly store: PlainValue | null;
  readonly item: PlainValue | null;
}

type Fault = "refused" | "letter-o" | "check-digit" | "padding" | "two-spellings";

/** The title under which findings are grouped, in the order of their weight. */
export const faultTitles: Readonly<Record<Fault, string>> = {
  refused: "Neither a store nor an item",
  "letter-o": "The letter O in place of zero",
  "check-digit": "The check digit is wrong",
  padding: "Leading zeros are missing",
  "two-spellings": "The same item written in two ways, which a lookup takes for two items",
};

export interface Finding {
  /** Index of the validated row. */
  readonly row: number;
  readonly field: "store" | "item";
  readonly fault: Fault;
  readonly received: PlainValue;
  /** A sentence that says what to do. */
  readonly advice: string;
  /** What the cell should contain; null if INV can't tell. A text stays text, so that a GTIN keeps its leading zeros. */
  readonly meant: string | number | null;
  readonly sure: boolean;
}

export interface Validation {
  /** The type of most items. */
  readonly itemType: ItemType;
  /** Number of rows with a store or an item. */
  readonly validated: number;
  /** In the order of the rows, at most one for each cell. */
  readonly findings: readonly Finding[];
}

type CellFinding = Pick<Finding, "fault" | "advice" | "meant" | "sure">;

/** Products have a barcode of 12 or 13 digits. Eight digits may be an EAN-8, or a shortened UPC of another item. */
const barcode = /^\d{12,13}$/;
const elevenDigits = /^\d{11}$/;
const sheetError = /^#(?:N\/A|VALUE!|REF!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|BUSY!)$/;

export function validate(rows: readonly StoreAndItem[]): Validation {
  const filled = rows.map(({ store, item }) => ({ store: filledOrNull(store), item: filledOrNull(item) }));
  const itemType = itemTypeOf(filled.map(({ item }) => item));
  const spellings = spellingsOf(filled.map(({ item }) => item));
  const findings: Finding[] = [];
  for (const [row, { store, item }] of filled.entries()) {
    const aboutStore = store === null ? null : storeFinding(store);
    if (store !== null && aboutStore) findings.push({ row, field: "store", received: store, ...aboutStore });
    const aboutItem =
      item === null ? null : itemType === "gtin" ? gtinFinding(item, spellings) : itemNumberFinding(item);
    if (item !== null && aboutItem) findings.push({ row, field: "item", received: item, ...aboutItem });
  }
  const validated = filled.filter(({ store, item }) => store !== null || item !== null).length;
  return { itemType, validated, findings };
}

/** Returns the type of most of these items. */
export function itemTypeOf(items: Iterable<PlainValue | null>): ItemType {
  let gtins = 0;
  let itemNumbers = 0;
  for (const item of items) {
    if (item === null) continue;
    const { gtin, findings } = diagnoseGtin(item);
    if (gtin !== null) gtins++;
    else if (findings[0]?.fault === "nine-digits") itemNumbers++;
  }
  return itemNumbers > gtins ? "wm_item_number" : "gtin";
}

/** Blank, as the functions define it: nothing, spaces, or the 0 that Excel passes for an empty cell. */
function filledOrNull(value: PlainValue | null): PlainValue | null {
  if (value === null || value === 0) return null;
  return typeof value === "string" && cleanText(value) === "" ? null : value;
}

function storeFinding(store: PlainValue): CellFinding | null {
  const read = diagnoseStore(store);
  if (typeof read === "number") return null;
  const meant = read.suggestion === null ? null : Number(read.suggestion);
  return refusal(store, { ...read, meant, isConfirmed: true });
}

function itemNumberFinding(item: PlainValue): CellFinding | null {
  const read = diagnoseItemNumber(item);
  return typeof read === "string"
    ? null
    : refusal(item, { ...read, meant: read.suggestion, isConfirmed: true });
}

function gtinFinding(item: PlainValue, spellings: ReadonlyMap<string, Set<string>>): CellFinding | null {
  const { gtin, findings } = diagnoseGtin(item);
  if (gtin === null) {
    const [finding] = findings;
    const meant = finding?.suggestion ?? null;
    const isConfirmed = meant !== null && isValid(meant);
    return refusal(item, { advice: finding?.advice ?? "", meant, isConfirmed });
  }
  const wrongCheck = findings.find(({ fault }) => fault === "wrong-check-digit");
  if (wrongCheck) {
    return { fault: "check-digit", advice: wrongCheck.advice, meant: wrongCheck.suggestion, sure: false };
  }
  const [zeros] = findings;
  if (zeros !== undefined) {
    const digits = String(item).replace(/\D/g, "");
    const sure = barcode.test(digits) || (typeof item === "number" && elevenDigits.test(digits));
    return { fault: "padding", advice: zeros.advice, meant: gtin, sure };
  }
  if ((spellings.get(gtin)?.size ?? 0) < 2 || item === gtin) return null;
  const advice = `Other rows spell this item differently, so a lookup or a sort treats them as two: write the text ${gtin}.`;
  return { fault: "two-spellings", advice, meant: gtin, sure: true };
}

/** Returns the spellings of each GTIN, texts and numbers apart. */
function spellingsOf(items: readonly (PlainValue | null)[]): ReadonlyMap<string, Set<string>> {
  const spellings = new Map<string, Set<string>>();
  for (const item of items) {
    const gtin = item === null ? null : diagnoseGtin(item).gtin;
    if (gtin === null) continue;
    const own = spellings.get(gtin) ?? new Set();
    spellings.set(gtin, own.add(JSON.stringify(item)));
  }
  return spellings;
}

function refusal(
  value: PlainValue,
  read: { readonly advice: string; readonly meant: string | number | null; readonly isConfirmed: boolean },
): CellFinding {
  if (typeof value === "string" && sheetError.test(value)) {
    const advice = "The cell shows an error: correct the formula it comes from.";
    return { fault: "refused", advice, meant: null, sure: false };
  }
  const { advice, meant, isConfirmed } = read;
  const isLetterO =
    typeof value === "string" && meant !== null && /^[\dO\s]*O[\dO\s]*$/i.test(cleanText(value));
  return { fault: isLetterO ? "letter-o" : "refused", advice, meant, sure: isLetterO && isConfirmed };
}

function isValid(gtin: string): boolean {
  return diagnoseGtin(gtin).findings.length === 0;
}
