/**
 * What the service needs to know of the world behind it: accounts, stock, history. The contract code
 * knows only this interface; sample stock is one implementation, a supplier's stock file
 * another. Every answer is asynchronous for that reason. Backends get checked values only: store
 * numbers, GTINs and dates have the documented form by the time they arrive here.
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
  /** The account of a consumer ID, or null where there is none. */
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
  /** Another supplier's item, or nobody's: a caller cannot tell which. */
  { readonly kind: "not-mapped" } | { readonly kind: "no-data" } | ({ readonly kind: "stock" } & StockRecord);

export interface StockRecord {
  /** Null where the world knows none: the record leaves it out then. */
  readonly itemNumber: string | null;
  readonly locations: readonly StockLocation[];
  readonly consumerItems: readonly ConsumerItem[];
  readonly lastUpdatedMs: number;
}

export interface StockLocation {
  readonly locationArea: string;
  readonly state: string;
  readonly quantity: number;
}

export interface ConsumerItem {
  readonly cid: number;
  /** The items mapped to the CID that have data at the store, with what is available in its STORE area. */
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
  /** From this moment (included) to the other (left out), UTC. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly locationArea: "STORE" | "BACKROOM";
  /** Null: all types. */
  readonly eventType: string | null;
  /** Where the page before ended, in the backend's own words; null: the first page. */
  readonly cursor: string | null;
  readonly pageSize: number;
}

export type HistoryPageAnswer =
  | { readonly kind: "unknown-store" }
  /** Another supplier's item, or nobody's. */
  | { readonly kind: "not-mapped" }
  /** The supplier's item, but no store has data of it. */
  | { readonly kind: "no-data-anywhere" }
  /** The supplier's item, without data at this store. */
  | { readonly kind: "no-data" }
  /** In order of time, oldest first; empty where nothing happened in the range. */
  | { readonly kind: "events"; readonly events: readonly StockEvent[]; readonly nextCursor: string | null };

export interface StockEvent {
  readonly eventType: string;
  readonly quantity: number;
  readonly quantityAfter: number;
  readonly createdAtMs: number;
}

export interface Stock {
  /** One entry for each value of the query, in its order. */
  read(query: StockQuery): Promise<readonly StockItem[]>;
}

export interface History {
  read(query: HistoryPageQuery): Promise<HistoryPageAnswer>;
}
