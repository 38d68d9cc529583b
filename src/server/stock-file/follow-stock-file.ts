/**
 * Serves the current stock file. After the file is replaced, the next call opens the new one. If that fails,
 * the service keeps the old one, and the log gives the reason. No answer mixes two files.
 */
import { statSync } from "node:fs";
import { messageOf } from "../../domain/errors";
import type { Backend } from "../../embedded-service/backend";
import { createImportedBackend, readSupplier } from "../../embedded-service/imported/imported-backend";
import { type ImportedList, listImported } from "../../embedded-service/imported/imported-list";
import { openStockFile, type StockFile } from "./open-stock-file";

export interface FollowedFile {
  readonly backend: Backend;
  readonly supplier: { readonly name: string; readonly consumerId: string };
  /** Time of the latest count or event when the file was opened, in milliseconds since 1970 UTC. */
  readonly latestMs: number;
  list(): Promise<ImportedList>;
  close(): void;
}

export interface StockFollowOptions {
  readonly path: string;
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** Called with a line for each replaced file: either it is now served, or the reason why not. */
  readonly tell: (line: string) => void;
}

const lookAgainMs = 2_000;

interface Opened {
  readonly file: StockFile;
  readonly backend: Backend;
  list: ImportedList | null;
}

/** @throws ConfigError if the file can't be served at the start */
export async function followStockFile(options: StockFollowOptions): Promise<FollowedFile> {
  const { path, steadyNow, tell } = options;
  let stamp = stampOf(path);
  let opened = await open(options);
  let lookedAtMs = steadyNow();
  let opening: Promise<void> | null = null;

  async function replace(): Promise<void> {
    try {
      const next = await open(options);
      opened.file.close();
      opened = next;
      tell(`${path} was replaced. The server uses the new figures.`);
    } catch (error) {
      tell(`${messageOf(error)} The server still uses the previous figures.`);
    }
  }

  async function current(): Promise<Opened> {
    if (opening === null && steadyNow() - lookedAtMs >= lookAgainMs) {
      lookedAtMs = steadyNow();
      const found = stampOf(path);
      if (found !== null && found !== stamp) {
        stamp = found;
        opening = replace().finally(() => (opening = null));
      }
    }
    await opening;
    return opened;
  }

  return {
    backend: {
      accounts: {
        find: async (consumerId) => (await current()).backend.accounts.find(consumerId),
        checkSecret: async (consumerId, secret) =>
          (await current()).backend.accounts.checkSecret(consumerId, secret),
      },
      stock: { read: async (query) => (await current()).backend.stock.read(query) },
      history: { read: async (query) => (await current()).backend.history.read(query) },
    },
    supplier: readSupplier(opened.file.database),
    latestMs: opened.file.latestMs,
    async list() {
      const now = await current();
      return (now.list ??= listImported(now.file.database));
    },
    close: () => opened.file.close(),
  };
}

async function open({ path, now }: StockFollowOptions): Promise<Opened> {
  const file = await openStockFile(path);
  try {
    return { file, backend: createImportedBackend({ database: file.database, now }), list: null };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Returns a text that changes with the file or its content, or null if the file doesn't exist. */
function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino} ${found.mtimeMs} ${found.size}`;
}
