/**
 * The service's own rules for the fields of requests, and the shapes of its responses. They are written from the service's document,
 * apart from the client's, so that one mistake isn't made twice.
 */
import { z } from "zod";

/** A store number in a JSON body: 2 to 6 digits, not negative. */
export const storeNumber = z.int().min(10).max(999_999);
/** A store number in a query. */
export const storeNumberText = z.string().regex(/^\d{2,6}$/);
export const itemType = z.enum(["gtin", "wm_item_number"]);
export const gtin = z.string().regex(/^\d{14}$/);
/** The documented length is 9, but its check isn't documented, so items with other lengths are just not mapped. */
export const itemNumber = z.string().regex(/^\d+$/);
/** The codes of the document's table, and two that only its sample shows. This list is separate from the client's. */
const eventCodes =
  "SALES RETURNS LR SI SILR BR SBC PI IL DS DA RA DO DR DV DP PR DX PCID CDV2 CDC NB LP POF".split(" ");
/** Any other text is invalid, also in another letter case. */
export const eventType = z.enum(eventCodes);
export const date = z.iso.date();
export const locationArea = z.enum(["STORE", "BACKROOM"]);
export const maxValues = 100;

/** Quantities are decimal numbers as text; times are UTC, without a zone suffix. */
interface LocationBody {
  readonly location_area: string;
  readonly state: string;
  readonly quantity: string;
}

/**
 * The document shows no cross references. This is INV's own shape: each item of the CID with data at the store, by its known GTIN and
 * item number, with its AVAILABLE quantity in the STORE area.
 */
interface CidBody {
  readonly cid: number;
  readonly cross_references: readonly {
    readonly gtin?: string;
    readonly wm_item_number?: string;
    readonly quantity: string;
  }[];
}

interface ItemIds {
  /** Present if the request had GTINs. */
  readonly gtin?: string;
  /** Missing only if imported rows have no item number. */
  readonly wm_item_number?: string;
}

export interface ItemSuccessBody extends ItemIds {
  readonly data_retrieval_status: "SUCCESS";
  readonly inventory_locations: readonly LocationBody[];
  readonly cid_level_inventories: readonly CidBody[];
  readonly last_updated_time: string;
}

interface ItemErrorBody extends ItemIds {
  readonly data_retrieval_status: "ERROR";
  readonly reason: string;
}

export type ItemRecordBody = ItemSuccessBody | ItemErrorBody;

export interface SearchResponse {
  readonly supplier_name: string;
  readonly store_nbr: number;
  /** One record per requested value, in the order of the request. */
  readonly items: readonly ItemRecordBody[];
}

export interface EventsResponse {
  readonly supplier_name: string;
  readonly store_nbr: number;
  readonly gtin: string;
  /** Oldest first. `aggregated_qty` is the inventory count of the location area after the event. */
  readonly event_history_item_details: readonly {
    readonly event_type: string;
    readonly event_qty: string;
    readonly event_creation_time: string;
    readonly aggregated_qty: string;
  }[];
  /** Null on the last page. */
  readonly next_page_token: string | null;
}
