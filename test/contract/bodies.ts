/** The document's bodies as one type, written by hand: every field of any shape. The tests check which fields a response has. */

export interface AnyBody {
  // Token
  readonly access_token: string;
  readonly error: string;
  readonly error_description: string;
  // Problem shape
  readonly type: string;
  readonly title: string;
  readonly trace_id: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors: readonly ErrorBody[];
  // Gateway shape
  readonly details: { readonly Description: string };
  // Inventory and history
  readonly supplier_name: string;
  readonly store_nbr: number;
  readonly gtin: string;
  readonly items: readonly ItemBody[];
  readonly event_history_item_details: readonly EventBody[];
  readonly next_page_token: string | null;
}

interface ErrorBody {
  readonly code: string;
  readonly reason: string;
  readonly property: string;
  readonly location: string;
}

interface ItemBody {
  readonly gtin?: string;
  readonly wm_item_number?: string;
  readonly data_retrieval_status: string;
  readonly reason?: string;
  readonly last_updated_time: string;
  readonly inventory_locations: readonly {
    readonly location_area: string;
    readonly state: string;
    readonly quantity: string;
  }[];
  readonly cid_level_inventories: readonly {
    readonly cid: number;
    readonly cross_references: readonly unknown[];
  }[];
}

export interface EventBody {
  readonly event_type: string;
  readonly event_qty: string;
  readonly event_creation_time: string;
  readonly aggregated_qty: string;
}
