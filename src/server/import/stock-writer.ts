/**
 * Builds a new stock file next to the old one, and replaces it in one step when all rows are in. A killed
 * import leaves the old file unchanged. A new file of the same supplier keeps its credentials, so two imports
 * of the same exports are equal.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InvError } from "../../domain/errors";
import { readSupplier } from "../../embedded-service/imported/imported-backend";
import {
  applicationId,
  createIndexes,
  createTables,
  digestOfSecret,
  fileVersion,
} from "../../embedded-service/imported/stock-tables";
import { loadSqlite, type Sqlite } from "../stock-file/libsql";
import { openStockFile } from "../stock-file/open-stock-file";
import { createItems } from "./items";
import type { EventRow, InventoryRow, RowFault } from "./rows";

export interface StockWriter {
  /** Returns null, or the reason why the row can't be added. */
  addStock(row: InventoryRow): RowFault | null;
  addEvent(row: EventRow): RowFault | null;
  finish(): void;
  /** Keeps the old file. Does nothing after `finish`. */
  abandon(): void;
}

export interface StockCredentials {
  readonly consumerId: string;
  /** Null if the old file's credentials are kept, because that file contains only the secret's digest. */
  readonly clientSecret: string | null;
  readonly secretDigest: string;
}

export interface ExistingFile {
  readonly supplier: ReturnType<typeof readSupplier>;
  readonly rows: { readonly inventory: number; readonly events: number };
}

export async function readExisting(path: string): Promise<ExistingFile | null> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const { database, close } = await openStockFile(path);
  const count = (table: "stock" | "events"): number =>
    Number(database.prepare(`SELECT count(*) FROM ${table}`).all()[0]?.[0]);
  try {
    return { supplier: readSupplier(database), rows: { inventory: count("stock"), events: count("events") } };
  } finally {
    close();
  }
}

/** Returns the existing file's credentials if it is of the same supplier, otherwise new random ones. */
export async function credentialsFor(
  existing: ExistingFile | null,
  supplier: string,
): Promise<StockCredentials> {
  if (existing?.supplier.name === supplier) return { ...existing.supplier, clientSecret: null };
  const clientSecret = randomBytes(32).toString("base64url");
  const consumerId = `file-${wordOf(supplier)}${randomBytes(4).toString("hex")}`;
  return { consumerId, clientSecret, secretDigest: await digestOfSecret(clientSecret) };
}

export interface WriterOptions {
  readonly path: string;
  readonly supplier: string;
  readonly credentials: StockCredentials;
}

export async function createStockWriter({
  path,
  supplier,
  credentials,
}: WriterOptions): Promise<StockWriter> {
  const Database = await loadSqlite();
  removeLeftOvers(path);
  const building = `${path}.new-${process.pid}`;
  rmSync(building, { force: true });
  closeSync(openSync(building, "wx", 0o600));
  const database = new Database(building);
  // A killed import's file is deleted later, so it needs no journal.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;");
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${fileVersion};`);
  database.exec(createTables);
  database.exec("BEGIN");
  database
    .prepare("INSERT INTO supplier VALUES (?, ?, ?)")
    .run(supplier, credentials.consumerId, credentials.secretDigest);
  let isOpen = true;

  function abandon(): void {
    if (!isOpen) return;
    isOpen = false;
    database.close();
    rmSync(building, { force: true });
  }

  return {
    ...createRows(database),
    finish() {
      database.exec("COMMIT");
      database.exec(createIndexes);
      isOpen = false;
      database.close();
      try {
        sync(building);
        renameSync(building, path);
      } catch (error) {
        rmSync(building, { force: true });
        throw replaceFault(path, error);
      }
      syncFolder(dirname(path));
    },
    abandon,
  };
}

function createRows(database: Sqlite): Pick<StockWriter, "addStock" | "addEvent"> {
  const items = createItems(database);
  const storeIn = database.prepare("INSERT OR IGNORE INTO stores VALUES (?)");
  const stockIn = database.prepare("INSERT OR IGNORE INTO stock VALUES (?, ?, ?, ?, ?, ?)");
  const eventIn = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const stores = new Set<number>();
  let place = 0;

  function addStore(store: number): void {
    if (stores.has(store)) return;
    stores.add(store);
    storeIn.run(store);
  }

  return {
    addStock(row) {
      const { store, locationArea, state } = row;
      const item = items.keyOf(row);
      if (typeof item !== "number") return item;
      const { changes } = stockIn.run(store, item, locationArea, state, row.quantity, row.updatedMs);
      if (changes === 0) {
        const reason = "the same store, item, location_area and state as an earlier row";
        return { reason, detail: `${reason}: store ${store}, ${row.gtin ?? row.itemNumber ?? ""}` };
      }
      addStore(store);
      return null;
    },
    addEvent(row) {
      const { store, locationArea, atMs, eventType } = row;
      const item = items.keyOf({ gtin: row.gtin, itemNumber: null, cid: null });
      if (typeof item !== "number") return item;
      // Preserves the order of events in the same second.
      place += 1;
      eventIn.run(store, item, locationArea, atMs, place, eventType, row.quantity, row.quantityAfter);
      addStore(store);
      return null;
    },
  };
}

/** Returns a readable part of the consumer ID, because workbooks contain that ID. */
function wordOf(supplier: string): string {
  const word = supplier
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+/u, "")
    .slice(0, 20)
    .replace(/-+$/u, "");
  return word === "" ? "" : `${word}-`;
}

/** Deletes the files of killed imports, but not those of running ones. */
function removeLeftOvers(path: string): void {
  const prefix = `${basename(path)}.new-`;
  const folder = dirname(path);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new InvError("bad-argument", `The folder ${folder} cannot be used.`, { cause });
  }
  for (const name of names) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (Number.isInteger(owner) && !isRunning(owner)) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Flushes the folder to disk. Otherwise, a power failure may undo the replacement. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows can't open folders.
  }
}

function replaceFault(path: string, cause: unknown): InvError {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  const why = ["EPERM", "EBUSY", "EACCES"].includes(code)
    ? "is in use: stop the service that reads it, then import again"
    : `could not be written (${code})`;
  return new InvError("bad-argument", `${path} ${why}. Nothing was imported.`, { cause });
}
