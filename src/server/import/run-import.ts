/**
 * Runs one import: reads the exports row by row into a new stock file. The new file replaces the old one only
 * if every row is good, or if the person allowed INV to skip bad rows. Memory use doesn't grow with the
 * number of rows.
 */
import { statSync } from "node:fs";
import { InvError } from "../../domain/errors";
import {
  eventsExport,
  type ExportKind,
  type HeadingMap,
  inventoryExport,
  requireMappedHeadings,
} from "./columns";
import type { Encoding } from "./decode";
import { createRowFaults, type RowFaults } from "./faults";
import { type ExportFile, openExport } from "./read-export";
import {
  type EventRow,
  type FieldReader,
  type InventoryRow,
  isRowFault,
  readEventRow,
  type ReadingRules,
  readInventoryRow,
  type RowFault,
} from "./rows";
import { createStockWriter, credentialsFor, readExisting, type StockCredentials } from "./stock-writer";

export interface ImportOptions {
  readonly into: string;
  readonly inventory: string;
  readonly events: string | null;
  readonly supplier: string;
  readonly encoding: Encoding | null;
  readonly map: HeadingMap;
  readonly rules: ReadingRules;
  readonly skipBad: boolean;
  readonly allowShrink: boolean;
}

export interface ImportWatch {
  /** Called every 5,000 rows. `part` is the share of all bytes that has been read, from 0 to 1. */
  progress(part: number, rows: number): void;
  isCancelled(): boolean;
}

export interface ImportOutcome {
  readonly written: boolean;
  readonly counts: { readonly inventory: number; readonly events: number; readonly stores: number };
  /** Time of the latest count or event, in milliseconds since 1970 UTC. Null if no row is good. */
  readonly latestMs: number | null;
  readonly credentials: StockCredentials;
  readonly faults: RowFaults;
  readonly ignored: readonly string[];
}

const progressEveryRows = 5_000;

/** @throws InvError if a file can't be read or written; then the stock file is unchanged */
export async function runImport(options: ImportOptions, watch: ImportWatch): Promise<ImportOutcome> {
  const { into, supplier, encoding, map, events, rules, skipBad } = options;
  const inventory = await openExport({ path: options.inventory, encoding }, inventoryExport, map);
  const history = events === null ? null : await openExport({ path: events, encoding }, eventsExport, map);
  const files = history === null ? [inventory] : [inventory, history];
  requireMappedHeadings(map, files);
  if (!inventory.layout.places.has("last_updated") && rules.asOfMs === null) {
    const advice =
      'Name its heading with --map last_updated=HEADING, or one time for all rows with --as-of "2026-11-20T05:58".';
    throw new InvError("bad-argument", `The inventory file has no column "last_updated". ${advice}`);
  }
  const before = await readExisting(into);
  const credentials = await credentialsFor(before, supplier);
  const writer = await createStockWriter({ path: into, supplier, credentials });
  const tally = createTally(options, watch);
  try {
    await importRows(inventory, {
      kind: inventoryExport,
      read: readInventoryRow,
      add: writer.addStock,
      tally,
      rules,
    });
    if (history !== null) {
      await importRows(history, {
        kind: eventsExport,
        read: readEventRow,
        add: writer.addEvent,
        tally,
        rules,
      });
    }
    const written = tally.faults.count() === 0 || skipBad;
    if (written && tally.counts.inventory === 0) {
      throw new InvError("bad-argument", `${options.inventory} has no row that can be imported.`);
    }
    if (written && !options.allowShrink) {
      refuseShrunk(into, { before: before?.rows ?? { inventory: 0, events: 0 }, after: tally.counts });
    }
    if (written) writer.finish();
    const ignored = files.flatMap(({ layout }) => layout.ignored);
    const counts = { ...tally.counts, stores: tally.stores.size };
    return { written, counts, latestMs: tally.latestMs, credentials, faults: tally.faults, ignored };
  } finally {
    writer.abandon();
  }
}

type RowCounts = Readonly<Record<"inventory" | "events", number>>;

/**
 * Refuses a much smaller export. A truncated export looks complete, and would remove the stock of many
 * stores.
 */
function refuseShrunk(into: string, { before, after }: { before: RowCounts; after: RowCounts }): void {
  for (const kind of ["inventory", "events"] as const) {
    if (after[kind] * 2 >= before[kind]) continue;
    throw new InvError(
      "bad-argument",
      `${into} has ${before[kind]} rows of ${kind}, and the new exports have ${after[kind]}. If that is right, add --allow-shrink. ${into} is unchanged.`,
    );
  }
}

interface Tally {
  readonly counts: { inventory: number; events: number };
  readonly stores: Set<number>;
  latestMs: number | null;
  readonly faults: RowFaults;
  read(bytes: number): void;
  fileDone(bytes: number): void;
  row(): void;
}

function createTally({ inventory, events }: ImportOptions, watch: ImportWatch): Tally {
  const allBytes = [inventory, events].reduce(
    (sum, path) => sum + (path === null ? 0 : statSync(path).size),
    0,
  );
  let doneBytes = 0;
  let bytes = 0;
  let rows = 0;
  return {
    counts: { inventory: 0, events: 0 },
    stores: new Set(),
    latestMs: null,
    faults: createRowFaults(),
    read: (now) => (bytes = now),
    fileDone(now) {
      doneBytes += now;
      bytes = 0;
    },
    row() {
      rows += 1;
      if (rows % progressEveryRows !== 0) return;
      if (watch.isCancelled()) {
        throw new InvError("cancelled", "The import was cancelled. Nothing was imported.");
      }
      watch.progress(allBytes === 0 ? 1 : Math.min(1, (doneBytes + bytes) / allBytes), rows);
    },
  };
}

interface FileImport<Row extends InventoryRow | EventRow> {
  readonly kind: ExportKind;
  readonly read: (field: FieldReader, rules: ReadingRules) => Row | RowFault;
  readonly add: (row: Row) => RowFault | null;
  readonly tally: Tally;
  readonly rules: ReadingRules;
}

async function importRows<Row extends InventoryRow | EventRow>(
  file: ExportFile,
  fileImport: FileImport<Row>,
): Promise<void> {
  const { kind, read, add, tally, rules } = fileImport;
  let bytes = 0;
  for await (const { line, content } of file.records((now) => tally.read((bytes = now)))) {
    const row = typeof content === "function" ? read(content, rules) : content;
    const fault = isRowFault(row) ? row : add(row);
    if (fault !== null) tally.faults.add(kind.name, line, fault);
    else if (!isRowFault(row)) {
      tally.counts[kind.name] += 1;
      tally.stores.add(row.store);
      tally.latestMs = Math.max(tally.latestMs ?? 0, "atMs" in row ? row.atMs : row.updatedMs);
    }
    tally.row();
  }
  tally.fileDone(bytes);
}
