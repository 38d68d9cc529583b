/**
 * Validates stores and items before any request, each value as the functions read it (`diagnoseGtin`, `diagnoseStore`,
 * `diagnoseItemNumber`). It says what is wrong, and never what was meant: whoever keeps the list knows that.
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

type Fault = "refused" | "check-digit" | "two-spellings";

/** The title under which findings are grouped, in the order of their weight. */
export const faultTitles: Readonly<Record<Fault, string>> = {
  refused: "Neither a store nor an item",
  "check-digit": "The check digit is wrong",
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
}

export interface Validation {
  /** The type of most items. */
  readonly itemType: ItemType;
  /** Number of rows with a store or an item. */
  readonly validated: number;
  /** In the order of the rows, at most one for each cell. */
  readonly findings: readonly Finding[];
}

type CellFinding = Pick<Finding, "fault" | "advice">;

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
function itemTypeOf(items: Iterable<PlainValue | null>): ItemType {
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
  return typeof read === "number" ? null : refusal(store, read.advice);
}

function itemNumberFinding(item: PlainValue): CellFinding | null {
  const read = diagnoseItemNumber(item);
  return typeof read === "string" ? null : refusal(item, read.advice);
}

function gtinFinding(item: PlainValue, spellings: ReadonlyMap<string, Set<string>>): CellFinding | null {
  const { gtin, findings } = diagnoseGtin(item);
  const [finding] = findings;
  if (gtin === null) return refusal(item, finding?.advice ?? "");
  if (finding !== undefined) return { fault: "check-digit", advice: finding.advice };
  if ((spellings.get(gtin)?.size ?? 0) < 2 || item === gtin) return null;
  const advice = "Other rows spell this item differently: in all of them, write the text of 14 digits.";
  return { fault: "two-spellings", advice };
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

function refusal(value: PlainValue, advice: string): CellFinding {
  return typeof value === "string" && sheetError.test(value)
    ? { fault: "refused", advice: "The cell shows an error: correct the formula it comes from." }
    : { fault: "refused", advice };
}
