/** SQLite, loaded on demand, because the team server's archive doesn't contain the package. */
import type Database from "libsql";
import type { StockDatabase } from "../../embedded-service/imported/stock-tables";
import { ConfigError } from "../settings/faults";

export type Sqlite = Database.Database;

/** @throws ConfigError if the package isn't installed or has no build for this system */
export async function loadSqlite(): Promise<typeof Database> {
  try {
    return (await import("libsql")).default;
  } catch (cause) {
    throw new ConfigError(
      `Stock files need the package libsql, which is not installed or has no build for ${process.platform} on ` +
        `${process.arch}. Run this in a clone of INV, on Linux, macOS or Windows (not on ARM).`,
      { cause },
    );
  }
}

/** Returns rows as arrays, which the service expects. */
export function asStockDatabase(database: Sqlite): StockDatabase {
  return {
    prepare(sql) {
      const statement = database.prepare(sql).raw(true);
      return { all: (...parameters) => statement.all(...parameters) as (string | number | null)[][] };
    },
  };
}
