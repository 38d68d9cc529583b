/**
 * `GET /demo-data` of a stock file: the stores and items with the most records, and how many there are in all. It contains no quantities
 * and no secrets. Not part of the documented contract.
 */
import type { SampleList } from "../sample-stock/sample-list";
import { readSupplier } from "./imported-backend";
import type { StockDatabase } from "./stock-tables";

const storesListed = 50;
const itemsListed = 100;

export type ImportedList = Omit<SampleList, "accounts" | "items"> & {
  readonly accounts: readonly { readonly name: string; readonly supplier_name: string }[];
  readonly items: readonly {
    readonly gtin: string;
    readonly wm_item_number: string | null;
    readonly cid: number | null;
    readonly supplier_name: string;
    readonly stores_without_data: readonly number[];
  }[];
};

export function listImported(database: StockDatabase): ImportedList {
  const { name } = readSupplier(database);
  const stores = database
    .prepare("SELECT store FROM stock GROUP BY store ORDER BY COUNT(*) DESC, store LIMIT ?")
    .all(storesListed)
    .map(([store]) => Number(store));
  const listedStores = JSON.stringify(stores);
  const items = database
    .prepare(
      "SELECT items.item, gtin, item_number, cid FROM json_each(?) AS listed" +
        " JOIN stock ON stock.store = listed.value JOIN items ON items.item = stock.item" +
        " WHERE gtin IS NOT NULL GROUP BY items.item ORDER BY COUNT(DISTINCT stock.store) DESC, gtin LIMIT ?",
    )
    .all(listedStores, itemsListed);
  const storesOf = database.prepare(
    "SELECT value FROM json_each(?1) WHERE NOT EXISTS" +
      " (SELECT 1 FROM stock WHERE stock.store = value AND stock.item = ?2)",
  );
  return {
    note: "Some of the imported stores and items. Not part of the service's contract: a real service has no such address.",
    accounts: [{ name: "imported", supplier_name: name }],
    stores,
    stores_in_all: countOf(database, "SELECT COUNT(*) FROM stores"),
    items: items.map(([item = null, gtin, itemNumber, cid]) => ({
      gtin: String(gtin),
      wm_item_number: typeof itemNumber === "string" ? itemNumber : null,
      cid: typeof cid === "number" ? cid : null,
      supplier_name: name,
      stores_without_data: storesOf.all(listedStores, item).map(([store]) => Number(store)),
    })),
    items_in_all: countOf(database, "SELECT COUNT(*) FROM items"),
  };
}

function countOf(database: StockDatabase, sql: string): number {
  return Number(database.prepare(sql).all()[0]?.[0] ?? 0);
}
