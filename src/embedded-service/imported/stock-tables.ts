/**
 * The SQLite tables of a stock file, which an import fills and the service reads. The application id identifies a stock file, and the user
 * version its format. Times are milliseconds since 1970, UTC. `items` contains only items that some row of an export names.
 */

/** `PRAGMA application_id`: "INVS". */
export const applicationId = 0x494e_5653;
/** `PRAGMA user_version`. */
export const fileVersion = 1;

/** The key of the only supplier. */
export const supplierId = "imported";

export const createTables = `
CREATE TABLE supplier (
  name TEXT NOT NULL,
  consumer_id TEXT NOT NULL,
  secret_digest TEXT NOT NULL
) STRICT;
CREATE TABLE stores (store INTEGER PRIMARY KEY) STRICT;
CREATE TABLE items (
  item INTEGER PRIMARY KEY,
  gtin TEXT UNIQUE,
  item_number TEXT UNIQUE,
  cid INTEGER
) STRICT;
CREATE TABLE stock (
  store INTEGER NOT NULL,
  item INTEGER NOT NULL,
  location_area TEXT NOT NULL,
  state TEXT NOT NULL,
  quantity REAL NOT NULL,
  updated_ms INTEGER NOT NULL,
  PRIMARY KEY (store, item, location_area, state)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  store INTEGER NOT NULL,
  item INTEGER NOT NULL,
  location_area TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  place INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  quantity REAL NOT NULL,
  quantity_after REAL NOT NULL,
  PRIMARY KEY (store, item, location_area, at_ms, place)
) STRICT, WITHOUT ROWID;
`;

/** Created after all rows. Only the members of a CID need it. */
export const createIndexes = "CREATE INDEX items_by_cid ON items (cid) WHERE cid IS NOT NULL;";

export type ColumnValue = string | number | null;

/** Returns rows as lists of their columns. */
export interface Statement {
  all(...parameters: readonly ColumnValue[]): readonly (readonly ColumnValue[])[];
}

export interface StockDatabase {
  prepare(sql: string): Statement;
}

/** Returns SHA-256 in hexadecimal. A secret has 256 random bits, so nobody can guess it from the digest. */
export async function digestOfSecret(clientSecret: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(clientSecret));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
