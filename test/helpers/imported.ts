/** Writes exports to a temporary folder of the test and imports them there with the project's own import. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ImportOptions, type ImportOutcome, runImport } from "../../src/server/import/run-import";

export interface ImportBed {
  path(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  /** Imports `inventory.csv`, and `events.csv` if the test wrote one, into `stock.db`. */
  run(options?: Partial<ImportOptions>): Promise<ImportOutcome>;
  end(): void;
}

export function createImportBed(): ImportBed {
  const folder = mkdtempSync(join(tmpdir(), "inv-import-"));
  const path = (name: string) => join(folder, name);
  let hasEvents = false;
  return {
    path,
    write(name, content) {
      if (name === "events.csv") hasEvents = true;
      writeFileSync(path(name), content);
      return path(name);
    },
    run: (options = {}) =>
      runImport(
        {
          into: path("stock.db"),
          inventory: path("inventory.csv"),
          events: hasEvents ? path("events.csv") : null,
          supplier: "ACME",
          encoding: null,
          map: new Map(),
          rules: { times: "iso", decimal: "point", asOfMs: null },
          skipBad: false,
          allowShrink: false,
          ...options,
        },
        { progress: () => undefined, isCancelled: () => false },
      ),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
