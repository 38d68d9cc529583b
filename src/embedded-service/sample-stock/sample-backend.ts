/**
 * A world of sample stock as the service's backend. It computes stock and history from store, item, time and seed, and stores nothing.
 * The stock is always the count after the latest event.
 */
import {
  type Backend,
  type ConsumerItem,
  historyPage,
  type HistoryPageAnswer,
  type HistoryPageQuery,
  type StockItem,
  type StockQuery,
} from "../backend";
import { type SampleItem, sampleItems, type SampleStore } from "./catalogue";
import { mix } from "./chance";
import { createPair } from "./pair";
import { eventsIn, stockAt } from "./timeline";
import type { SampleWorld } from "./worlds";

const itemsByGtin = new Map(sampleItems.map((item) => [item.gtin, item]));
const itemsByNumber = new Map(sampleItems.map((item) => [item.itemNumber, item]));
const itemsByCid = groupByCid();

/**
 * @param seed decides about stock, histories and gaps, but not about stores and items
 * @param now milliseconds since 1970, UTC; later events haven't happened yet
 */
export function createSampleBackend(
  world: SampleWorld,
  { seed, now }: { readonly seed: number; readonly now: () => number },
): Backend {
  const stores = new Map(world.stores.map((store) => [store.storeNumber, store]));
  const momentAt = (storeNumber: number): Moment => ({
    store: stores.get(storeNumber),
    atMs: now(),
    seed,
    hasData: (store, item) => world.hasData(store, item, seed),
  });
  return {
    accounts: world.accounts,
    stock: {
      read: (query) => {
        const moment = momentAt(query.storeNumber);
        return Promise.resolve(query.values.map((value) => readItem(query, value, moment)));
      },
    },
    history: { read: (query) => Promise.resolve(readHistory(query, momentAt(query.storeNumber), world)) },
  };
}

interface Moment {
  /** Undefined if the world has no such store. */
  readonly store: SampleStore | undefined;
  readonly seed: number;
  readonly atMs: number;
  readonly hasData: (store: SampleStore, item: SampleItem) => boolean;
}

function readItem(query: StockQuery, value: string, moment: Moment): StockItem {
  const item = (query.itemType === "gtin" ? itemsByGtin : itemsByNumber).get(value);
  if (item?.supplier.id !== query.supplier.id) return { kind: "not-mapped" };
  const { store, seed, atMs, hasData } = moment;
  if (store === undefined || !hasData(store, item)) return { kind: "no-data" };
  const pair = createPair(store, item, seed);
  const stock = stockAt(pair, atMs);
  const locations = netOf("STORE", stock.store, mix(pair.key, stock.lastEventMs % 0x7fffffff) % 3);
  if (pair.backroomLevel > 0) locations.push(...netOf("BACKROOM", stock.backroom, 0));
  return {
    kind: "stock",
    itemNumber: item.itemNumber,
    locations,
    consumerItems: [consumerItem(item, stock.store, { ...moment, store })],
    lastUpdatedMs: stock.lastEventMs,
  };
}

/** Returns the records of an area: the available quantity, and the rest of it after orders. */
function netOf(
  locationArea: string,
  available: number,
  promised: number,
): { locationArea: string; state: string; quantity: number }[] {
  return [
    { locationArea, state: "AVAILABLE", quantity: available },
    { locationArea, state: "NET_AVAILABLE", quantity: Math.max(0, available - promised) },
  ];
}

function consumerItem(
  item: SampleItem,
  available: number,
  { store, seed, atMs, hasData }: Moment & { readonly store: SampleStore },
): ConsumerItem {
  const members = (itemsByCid.get(item.cid) ?? [])
    .filter((member) => member === item || hasData(store, member))
    .map((member) => ({
      gtin: member.gtin,
      itemNumber: member.itemNumber,
      quantity: member === item ? available : stockAt(createPair(store, member, seed), atMs).store,
    }));
  return { cid: item.cid, members };
}

function readHistory(
  query: HistoryPageQuery,
  { store, seed, atMs, hasData }: Moment,
  world: SampleWorld,
): HistoryPageAnswer {
  if (store === undefined) return { kind: "unknown-store" };
  const item = itemsByGtin.get(query.gtin);
  if (item?.supplier.id !== query.supplier.id) return { kind: "not-mapped" };
  if (!hasData(store, item)) {
    return { kind: world.stores.some((other) => hasData(other, item)) ? "no-data" : "no-data-anywhere" };
  }
  const range = { fromMs: query.fromMs, untilMs: Math.min(query.untilMs, atMs + 1) };
  const events = eventsIn(createPair(store, item, seed), range).filter(
    (event) =>
      event.locationArea === query.locationArea &&
      (query.eventType === null || event.eventType === query.eventType),
  );
  return historyPage(events, query);
}

function groupByCid(): Map<number, SampleItem[]> {
  const groups = new Map<number, SampleItem[]>();
  for (const item of sampleItems) groups.set(item.cid, [...(groups.get(item.cid) ?? []), item]);
  return groups;
}
