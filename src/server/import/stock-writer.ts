/**
 * Builds a new stock file beside the one it will replace, and puts it in its place in one step when all rows are
 * in: whoever is killed on the way leaves the old file byte for byte. Where the same supplier's file is replaced,
 * its credentials stay, so that two imports of the same exports hold the same.
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
  /** Null when the row is in, else why it cannot be. */
  addStock(row: InventoryRow): RowFault | null;
  addEvent(row: EventRow): RowFault | null;
  /** Puts the new file in the old one's place. */
  finish(): void;
  /** Leaves the old file as it was. Does nothing after `finish`. */
  abandon(): void;
}

export interface StockCredentials {
  readonly consumerId: string;
  /** Null where the file's own are kept: only their digest is known. */
  readonly clientSecret: string | null;
  readonly secretDigest: string;
}

/** Those of the file that is replaced if it is the same supplier's; else new, random ones. */
export async function credentialsFor(path: string, supplier: string): Promise<StockCredentials> {
  const kept = await keptCredentials(path, supplier);
  if (kept !== null) return kept;
  const clientSecret = randomBytes(32).toString("base64url");
  const consumerId = `file-${wordOf(supplier)}${randomBytes(4).toString("hex")}`;
  return { consumerId, clientSecret, secretDigest: await digestOfSecret(clientSecret) };
}

/** How many rows the file holds that is there now; none where there is no file. */
export async function rowsIn(path: string): Promise<{ readonly inventory: number; readonly events: number }> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return { inventory: 0, events: 0 };
  const { database, close } = await openStockFile(path);
  const count = (table: "stock" | "events"): number =>
    Number(database.prepare(`SELECT count(*) FROM ${table}`).all()[0]?.[0]);
  try {
    return { inventory: count("stock"), events: count("events") };
  } finally {
    close();
  }
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
  // What a killed import leaves is thrown away, so nothing has to be recoverable until it is whole.
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
      // Events of one second stay in the order of the export.
      place += 1;
      eventIn.run(store, item, locationArea, atMs, place, eventType, row.quantity, row.quantityAfter);
      addStore(store);
      return null;
    },
  };
}

/** So that a person knows whose the environment is that a workbook names. */
function wordOf(supplier: string): string {
  const word = supplier
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+/u, "")
    .slice(0, 20)
    .replace(/-+$/u, "");
  return word === "" ? "" : `${word}-`;
}

async function keptCredentials(path: string, supplier: string): Promise<StockCredentials | null> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const file = await openStockFile(path);
  try {
    const { name, consumerId, secretDigest } = readSupplier(file.database);
    return name === supplier ? { consumerId, clientSecret: null, secretDigest } : null;
  } finally {
    file.close();
  }
}

/** What killed imports left beside the file; not what another one is writing now. */
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

/** The new name on disk; some systems cannot, and lose at most the replacement in a power cut. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows opens no folders.
  }
}

function replaceFault(path: string, cause: unknown): InvError {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  const why = ["EPERM", "EBUSY", "EACCES"].includes(code)
    ? "is in use: stop the service that reads it, then import again"
    : `could not be written (${code})`;
  return new InvError("bad-argument", `${path} ${why}. It is as it was.`, { cause });
}
