/**
 * What the service knows about an item at a store, without the field names of the wire, which only `api` knows. A quantity is a
 * number, a time is in milliseconds since 1970 UTC. Areas, states and event codes are text, because a newer service may add some.
 */
import { InvError } from "./errors";

/** A 14-digit GTIN, or the retailer's item number. */
export type ItemType = "gtin" | "wm_item_number";

export const locationAreas = ["STORE", "BACKROOM"] as const;
export type LocationArea = (typeof locationAreas)[number];

export const states = ["AVAILABLE", "NET_AVAILABLE"] as const;
export type State = (typeof states)[number];

/** Inventory of one item in one location area and state, in units for sale. */
export interface LocationRecord {
  /** Area and state are "" if INV can't read them. */
  readonly locationArea: string;
  readonly state: string;
  /** A finite number; null if the service returned two different ones, or one that INV can't read. */
  readonly quantity: number | null;
  /** Only if INV can't read it: what the service returned, in words. */
  readonly fault?: string;
}

/** Returns the error of a location whose quantity INV can't tell. */
export function unclearQuantity({ locationArea, state, fault }: LocationRecord): InvError {
  const received = fault ?? "two different quantities";
  const location = `${locationArea || "unknown area"}, ${state || "unknown state"}`;
  return new InvError(
    "bad-answer",
    `The service returned ${received} for ${location}. Refresh later. If it happens again, report it to the service's support.`,
  );
}

/** Inventory at consumer-item (CID) level. The shape of a cross reference isn't documented: an object becomes its JSON. */
export interface CidRecord {
  /** At most 15 digits, as many as an Excel number has; null if INV can't read it. */
  readonly cid: number | null;
  readonly crossReferences: readonly (string | number)[];
}

/** A successful item record of `POST /search-items`. */
export interface ItemRecord {
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  /** One per area and state. */
  readonly locations: readonly LocationRecord[];
  readonly cids: readonly CidRecord[];
  /** When the service last updated the record; null if it doesn't say, or if INV can't read it. */
  readonly lastUpdatedMs: number | null;
  /** Only if INV can't read the time: what the service returned, in words. */
  readonly lastUpdatedFault?: string;
}

/** One event of `GET /events`. The sign of `quantity` is the service's; it isn't documented. */
export interface HistoryEvent {
  readonly eventType: string;
  /** Null if INV can't read it; null never counts as 0. */
  readonly quantity: number | null;
  /** Inventory count after the event; null if the service doesn't say. */
  readonly quantityAfter: number | null;
  readonly createdAtMs: number;
}

/** One item at one store: the unit of `POST /search-items`. Checked, and in canonical form. */
export interface ItemQuery {
  readonly storeNumber: number;
  readonly itemType: ItemType;
  /** A 14-digit GTIN, or an item number. */
  readonly value: string;
}

/** One history of `GET /events`. What the person left out is missing here and in the request. */
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
