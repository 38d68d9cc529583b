/**
 * The one validator of stores and items: what is wrong in rows of a sheet, before any call, and what was probably
 * meant. It reads each value as the functions do (`diagnoseGtin`, `diagnoseStore`, `diagnoseItemNumber`), and
 * beside that the column it stands in. Knows nothing of cells; changes nothing.
 * Invariant: a change that is `sure` makes the value one that INV reads, and confirms it by more than its form.
 */
import type { Plain } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseItemNumber, diagnoseStore } from "../identifiers";
import type { ItemType } from "../records";
import type { CellFinding, InputField, Finding } from "./finding";
import { createGtinColumn, isValid } from "./gtin-column";
import { createItemNumberColumn } from "./item-number-column";
import { createStoreColumn } from "./store-column";

/** A row as it stands in the sheet; null where there is no such column or the cell is empty. */
export interface StoreAndItem {
  readonly store: Plain | null;
  readonly item: Plain | null;
}

export interface Validation {
  /** What the items are: as given, else what most of them are. */
  readonly itemType: ItemType;
  /** Rows that hold a store or an item. */
  readonly validated: number;
  /** By row; at most one for each cell, and one for a repeated row. */
  readonly findings: readonly Finding[];
}

const errorOfTheSheet = /^#(?:N\/A|VALUE!|REF!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|BUSY!)$/;

/** @param itemType how the items are named, where the caller knows; else it is told from the items themselves */
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

  function look(row: number, field: InputField, received: Plain | null): CellFinding | null {
    if (received === null) return null;
    const column = field === "store" ? storeColumn : itemColumn;
    return add({ row, field, received }, ofSheet(received) ?? column.validate(received));
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
  readonly received: Plain;
}

/** Blank, as the functions see it: nothing, spaces, or the 0 of an empty cell. */
function filledOrNull(value: Plain | null): Plain | null {
  if (value === null || value === 0) return null;
  return typeof value === "string" && cleanText(value) === "" ? null : value;
}

function isFilled(value: Plain | null): value is Plain {
  return value !== null;
}

function itemTypeOf(items: readonly Plain[]): ItemType {
  let gtins = 0;
  let itemNumbers = 0;
  for (const item of items) {
    const { gtin, findings } = diagnoseGtin(item);
    if (gtin !== null) gtins++;
    else if (findings[0]?.fault === "nine-digits") itemNumbers++;
  }
  return itemNumbers > gtins ? "wm_item_number" : "gtin";
}

function ofSheet(value: Plain): CellFinding | null {
  if (typeof value !== "string" || !errorOfTheSheet.test(value)) return null;
  const advice = "The cell shows an error of its own: correct the formula it comes from.";
  return { fault: "sheet-error", severity: "refusal", advice, meant: null, sure: false };
}

function areSwapped(store: Plain, item: Plain): boolean {
  const asStore = diagnoseStore(store);
  if (typeof asStore === "number" || asStore.fault !== "item-for-store") return false;
  return typeof diagnoseStore(item) === "number" && diagnoseGtin(item).gtin === null;
}

function swapped(row: number, store: Plain, item: Plain): Finding {
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
    advice: "The store comes first, then the item: exchange the two.",
    changes: [
      { field: "store", value: typeof storeNumber === "number" ? storeNumber : String(item) },
      { field: "item", value: meant },
    ],
    sure: gtin !== null && isValid(gtin),
  };
}

function storeText(store: Plain, found: CellFinding | null): string | null {
  const read = diagnoseStore(store);
  if (typeof read === "number") return String(read);
  return found?.sure && found.meant !== null ? String(found.meant) : null;
}

function itemText(item: Plain, type: ItemType, found: CellFinding | null): string | null {
  const itemNumber = diagnoseItemNumber(item);
  const read = type === "gtin" ? diagnoseGtin(item).gtin : itemNumber;
  if (typeof read === "string") return read;
  return found?.sure && found.meant !== null ? String(found.meant) : null;
}

function keyOf(store: string | null, item: string | null): string | null {
  return store === null || item === null ? null : `${store} ${item}`;
}

function duplicate(row: number, item: Plain, facts: { sameAs: number; hasStores: boolean }): Finding {
  const advice = facts.hasStores
    ? "The same store and item stand in an earlier row: sums count them twice."
    : "The same item stands in an earlier row.";
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
