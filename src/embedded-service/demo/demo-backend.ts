/**
 * The demo world behind the service's backend interface: its accounts, and stock and history computed
 * from store, item, time and seed on each question. Keeps nothing; the same question at the same time
 * always has the same answer, and the stock is the count after the latest event.
 */
import type {
  Backend,
  ConsumerItem,
  HistoryPageAnswer,
  HistoryPageQuery,
  StockItem,
  StockQuery,
} from "../backend";
import { createDemoAccounts } from "./accounts";
import { type DemoItem, demoItems, type DemoStore, demoStores } from "./catalogue";
import { mix } from "./chance";
import { createPair, hasData } from "./pair";
import { eventsIn, stockAt } from "./timeline";

export interface DemoWorldOptions {
  /** Another seed gives other stock, other histories and other gaps, for the same stores and items. */
  readonly seed: number;
  /** Milliseconds since 1970, UTC. Events later than this have not happened yet. */
  readonly now: () => number;
}

const stores = new Map(demoStores.map((store) => [store.storeNumber, store]));
const itemsByGtin = new Map(demoItems.map((item) => [item.gtin, item]));
const itemsByNumber = new Map(demoItems.map((item) => [item.itemNumber, item]));
const itemsByCid = groupByCid();

export function createDemoBackend({ seed, now }: DemoWorldOptions): Backend {
  return {
    accounts: createDemoAccounts(),
    stock: {
      read: (query) => {
        const store = stores.get(query.storeNumber);
        if (store === undefined) return Promise.resolve({ kind: "unknown-store" });
        const moment = { store, seed, atMs: now() };
        return Promise.resolve({
          kind: "items",
          items: query.values.map((value) => readItem(query, value, moment)),
        });
      },
    },
    history: { read: (query) => Promise.resolve(readHistory(query, { seed, nowMs: now() })) },
  };
}

interface Moment {
  readonly store: DemoStore;
  readonly seed: number;
  readonly atMs: number;
}

function readItem(query: StockQuery, value: string, moment: Moment): StockItem {
  const item = (query.itemType === "gtin" ? itemsByGtin : itemsByNumber).get(value);
  if (item?.supplier.id !== query.supplier.id) return { kind: "not-mapped" };
  const { store, seed, atMs } = moment;
  if (!hasData(store, item, seed)) return { kind: "no-data" };
  const pair = createPair(store, item, seed);
  const stock = stockAt(pair, atMs);
  const locations = netOf("STORE", stock.store, mix(pair.key, stock.lastEventMs % 0x7fffffff) % 3);
  if (pair.backroomLevel > 0) locations.push(...netOf("BACKROOM", stock.backroom, 0));
  return {
    kind: "stock",
    itemNumber: item.itemNumber,
    locations,
    consumerItems: [consumerItem(item, stock.store, moment)],
    lastUpdatedMs: stock.lastEventMs,
  };
}

/** What is there, and what is left of it when some is promised to orders. */
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

function consumerItem(item: DemoItem, available: number, { store, seed, atMs }: Moment): ConsumerItem {
  const members = (itemsByCid.get(item.cid) ?? [])
    .filter((member) => member === item || hasData(store, member, seed))
    .map((member) => ({
      gtin: member.gtin,
      itemNumber: member.itemNumber,
      quantity: member === item ? available : stockAt(createPair(store, member, seed), atMs).store,
    }));
  return { cid: item.cid, members };
}

function readHistory(
  query: HistoryPageQuery,
  { seed, nowMs }: { seed: number; nowMs: number },
): HistoryPageAnswer {
  const store = stores.get(query.storeNumber);
  if (store === undefined) return { kind: "unknown-store" };
  const item = itemsByGtin.get(query.gtin);
  if (item?.supplier.id !== query.supplier.id) return { kind: "not-mapped" };
  if (item.withoutData) return { kind: "no-data-anywhere" };
  if (!hasData(store, item, seed)) return { kind: "no-data" };
  const range = { fromMs: query.fromMs, untilMs: Math.min(query.untilMs, nowMs + 1) };
  const events = eventsIn(createPair(store, item, seed), range).filter(
    (event) =>
      event.locationArea === query.locationArea &&
      (query.eventType === null || event.eventType === query.eventType),
  );
  // Events are only ever added at the end of a range, so a count is a place that stays.
  const start = query.cursor === null ? 0 : Number(query.cursor);
  const end = start + query.pageSize;
  return {
    kind: "events",
    events: events.slice(start, end),
    nextCursor: end < events.length ? String(end) : null,
  };
}

function groupByCid(): Map<number, DemoItem[]> {
  const groups = new Map<number, DemoItem[]>();
  for (const item of demoItems) groups.set(item.cid, [...(groups.get(item.cid) ?? []), item]);
  return groups;
}
