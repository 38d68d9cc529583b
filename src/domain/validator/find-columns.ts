/**
 * Finds the columns of stores and items in a table, by their headings or else by their contents. Everything in a planning sheet has
 * digits (quantities, dates), so a column without a clear heading must look like nothing else. Columns and rows count from 0
 * within the table.
 */
import type { PlainValue } from "../bad-argument";
import { cleanText } from "../clean-text";
import { diagnoseGtin } from "../gtin-hints";
import { diagnoseStore } from "../identifiers";

export type InputCell = PlainValue | null;

export interface FoundColumns {
  /** Null if no column looks like one. */
  readonly store: number | null;
  readonly item: number | null;
  /** The first row below the headings. */
  readonly firstRow: number;
}

const storeHeading = /\b(?:(?:store|site|club|shop)s?|(?:filial|markt)(?:en?|nr|nummer)?)\b/i;
const itemHeading = /\b(?:gtin|upc|ean|item|sku|article|product)s?\b/i;
/** Headings such as `Item name` and `Item description`, whose column contains no item numbers. */
const wordsHeading = /name|desc|category|type|size|qty|quantity/i;
const mostHeadingRows = 10;
const mostRowsRead = 300;
const enough = 0.6;

/** @param rows a table, or its first rows; missing cells are blank */
export function findColumns(rows: readonly (readonly InputCell[])[]): FoundColumns {
  const firstRow = firstDataRow(rows);
  const headings = rows.slice(0, firstRow);
  const data = rows.slice(firstRow, firstRow + mostRowsRead);
  const cols = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: cols }, (_, col) => ({
    col,
    heading: headings.map((row) => headingText(row[col])).join(" "),
    ...sharesOf(data.map((row) => row[col] ?? null)),
  }));

  const items = columns.filter(({ items, filled }) => filled > 0 && items >= enough);
  const headedItem = columns.find(
    ({ heading, filled, words }) =>
      filled > 0 && words < enough && itemHeading.test(heading) && !wordsHeading.test(heading),
  );
  const item = headedItem ?? items[0] ?? null;

  const headedStore = columns.find(
    ({ heading, filled, words, col }) =>
      filled > 0 && words < enough && col !== item?.col && storeHeading.test(heading),
  );
  const stores = columns.filter(
    ({ stores, filled, col }) => filled > 0 && stores >= enough && col !== item?.col,
  );
  const leftOfItem = stores.filter(({ col }) => item !== null && col < item.col);
  const store = headedStore ?? leftOfItem.at(-1) ?? stores[0] ?? null;
  return { store: store?.col ?? null, item: item?.col ?? null, firstRow };
}

/**
 * Headings contain only words, so the first row with an item or a store is data. A title above them may contain a date or a year,
 * but the row below it contains only words.
 */
function firstDataRow(rows: readonly (readonly InputCell[])[]): number {
  const filled = rows
    .slice(0, mostHeadingRows + 1)
    .map((row, at) => ({ at, row }))
    .filter(({ row }) => row.some((cell) => cell !== null && cell !== ""));
  const data = filled.filter(({ at, row }) => at < mostHeadingRows && row.some(isCode));
  const continued = data.find(({ at }) => {
    const below = filled.find((each) => each.at > at);
    return below === undefined || below.row.some((cell) => /\d/.test(String(cell)));
  });
  return (continued ?? data[0])?.at ?? 0;
}

interface Shares {
  readonly filled: number;
  readonly stores: number;
  readonly items: number;
  /** Cells without a digit. */
  readonly words: number;
}

function sharesOf(cells: readonly InputCell[]): Shares {
  let [filled, stores, items, words] = [0, 0, 0, 0];
  for (const cell of cells) {
    if (cell === null || cell === 0 || (typeof cell === "string" && cleanText(cell) === "")) continue;
    filled++;
    if (!/\d/.test(String(cell))) words++;
    else if (looksLikeItem(cell)) items++;
    else if (typeof diagnoseStore(cell) === "number") stores++;
  }
  const share = (count: number): number => (filled === 0 ? 0 : count / filled);
  return { filled, stores: share(stores), items: share(items), words: share(words) };
}

/** Faults of values that have the digits of an item. */
const misspelledItems: ReadonlySet<string> = new Set([
  ...["nine-digits", "too-many-zeros", "identifier-prefix"],
  ...["separators", "letter-for-digit", "words-around"],
]);

/** Whether INV reads it as an item, or would if its error were corrected. */
function looksLikeItem(cell: PlainValue): boolean {
  const { gtin, findings } = diagnoseGtin(cell);
  return gtin !== null || findings.some(({ fault }) => misspelledItems.has(fault));
}

/** Whether the cell has the digits of a store or an item. */
function isCode(cell: InputCell): boolean {
  if (cell === null || !/\d{2}/.test(String(cell))) return false;
  return looksLikeItem(cell) || typeof diagnoseStore(cell) === "number";
}

function headingText(cell: InputCell | undefined): string {
  return typeof cell === "string" ? cell.replace(/[_-]+/g, " ") : "";
}
