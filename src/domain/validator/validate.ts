/**
 * Finds what is wrong with stores and items before any request. Reads each value as the functions read it, and refuses it for the same
 * reason. It says what is wrong, and never what was meant: whoever keeps the list knows that.
 */
import { type InvError, isInvError } from "../errors";
import { diagnoseGtin, type GtinFault, hasCheckDigit } from "../gtin-hints";
import { type InputCell, readGtin, readStore } from "../identifiers";
import { mayBeUpcE } from "../upc-e";

/** A row of the sheet. Null for an empty cell, or without such a column. */
export interface StoreAndItem {
  readonly store: InputCell;
  readonly item: InputCell;
}

/** The title under which findings are grouped, in the order of their weight. */
export const faultTitles = {
  refused: "Refused by INV",
  "half-row": "A row with a store and no item, or the reverse",
  scanner: "Written by a scanner, with (01) or ]C1 before the GTIN",
  "nine-digits": "Nine digits, as item numbers have",
  "not-gtins": "Most check digits don't fit. These may lack their check digit, or not be GTINs",
  "check-digit": "The check digit doesn't fit",
  "upc-e": "Unsure: may be a UPC-E code",
  "two-spellings": "The same item in two spellings, which a lookup takes for two items",
  "store-spelling": "A store with zeros or blanks around it, which a lookup doesn't find",
} as const;

type Fault = keyof typeof faultTitles;

export interface Finding {
  /** Index of the validated row. */
  readonly row: number;
  readonly field: keyof StoreAndItem;
  readonly fault: Fault;
  readonly received: InputCell;
  /** What INV makes of the value, and what to do. */
  readonly reason: string;
}

export interface Validation {
  /** Number of cells that aren't blank, for each column. */
  readonly filled: Readonly<Record<keyof StoreAndItem, number>>;
  /** In the order of the rows. A cell may have several. */
  readonly findings: readonly Finding[];
}

type CellFinding = Pick<Finding, "fault" | "reason">;

/** An item and, if INV can read it, what is doubtful about it by itself. */
interface ReadItem {
  readonly received: InputCell;
  readonly gtin: string | InvError | null;
  readonly doubt: "upc-e" | "check-digit" | null;
}

/** What is known about a column of items. */
interface ItemColumn {
  readonly isMostlyUnfit: boolean;
  /** GTINs in several spellings, texts and numbers apart. */
  readonly inSpellings: ReadonlySet<string>;
}

/** With fewer wrong check digits, they are errors in single cells. */
const fewestUnfit = 3;
/** Refusals with a title of their own. */
const titledRefusals: Partial<Record<GtinFault, Fault>> = {
  scanner: "scanner",
  "nine-digits": "nine-digits",
};

export function validate(rows: readonly StoreAndItem[]): Validation {
  const items = rows.map(({ item }) => readItem(item));
  const stores = rows.map(({ store }) => readStore(store));
  const column = itemColumnOf(items);
  const filled = {
    store: stores.filter((store) => store !== null).length,
    item: items.filter(({ gtin }) => gtin !== null).length,
  };
  const isListOfBoth = filled.store > 0 && filled.item > 0;
  const findings: Finding[] = [];
  for (const [row, item] of items.entries()) {
    const received = rows[row]?.store ?? null;
    const store = stores[row] ?? null;
    const aboutStore = storeFinding(received, store);
    if (aboutStore !== null) findings.push({ row, field: "store", received, ...aboutStore });
    for (const found of itemFindings(item, column)) {
      findings.push({ row, field: "item", received: item.received, ...found });
    }
    if (!isListOfBoth || (store === null) === (item.gtin === null)) continue;
    const field = store === null ? "store" : "item";
    const reason = `The ${field} is blank, so INV shows nothing in this row.`;
    findings.push({ row, field, fault: "half-row", received: null, reason });
  }
  return { filled, findings };
}

function readItem(received: InputCell): ReadItem {
  const gtin = readGtin(received);
  const isRead = typeof gtin === "string";
  const doubt = !isRead ? null : mayBeUpcE(gtin) ? "upc-e" : hasCheckDigit(gtin) ? null : "check-digit";
  return { received, gtin, doubt };
}

function itemColumnOf(items: readonly ReadItem[]): ItemColumn {
  const spellings = new Map<string, InputCell>();
  const inSpellings = new Set<string>();
  let unfit = 0;
  let read = 0;
  for (const { gtin, doubt, received } of items) {
    if (typeof gtin !== "string") continue;
    read += 1;
    if (doubt === "check-digit") unfit += 1;
    if (!spellings.has(gtin)) spellings.set(gtin, received);
    else if (spellings.get(gtin) !== received) inSpellings.add(gtin);
  }
  return { isMostlyUnfit: unfit >= fewestUnfit && unfit * 2 > read, inSpellings };
}

function storeFinding(cell: InputCell, store: number | InvError | null): CellFinding | null {
  if (store === null) return null;
  if (isInvError(store)) return { fault: "refused", reason: store.message };
  const isPlain = typeof cell === "number" || cell === String(store);
  return isPlain ? null : { fault: "store-spelling", reason: `INV reads store ${store}. Write ${store}.` };
}

function itemFindings({ received, gtin, doubt }: ReadItem, column: ItemColumn): CellFinding[] {
  if (gtin === null) return [];
  if (isInvError(gtin)) {
    const fault = diagnoseGtin(received ?? "").findings[0]?.fault ?? "not-digits";
    return [{ fault: titledRefusals[fault] ?? "refused", reason: gtin.message }];
  }
  const found: CellFinding[] = [];
  if (doubt === "upc-e") {
    const reason = `INV asks for the GTIN ${gtin}. If it is a UPC-E, write the 12 digits of its UPC-A.`;
    found.push({ fault: "upc-e", reason });
  } else if (doubt === "check-digit") {
    const fault = column.isMostlyUnfit ? "not-gtins" : "check-digit";
    found.push({ fault, reason: `INV asks for the GTIN ${gtin} as it is. Look it up again.` });
  }
  if (received !== gtin && column.inSpellings.has(gtin)) {
    const reason = "Other rows spell this item differently. In all of them, write its 14 digits as text.";
    found.push({ fault: "two-spellings", reason });
  }
  return found;
}
