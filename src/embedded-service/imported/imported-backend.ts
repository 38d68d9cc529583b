/**
 * A supplier's own exports as the service's world: one supplier, its account, stock and history from a stock file. Items that the file
 * doesn't contain aren't mapped to the supplier; a known item without stock at a store has no data there. Events later than `now`
 * haven't happened yet.
 */
import type { Accounts, Backend, HistoryPageAnswer, HistoryPageQuery, Supplier } from "../backend";
import { demoSupplier } from "../sample-stock/catalogue";
import { demoWorld } from "../sample-stock/worlds";
import { createImportedStock } from "./imported-stock";
import { type ColumnValue, digestOfSecret, type StockDatabase, supplierId } from "./stock-tables";

/** @throws the database's error if its tables aren't those of a stock file */
export function createImportedBackend({
  database,
  now,
}: {
  readonly database: StockDatabase;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
}): Backend {
  return {
    accounts: createAccounts(database),
    stock: createImportedStock(database),
    history: createHistory(database, now),
  };
}

export function readSupplier(database: StockDatabase): {
  readonly name: string;
  readonly consumerId: string;
  readonly secretDigest: string;
} {
  const [row] = database.prepare("SELECT name, consumer_id, secret_digest FROM supplier").all();
  if (row === undefined) throw new Error("The stock file contains no supplier.");
  return { name: String(row[0]), consumerId: String(row[1]), secretDigest: String(row[2]) };
}

function createAccounts(database: StockDatabase): Accounts {
  const { name, consumerId, secretDigest } = readSupplier(database);
  const supplier: Supplier = { id: supplierId, name };
  return {
    find: (asked) =>
      Promise.resolve(asked === consumerId ? { consumerId, subscribed: true, supplier } : null),
    checkSecret: async (asked, clientSecret) =>
      asked === consumerId && (await digestOfSecret(clientSecret)) === secretDigest,
  };
}

/** Replaces the file's account by the demo's four; the file's supplier takes the place of the demo supplier. */
export function withTestAccounts(backend: Backend, supplierName: string): Backend {
  const { accounts } = demoWorld;
  return {
    ...backend,
    accounts: {
      ...accounts,
      async find(consumerId) {
        const consumer = await accounts.find(consumerId);
        if (consumer?.supplier !== demoSupplier) return consumer;
        return { ...consumer, supplier: { id: supplierId, name: supplierName } };
      },
    },
  };
}

function createHistory(database: StockDatabase, now: () => number): Backend["history"] {
  const storeOf = database.prepare("SELECT 1 FROM stores WHERE store = ?");
  const itemOf = database.prepare("SELECT item FROM items WHERE gtin = ?");
  const anyOf = database.prepare(
    "SELECT EXISTS (SELECT 1 FROM stock WHERE store = ?1 AND item = ?2)" +
      " OR EXISTS (SELECT 1 FROM events WHERE store = ?1 AND item = ?2)",
  );
  const pageOf = database.prepare(
    "SELECT event_type, quantity, quantity_after, at_ms, place FROM events" +
      " WHERE store = ?1 AND item = ?2 AND location_area = ?3 AND (at_ms, place) > (?4, ?5) AND at_ms < ?6" +
      " AND (?7 IS NULL OR event_type = ?7) ORDER BY at_ms, place LIMIT ?8",
  );

  function read(query: HistoryPageQuery): HistoryPageAnswer {
    const { supplier, storeNumber, gtin, pageSize } = query;
    if (storeOf.all(storeNumber).length === 0) return { kind: "unknown-store" };
    const item = supplier.id === supplierId ? itemOf.all(gtin)[0]?.[0] : undefined;
    if (item === undefined || item === null) return { kind: "not-mapped" };
    if (anyOf.all(storeNumber, item)[0]?.[0] !== 1) return { kind: "no-data" };
    const [afterMs, afterPlace] = query.cursor === null ? [query.fromMs, -1] : placeOf(query.cursor);
    const untilMs = Math.min(query.untilMs, now() + 1);
    const { locationArea, eventType } = query;
    // One row more than the page shows whether another page follows.
    const rows = pageOf.all(
      ...[storeNumber, item, locationArea, afterMs, afterPlace, untilMs, eventType, pageSize + 1],
    );
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    return {
      kind: "events",
      events: page.map(eventOf),
      nextCursor: rows.length > pageSize && last !== undefined ? `${last[3]}.${last[4]}` : null,
    };
  }

  return { read: async (query) => Promise.resolve(read(query)) };
}

function eventOf([eventType, quantity, quantityAfter, createdAtMs]: readonly ColumnValue[]) {
  return {
    eventType: String(eventType),
    quantity: Number(quantity),
    quantityAfter: Number(quantityAfter),
    createdAtMs: Number(createdAtMs),
  };
}

/** A cursor has the time and place of the last event before it. Page tokens are sealed, so nobody else has made it. */
function placeOf(cursor: string): readonly [number, number] {
  const [atMs = "", place = ""] = cursor.split(".");
  return [Number(atMs), Number(place)];
}
