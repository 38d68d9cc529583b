/**
 * What the service needs to know about its world: accounts, stock, history. Sample stock and a supplier's own figures implement it.
 * Backends get only checked values: store numbers, GTINs and dates in the documented form.
 */

export interface Backend {
  readonly accounts: Accounts;
  readonly stock: Stock;
  readonly history: History;
}

export interface Supplier {
  /** The backend's own key; never shown. */
  readonly id: string;
  readonly name: string;
}

export interface Consumer {
  readonly consumerId: string;
  readonly subscribed: boolean;
  /** Null: the consumer is not mapped to a supplier. */
  readonly supplier: Supplier | null;
}

export interface Accounts {
  find(consumerId: string): Promise<Consumer | null>;
  checkSecret(consumerId: string, clientSecret: string): Promise<boolean>;
}

export interface StockQuery {
  readonly supplier: Supplier;
  readonly storeNumber: number;
  readonly itemType: "gtin" | "wm_item_number";
  readonly values: readonly string[];
}

export type StockItem =
  /** Another supplier's item, or nobody's. The response doesn't say which. */
  { readonly kind: "not-mapped" } | { readonly kind: "no-data" } | ({ readonly kind: "stock" } & StockRecord);

export interface StockRecord {
  /** Null if unknown; then the record doesn't contain it. */
  readonly itemNumber: string | null;
  readonly locations: readonly StockLocation[];
  readonly consumerItems: readonly ConsumerItem[];
  readonly lastUpdatedMs: number;
}

interface StockLocation {
  readonly locationArea: string;
  readonly state: string;
  readonly quantity: number;
}

export interface ConsumerItem {
  readonly cid: number;
  /** The CID's items with data at the store, with their AVAILABLE quantity in the STORE area. */
  readonly members: readonly {
    readonly gtin: string | null;
    readonly itemNumber: string | null;
    readonly quantity: number;
  }[];
}

export interface HistoryPageQuery {
  readonly supplier: Supplier;
  readonly storeNumber: number;
  readonly gtin: string;
  /** Included; milliseconds since 1970, UTC. */
  readonly fromMs: number;
  /** Not included. */
  readonly untilMs: number;
  readonly locationArea: "STORE" | "BACKROOM";
  /** Null for all types. */
  readonly eventType: string | null;
  /** The end of the previous page, in the backend's own form; null for the first page. */
  readonly cursor: string | null;
  readonly pageSize: number;
}

export type HistoryPageAnswer =
  | { readonly kind: "unknown-store" }
  /** Another supplier's item, or nobody's. */
  | { readonly kind: "not-mapped" }
  /** The supplier's item, without data at any store. */
  | { readonly kind: "no-data-anywhere" }
  /** The supplier's item, without data at this store. */
  | { readonly kind: "no-data" }
  /** Oldest first; empty if nothing happened in the range. */
  | { readonly kind: "events"; readonly events: readonly StockEvent[]; readonly nextCursor: string | null };

export interface StockEvent {
  readonly eventType: string;
  readonly quantity: number;
  readonly quantityAfter: number;
  readonly createdAtMs: number;
}

export interface Stock {
  /** Returns one entry per value of the query, in the same order. */
  read(query: StockQuery): Promise<readonly StockItem[]>;
}

export interface History {
  read(query: HistoryPageQuery): Promise<HistoryPageAnswer>;
}

/**
 * Returns the page that the query wants of a history.
 * @param events all of the range. New ones come only at its end, so a count stays a valid cursor.
 */
export function historyPage(
  events: readonly StockEvent[],
  { cursor, pageSize }: HistoryPageQuery,
): HistoryPageAnswer {
  const start = Number(cursor ?? 0);
  const end = start + pageSize;
  return {
    kind: "events",
    events: events.slice(start, end),
    nextCursor: end < events.length ? String(end) : null,
  };
}
