/**
 * Validates rows of stores and items before any request: what is wrong, and what was probably meant. Reads each value as the
 * functions do (`diagnoseGtin`, `diagnoseStore`, `diagnoseItemNumber`) and compares it with the rest of its column.
 * Invariant: INV can read the value of a `sure` change, and something besides its form confirms it.
 */
import type { PlainValue } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseItemNumber, diagnoseStore } from "../identifiers";
import type { ItemType } from "../records";
import type { CellFinding, InputField, Finding } from "./finding";
import { createGtinColumn, isValid } from "./gtin-column";
import { createItemNumberColumn } from "./item-number-column";
import { createStoreColumn } from "./store-column";

/** A row of the sheet. Null for an empty cell, or without such a column. */
export interface StoreAndItem {
  readonly store: PlainValue | null;
  readonly item: PlainValue | null;
}

export interface Validation {
  /** The given type, or that of most items. */
  readonly itemType: ItemType;
  /** Number of rows with a store or an item. */
  readonly validated: number;
  /** In the order of the rows; at most one for each cell, and one for a repeated row. */
  readonly findings: readonly Finding[];
}

const sheetError = /^#(?:N\/A|VALUE!|REF!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|BUSY!)$/;

/** @param itemType left out if the caller doesn't know it; then most of the items decide */
export function validate(rows: readonly StoreAndItem[], itemType?: ItemType): Validation {
  const filled = rows.map(({ store, item }) => ({ store: filledOrNull(store), item: filledOrNull(item) }));
  const items = filled.map(({ item }) => item).filter(isFilled);
  const type = itemType ?? itemTypeOf(items);
  const itemColumn = type === "gtin" ? createGtinColumn(items) : createItemNumberColumn(items);
  const storeColumn = createStoreColumn(filled.map(({ store }) => store).filter(isFilled));
  const hasStores = filled.some(({ store }) => store !== null);
  const firstRows = new Map<string, number>();
  const findings: Finding[] = [];
  let validated = 0;

  function add({ row, field, received }: ReceivedValue, found: CellFinding | null): CellFinding | null {
    if (found === null) return null;
    const { meant, ...rest } = found;
    const changes = meant === null ? [] : [{ field, value: meant }];
    findings.push({ ...rest, row, field, received, changes });
    return found;
  }

  function look(row: number, field: InputField, received: PlainValue | null): CellFinding | null {
    if (received === null) return null;
    const column = field === "store" ? storeColumn : itemColumn;
    return add({ row, field, received }, sheetErrorFinding(received) ?? column(received));
  }

  filled.forEach(({ store, item }, row) => {
    if (store === null && item === null) return;
    validated++;
    if (store !== null && item !== null && areSwapped(store, item)) {
      findings.push(swapped(row, store, item));
      return;
    }
    const aboutStore = look(row, "store", store);
    const aboutItem = look(row, "item", item);
    if (item === null || (hasStores && store === null)) return;
    const key = keyOf(store === null ? "" : storeText(store, aboutStore), itemText(item, type, aboutItem));
    if (key === null) return;
    const first = firstRows.get(key);
    if (first === undefined) firstRows.set(key, row);
    else findings.push(duplicate(row, item, { sameAs: first, hasStores }));
  });
  return { itemType: type, validated, findings };
}

interface ReceivedValue {
  readonly row: number;
  readonly field: InputField;
  readonly received: PlainValue;
}

/** Blank, as the functions define it: nothing, spaces, or the 0 that Excel passes for an empty cell. */
function filledOrNull(value: PlainValue | null): PlainValue | null {
  if (value === null || value === 0) return null;
  return typeof value === "string" && cleanText(value) === "" ? null : value;
}

function isFilled(value: PlainValue | null): value is PlainValue {
  return value !== null;
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

function sheetErrorFinding(value: PlainValue): CellFinding | null {
  if (typeof value !== "string" || !sheetError.test(value)) return null;
  const advice = "The cell shows an error: correct the formula it comes from.";
  return { fault: "sheet-error", severity: "refusal", advice, meant: null, sure: false };
}

function areSwapped(store: PlainValue, item: PlainValue): boolean {
  const asStore = diagnoseStore(store);
  if (typeof asStore === "number" || asStore.fault !== "item-for-store") return false;
  return typeof diagnoseStore(item) === "number" && diagnoseGtin(item).gtin === null;
}

function swapped(row: number, store: PlainValue, item: PlainValue): Finding {
  const { gtin } = diagnoseGtin(store);
  const itemNumber = diagnoseItemNumber(store);
  const meant = gtin ?? (typeof itemNumber === "string" ? itemNumber : String(store));
  const storeNumber = diagnoseStore(item);
  return {
    row,
    field: "store",
    fault: "swapped",
    severity: "refusal",
    received: store,
    advice: "The store comes first, then the item: swap the two.",
    changes: [
      { field: "store", value: typeof storeNumber === "number" ? storeNumber : String(item) },
      { field: "item", value: meant },
    ],
    sure: gtin !== null && isValid(gtin),
  };
}

function storeText(store: PlainValue, found: CellFinding | null): string | null {
  const read = diagnoseStore(store);
  if (typeof read === "number") return String(read);
  return found?.sure && found.meant !== null ? String(found.meant) : null;
}

function itemText(item: PlainValue, type: ItemType, found: CellFinding | null): string | null {
  const itemNumber = diagnoseItemNumber(item);
  const read = type === "gtin" ? diagnoseGtin(item).gtin : itemNumber;
  if (typeof read === "string") return read;
  return found?.sure && found.meant !== null ? String(found.meant) : null;
}

function keyOf(store: string | null, item: string | null): string | null {
  return store === null || item === null ? null : `${store} ${item}`;
}

function duplicate(row: number, item: PlainValue, facts: { sameAs: number; hasStores: boolean }): Finding {
  const advice = facts.hasStores
    ? "The same store and item are in an earlier row: sums count them twice."
    : "The same item is in an earlier row.";
  const nothingToChange = { changes: [], sure: false };
  return {
    row,
    field: "item",
    fault: "duplicate",
    severity: "note",
    received: item,
    advice,
    sameAs: facts.sameAs,
    ...nothingToChange,
  };
}
