/**
 * `npm run service:import`: creates a stock file from a supplier's exports. It prints progress and bad rows,
 * and shows new credentials once.
 */
import { isInvError } from "../../domain/errors";
import { ConfigError } from "../settings/faults";
import { readImportFlags, importUsage } from "./flags";
import { type ImportOptions, type ImportOutcome, runImport } from "./run-import";

void start(process.argv.slice(2));

async function start(args: readonly string[]): Promise<void> {
  try {
    const flags = readImportFlags(args);
    if (flags === "help") console.log(importUsage);
    else await run(flags);
  } catch (error) {
    end(explain(error));
  }
}

async function run(options: ImportOptions): Promise<void> {
  let isCancelled = false;
  process.once("SIGINT", () => (isCancelled = true));
  process.once("SIGTERM", () => (isCancelled = true));
  try {
    const outcome = await runImport(options, { progress: createProgress(), isCancelled: () => isCancelled });
    for (const line of outcome.faults.report()) console.error(line);
    if (outcome.written) console.log(summary(outcome, options));
    else {
      end("Nothing was imported. Fix the rows, or import the others with --skip-bad.");
    }
  } catch (error) {
    end(explain(error));
  }
}

function summary(
  { counts, latestMs, credentials, faults, ignored }: ImportOutcome,
  options: ImportOptions,
): string {
  const left = faults.count() === 0 ? "" : `, ${faults.count()} bad rows left out`;
  const latest = latestMs === null ? "" : new Date(latestMs).toISOString().slice(0, 16);
  return [
    "",
    `Imported into ${options.into}: ${counts.inventory} counts and ${counts.events} events of ${counts.stores} stores${left}.`,
    `  The latest is of ${latest.replace("T", " ")} UTC.`,
    ...(ignored.length === 0
      ? []
      : [`  Not imported: the columns ${[...new Set(ignored)].slice(0, 20).join(", ")}.`]),
    "",
    `  Consumer ID    ${credentials.consumerId}`,
    credentials.clientSecret === null
      ? "  Client secret  the one that was shown when this file was first imported"
      : `  Client secret  ${credentials.clientSecret}   (shown this once; the file keeps only a digest)`,
    "",
    `  Browser workbook  npm start -- --data ${options.into}`,
    `  Service alone     npm run service -- --data ${options.into}`,
    `  INV shows events of seven days; to see older ones: --now ${latest}`,
    "",
  ].join("\n");
}

function createProgress(): (part: number, rows: number) => void {
  let printed = 0;
  return (part, rows) => {
    const tenth = Math.floor(part * 10);
    if (tenth > printed) console.error(`${tenth * 10} % read, ${rows} rows`);
    printed = Math.max(printed, tenth);
  };
}

function end(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (isInvError(error) || error instanceof ConfigError) return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === "ENOSPC" || code === "SQLITE_FULL") return "The disk is full. Nothing was imported.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
