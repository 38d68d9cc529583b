/**
 * Finds what is wrong with stores and items before any request. Reads each value as the functions read it, and refuses it for the same
 * reason. It says what is wrong, and never what was meant: whoever keeps the list knows that.
 */
import { isInvError } from "../errors";
import { diagnoseGtin, type GtinFault } from "../gtin-hints";
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

/** What is known about a column of items. */
interface ItemColumn {
  readonly isMostlyUnfit: boolean;
  /** The spellings of each GTIN, texts and numbers apart. */
  readonly spellings: ReadonlyMap<string, ReadonlySet<InputCell>>;
}

/** With fewer wrong check digits, they are errors in single cells. */
const fewestUnfit = 3;
/** Refusals with a title of their own. */
const titledRefusals: Partial<Record<GtinFault, Fault>> = {
  scanner: "scanner",
  "nine-digits": "nine-digits",
};

export function validate(rows: readonly StoreAndItem[]): Validation {
  const column = itemColumnOf(rows);
  const findings = rows.flatMap(({ store, item }, row): Finding[] => [
    ...storeFindings(store).map((found) => ({ row, field: "store" as const, received: store, ...found })),
    ...itemFindings(item, column).map((found) => ({ row, field: "item" as const, received: item, ...found })),
  ]);
  const filled = {
    store: rows.filter(({ store }) => readStore(store) !== null).length,
    item: rows.filter(({ item }) => readGtin(item) !== null).length,
  };
  return { filled, findings };
}

function storeFindings(cell: InputCell): CellFinding[] {
  const store = readStore(cell);
  if (store === null) return [];
  if (isInvError(store)) return [{ fault: "refused", reason: store.message }];
  const isPlain = typeof cell === "number" || cell === String(store);
  return isPlain ? [] : [{ fault: "store-spelling", reason: `INV reads store ${store}. Write ${store}.` }];
}

function itemFindings(cell: InputCell, column: ItemColumn): CellFinding[] {
  const gtin = readGtin(cell);
  if (gtin === null) return [];
  if (isInvError(gtin)) {
    const fault = diagnoseGtin(cell ?? "").findings[0]?.fault ?? "not-digits";
    return [{ fault: titledRefusals[fault] ?? "refused", reason: gtin.message }];
  }
  const found: CellFinding[] = [];
  if (mayBeUpcE(gtin)) {
    const reason = `INV asks for the GTIN ${gtin}. If it is a UPC-E, write the 12 digits of its UPC-A.`;
    found.push({ fault: "upc-e", reason });
  } else if (!hasCheckDigit(gtin)) {
    const fault = column.isMostlyUnfit ? "not-gtins" : "check-digit";
    found.push({ fault, reason: `INV asks for the GTIN ${gtin} as it is. Look it up again.` });
  }
  if (cell !== gtin && (column.spellings.get(gtin)?.size ?? 0) > 1) {
    const reason = "Other rows spell this item differently. In all of them, write its 14 digits as text.";
    found.push({ fault: "two-spellings", reason });
  }
  return found;
}

function itemColumnOf(rows: readonly StoreAndItem[]): ItemColumn {
  const spellings = new Map<string, Set<InputCell>>();
  let fit = 0;
  let unfit = 0;
  for (const { item } of rows) {
    const gtin = readGtin(item);
    if (gtin === null || isInvError(gtin)) continue;
    if (hasCheckDigit(gtin) || mayBeUpcE(gtin)) fit += 1;
    else unfit += 1;
    spellings.set(gtin, (spellings.get(gtin) ?? new Set()).add(item));
  }
  return { isMostlyUnfit: unfit >= fewestUnfit && unfit > fit, spellings };
}

function hasCheckDigit(gtin: string): boolean {
  return diagnoseGtin(gtin).findings.length === 0;
}
