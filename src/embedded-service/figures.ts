/**
 * A supplier's own figures as the service's world: counts and events, kept in memory, of one supplier with one account. An item that no
 * row names isn't mapped to the supplier; a known item without a row at a store has no data there. Events later than `now` haven't
 * happened yet. Rows name no consumer items, so no answer has any.
 */
import {
  type Accounts,
  type Backend,
  historyPage,
  type HistoryPageAnswer,
  type HistoryPageQuery,
  type StockEvent,
  type StockItem,
  type StockQuery,
  type StockRecord,
  type Supplier,
} from "./backend";

/** The names of the wire. Times are milliseconds since 1970, UTC. */
interface CountRow {
  readonly store_nbr: number;
  /** A row has a GTIN, an item number, or both; the other one is "". */
  readonly gtin: string;
  readonly wm_item_number: string;
  readonly location_area: string;
  readonly state: string;
  readonly quantity: number;
  readonly last_updated_time: number;
}

interface EventRow {
  readonly store_nbr: number;
  readonly gtin: string;
  readonly location_area: string;
  readonly event_type: string;
  readonly event_qty: number;
  readonly event_creation_time: number;
  readonly aggregated_qty: number;
}

export interface Figures {
  /** Returns null, or why the row contradicts an earlier one; then it isn't added. */
  addCount(row: CountRow): string | null;
  addEvent(row: EventRow): void;
  /** @param now milliseconds since 1970, UTC */
  backend(accounts: Accounts, now: () => number): Backend;
  /** `GET /demo-data`: some stores and items, and how many there are, without quantities. */
  list(supplier: Supplier): unknown;
  readonly stores: ReadonlySet<number>;
  readonly items: readonly unknown[];
}

interface Item {
  gtin: string;
  itemNumber: string;
  readonly atStores: Map<number, AtStore>;
}

interface AtStore {
  locations: StockRecord["locations"];
  lastUpdatedMs: number;
  /** By location area, in the order of the rows until `backend` sorts them by time. */
  readonly events: Map<string, StockEvent[]>;
}

const storesListed = 50;
const itemsListed = 100;

export function createFigures(): Figures {
  const stores = new Set<number>();
  const items: Item[] = [];
  const byGtin = new Map<string, Item>();
  const byNumber = new Map<string, Item>();

  /** Returns the item that both identifiers name, or null if earlier rows give them to different items. */
  function itemOf(gtin: string, itemNumber: string): Item | null {
    const item = byGtin.get(gtin) ?? byNumber.get(itemNumber) ?? newItem();
    const isOther = (one: string, other: string) => one !== "" && other !== "" && one !== other;
    if (isOther(item.gtin, gtin) || isOther(item.itemNumber, itemNumber)) return null;
    if ((byNumber.get(itemNumber) ?? item) !== item) return null;
    if (gtin !== "") byGtin.set((item.gtin = gtin), item);
    if (itemNumber !== "") byNumber.set((item.itemNumber = itemNumber), item);
    return item;
  }

  function newItem(): Item {
    const item = { gtin: "", itemNumber: "", atStores: new Map<number, AtStore>() };
    items.push(item);
    return item;
  }

  function stockAt({ atStores }: Item, store: number): AtStore {
    stores.add(store);
    const atStore = atStores.get(store) ?? { locations: [], lastUpdatedMs: 0, events: new Map() };
    atStores.set(store, atStore);
    return atStore;
  }

  function readItem({ storeNumber, itemType }: StockQuery, value: string): StockItem {
    const item = (itemType === "gtin" ? byGtin : byNumber).get(value);
    if (item === undefined) return { kind: "not-mapped" };
    const atStore = item.atStores.get(storeNumber);
    if (atStore === undefined || atStore.locations.length === 0) return { kind: "no-data" };
    const { locations, lastUpdatedMs } = atStore;
    return {
      kind: "stock",
      itemNumber: item.itemNumber || null,
      locations,
      consumerItems: [],
      lastUpdatedMs,
    };
  }

  function readHistory(query: HistoryPageQuery, nowMs: number): HistoryPageAnswer {
    if (!stores.has(query.storeNumber)) return { kind: "unknown-store" };
    const item = byGtin.get(query.gtin);
    if (item === undefined) return { kind: "not-mapped" };
    const atStore = item.atStores.get(query.storeNumber);
    if (atStore === undefined) return { kind: "no-data" };
    const untilMs = Math.min(query.untilMs, nowMs + 1);
    const events = (atStore.events.get(query.locationArea) ?? []).filter(
      ({ createdAtMs, eventType }) =>
        createdAtMs >= query.fromMs &&
        createdAtMs < untilMs &&
        (query.eventType === null || query.eventType === eventType),
    );
    return historyPage(events, query);
  }

  return {
    stores,
    items,
    addCount({ store_nbr, gtin, wm_item_number, location_area: locationArea, state, ...row }) {
      const item = itemOf(gtin, wm_item_number);
      if (item === null) return "gives an item another gtin or wm_item_number than an earlier row";
      const atStore = stockAt(item, store_nbr);
      if (atStore.locations.some((each) => each.locationArea === locationArea && each.state === state)) {
        return "repeats the store, item, location_area and state of an earlier row";
      }
      atStore.locations = [...atStore.locations, { locationArea, state, quantity: row.quantity }];
      atStore.lastUpdatedMs = Math.max(atStore.lastUpdatedMs, row.last_updated_time);
      return null;
    },
    addEvent(row) {
      const item = byGtin.get(row.gtin) ?? itemOf(row.gtin, "");
      if (item === null) return;
      const { events } = stockAt(item, row.store_nbr);
      const event = {
        eventType: row.event_type,
        quantity: row.event_qty,
        quantityAfter: row.aggregated_qty,
        createdAtMs: row.event_creation_time,
      };
      const earlier = events.get(row.location_area);
      if (earlier === undefined) events.set(row.location_area, [event]);
      else earlier.push(event);
    },
    backend(accounts, now) {
      const lists = items.flatMap(({ atStores }) =>
        [...atStores.values()].flatMap(({ events }) => [...events.values()]),
      );
      for (const events of lists) events.sort((one, other) => one.createdAtMs - other.createdAtMs);
      return {
        accounts,
        stock: { read: (query) => Promise.resolve(query.values.map((value) => readItem(query, value))) },
        history: { read: (query) => Promise.resolve(readHistory(query, now())) },
      };
    },
    list({ id, name }) {
      const listed = firstOf(stores, storesListed);
      return {
        note: "Some of the files' stores and items. Not part of the service's contract: a real service has no such address.",
        accounts: [{ name: id, supplier_name: name }],
        stores: listed,
        stores_in_all: stores.size,
        items: firstOf(items, itemsListed, ({ gtin }) => gtin !== "").map(
          ({ gtin, itemNumber, atStores }) => ({
            gtin,
            wm_item_number: itemNumber || null,
            supplier_name: name,
            stores_without_data: listed.filter((store) => (atStores.get(store)?.locations.length ?? 0) === 0),
          }),
        ),
        items_in_all: items.length,
      };
    },
  };
}

/** Stops when it has enough: a file may have a million items, and everybody may ask. */
function firstOf<T>(values: Iterable<T>, limit: number, isWanted: (value: T) => boolean = () => true): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (isWanted(value)) first.push(value);
    if (first.length >= limit) break;
  }
  return first;
}
