/**
 * What the service knows of an item at a store, in INV's own words: inventory records and events.
 * Field names on the wire belong to `api`; here a quantity is a number and a time is in
 * milliseconds UTC. Values a newer service may add (areas, states, event codes) are plain text.
 */

/** How an item is named: a 14-digit GTIN or the retailer's item number. */
export type ItemType = "gtin" | "wm_item_number";

export const locationAreas = ["STORE", "BACKROOM"] as const;
export type LocationArea = (typeof locationAreas)[number];

export const states = ["AVAILABLE", "NET_AVAILABLE"] as const;
export type State = (typeof states)[number];

/** Inventory of one item in one location area and state, in units for sale. */
export interface LocationRecord {
  readonly locationArea: string;
  readonly state: string;
  /** A finite number, or null where the service gave two differing records for this area and state. */
  readonly quantity: number | null;
}

/** Inventory at consumer-item (CID) level. The shape of a cross reference is not documented: an object is its JSON. */
export interface CidRecord {
  readonly cid: number;
  readonly crossReferences: readonly (string | number)[];
}

/** A successful item record of `POST /search-items`. */
export interface ItemRecord {
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  /** One for each area and state. */
  readonly locations: readonly LocationRecord[];
  readonly cids: readonly CidRecord[];
  /** When the service last updated the record; null where it did not say. */
  readonly lastUpdatedMs: number | null;
}

/** One recorded event of `GET /events`. The sign of `quantity` is the service's; it is not documented. */
export interface HistoryEvent {
  readonly eventType: string;
  /** Null where the service gave none that can be read: never taken for 0. */
  readonly quantity: number | null;
  /** Inventory count after the event; null where the service did not say. */
  readonly quantityAfter: number | null;
  readonly createdAtMs: number;
}

/** One item at one store: the unit of `POST /search-items`. Already checked and in canonical form. */
export interface ItemQuery {
  readonly storeNumber: number;
  readonly itemType: ItemType;
  /** A 14-digit GTIN, or an item number. */
  readonly value: string;
}

/** One history of `GET /events`. What the user left out is left out here, and of the call. */
export interface HistoryQuery {
  readonly storeNumber: number;
  /** 14 digits. */
  readonly gtin: string;
  readonly eventType?: string;
  /** `yyyy-mm-dd`, UTC. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly locationArea?: LocationArea;
}

export type Query = ItemQuery | HistoryQuery;
