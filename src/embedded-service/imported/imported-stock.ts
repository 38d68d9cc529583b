/**
 * Stock of a stock file. One statement reads the records of all requested items at a store, and another the members of their CIDs, so a
 * request for 100 items needs two or three queries.
 */
import type { ConsumerItem, Stock, StockItem, StockLocation, StockQuery } from "../backend";
import { type ColumnValue, type Statement, type StockDatabase, supplierId } from "./stock-tables";

export function createImportedStock(database: StockDatabase): Stock {
  const byGtin = itemsBy(database, "gtin");
  const byNumber = itemsBy(database, "item_number");
  const membersOf = database.prepare(
    // CROSS JOIN keeps this order. Otherwise SQLite reads all stock of the store first (40 ms per request instead of 0.3).
    "SELECT items.cid, gtin, item_number, quantity FROM json_each(?) AS wanted" +
      " CROSS JOIN items ON items.cid = wanted.value" +
      " CROSS JOIN stock ON stock.store = ? AND stock.item = items.item" +
      " AND location_area = 'STORE' AND state = 'AVAILABLE'",
  );

  function read({ supplier, storeNumber, itemType, values }: StockQuery): readonly StockItem[] {
    if (supplier.id !== supplierId) return values.map(() => ({ kind: "not-mapped" }));
    const rows = (itemType === "gtin" ? byGtin : byNumber).all(JSON.stringify(values), storeNumber);
    const found = groupByPlace(rows, values.length);
    const members = readMembers(membersOf, { storeNumber, found });
    return found.map((records) => itemOf(records, members));
  }

  return { read: async (query) => Promise.resolve(read(query)) };
}

/** Columns: index in the request; the item's key, item number and CID; each record's area, state, quantity and time. */
function itemsBy(database: StockDatabase, column: "gtin" | "item_number"): Statement {
  return database.prepare(
    "SELECT wanted.key, items.item, item_number, cid, location_area, state, quantity, updated_ms" +
      ` FROM json_each(?) AS wanted LEFT JOIN items ON items.${column} = wanted.value` +
      " LEFT JOIN stock ON stock.store = ? AND stock.item = items.item" +
      " ORDER BY wanted.key, location_area DESC, state",
  );
}

type Row = readonly ColumnValue[];

function groupByPlace(rows: readonly Row[], places: number): readonly (readonly Row[])[] {
  const groups = Array.from({ length: places }, (): Row[] => []);
  for (const row of rows) groups[Number(row[0])]?.push(row);
  return groups;
}

function itemOf(records: readonly Row[], members: ReadonlyMap<number, Members>): StockItem {
  const [first] = records;
  if (first === undefined || first[1] === null) return { kind: "not-mapped" };
  if (first[4] === null) return { kind: "no-data" };
  const cid = first[3] === null || first[3] === undefined ? null : Number(first[3]);
  return {
    kind: "stock",
    itemNumber: textOrNull(first[2]),
    locations: records.map(locationOf),
    consumerItems: cid === null ? [] : [{ cid, members: members.get(cid) ?? [] }],
    lastUpdatedMs: Math.max(...records.map((record) => Number(record[7]))),
  };
}

function locationOf(record: Row): StockLocation {
  return { locationArea: String(record[4]), state: String(record[5]), quantity: Number(record[6]) };
}

type Members = ConsumerItem["members"];

/** Reads, for each CID of the found items, its items with stock in the STORE area. */
function readMembers(
  membersOf: Statement,
  { storeNumber, found }: { readonly storeNumber: number; readonly found: readonly (readonly Row[])[] },
): ReadonlyMap<number, Members> {
  const cids = new Set(found.flatMap(([first]) => (typeof first?.[3] === "number" ? [first[3]] : [])));
  const members = new Map<number, Members[number][]>();
  if (cids.size === 0) return members;
  for (const [cid, gtin, itemNumber, quantity] of membersOf.all(JSON.stringify([...cids]), storeNumber)) {
    const member = {
      gtin: textOrNull(gtin),
      itemNumber: textOrNull(itemNumber),
      quantity: Number(quantity),
    };
    const known = members.get(Number(cid));
    if (known === undefined) members.set(Number(cid), [member]);
    else known.push(member);
  }
  return members;
}

function textOrNull(cell: ColumnValue | undefined): string | null {
  return typeof cell === "string" ? cell : null;
}
