/**
 * What a stock file holds: the SQLite tables that an import fills and the service reads. A file is told from
 * any other by its application id, and from those of other versions of INV by its user version.
 * Times are milliseconds since 1970, UTC. An item is in `items` only where some row of an export names it.
 */

/** `PRAGMA application_id`: "INVS". */
export const applicationId = 0x494e_5653;
/** `PRAGMA user_version`. */
export const fileVersion = 1;

/** The one supplier's key in the backend. */
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

/** Made once all rows are in: it is used for the members of a CID only. */
export const createIndexes = "CREATE INDEX items_by_cid ON items (cid) WHERE cid IS NOT NULL;";

export type ColumnValue = string | number | null;

/** A prepared statement; each row is its columns in order. */
export interface Statement {
  all(...parameters: readonly ColumnValue[]): readonly (readonly ColumnValue[])[];
}

/** What the service needs of a database. It only reads. */
export interface StockDatabase {
  prepare(sql: string): Statement;
}

/** SHA-256 of a client secret, in hexadecimal. A secret is 256 random bits, so that it cannot be guessed from this. */
export async function digestOfSecret(clientSecret: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(clientSecret));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
