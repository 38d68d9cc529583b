/**
 * Opens a stock file for reading, or says in one sentence what is wrong with it. The file is opened as
 * immutable: an import replaces the file instead of changing it, so any number of processes can read without
 * locks.
 */
import { accessSync, constants, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  applicationId,
  createIndexes,
  createTables,
  fileVersion,
  type StockDatabase,
} from "../../embedded-service/imported/stock-tables";
import { ConfigError } from "../settings/faults";
import { asStockDatabase, loadSqlite, type Sqlite } from "./libsql";

export interface StockFile {
  readonly database: StockDatabase;
  /** Time of the latest count or event, in milliseconds since 1970 UTC. */
  readonly latestMs: number;
  close(): void;
}

const damaged = "is damaged or is not a stock file of INV. Import the exports into a new file.";

/** @throws ConfigError for a file that is missing, foreign, of another version, or damaged */
export async function openStockFile(path: string): Promise<StockFile> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw refused(
      path,
      "does not exist. Make it with: npm run service:import -- --into FILE --inventory CSV",
    );
  }
  if (!found.isFile()) throw refused(path, "is not a file.");
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw refused(path, "can't be read by this account.", cause);
  }
  const Database = await loadSqlite();
  let database: Sqlite | null = null;
  try {
    database = new Database(`${pathToFileURL(path).href}?mode=ro&immutable=1`);
    const own = asStockDatabase(database);
    const [id, version] = ["application_id", "user_version"].map((name) =>
      Number(own.prepare(`PRAGMA ${name}`).all()[0]?.[0]),
    );
    if (id !== applicationId) throw refused(path, "is not a stock file of INV.");
    if (version !== fileVersion) {
      throw refused(path, "was made by another version of INV. Import the exports into a new file.");
    }
    // A malicious file could contain, instead of a table, a view whose rows never end.
    const made = own.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").all();
    if (made.map(([sql]) => `${String(sql)};`).join("\n") !== createTables.trim() + "\n" + createIndexes) {
      throw refused(path, damaged);
    }
    if (own.prepare("PRAGMA quick_check(1)").all()[0]?.[0] !== "ok") throw refused(path, damaged);
    const latestMs = own
      .prepare("SELECT MAX((SELECT MAX(updated_ms) FROM stock), (SELECT IFNULL(MAX(at_ms), 0) FROM events))")
      .all()[0]?.[0];
    own.prepare("SELECT name FROM supplier").all();
    const opened = database;
    return { database: own, latestMs: Number(latestMs ?? 0), close: () => void opened.close() };
  } catch (error) {
    database?.close();
    if (error instanceof ConfigError) throw error;
    throw refused(path, damaged, error);
  }
}

function refused(path: string, why: string, cause?: unknown): ConfigError {
  return new ConfigError(`${path} ${why}`, { cause });
}
