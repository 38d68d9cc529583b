/** The command line of the import: reads its flags, or says in words what is wrong with them. */
import { parseArgs } from "node:util";
import { InvError, messageOf } from "../../domain/errors";
import { checkMap, type Column, eventsExport, type HeadingMap, inventoryExport } from "./columns";
import { encodings } from "./decode";
import type { ImportOptions } from "./run-import";
import { readTime, timeExamples, timeStyles } from "../stock-file/times";

const longestSupplier = 100;

export const importUsage = `npm run service:import -- --into stock.db --inventory inventory.csv --supplier "ACME" [flags]

  --into FILE          the stock file to make, or to replace
  --inventory CSV      the export of counts; its columns, by their headings:
${columnLines(inventoryExport.columns)}
  --events CSV         the export of events, if there is one:
${columnLines(eventsExport.columns)}
  --supplier NAME      whose figures they are
  --map A=B,…          the column A has the heading B: --map gtin=UPC,store=Location
                       (inventory.quantity=… and events.quantity=… for one file alone)
  --dates STYLE        how times are written (default iso):
${timeStyles.map((style) => `                       ${style.padEnd(6)} ${timeExamples[style]}`).join("\n")}
  --decimal MARK       point or comma before decimals (default point, but 1.234 is refused until you say so)
  --as-of TIME         when the counts were true, where the file does not say; as 2026-11-20T05:58, UTC
  --encoding NAME      of files without a byte order mark: ${encodings.join(", ")} (default utf-8)
  --skip-bad           import the good rows although there are bad ones
  --allow-shrink       replace the file although fewer than half of its rows are left
  --help               this text
`;

export type ImportFlags = ImportOptions | "help";

/** Throws an InvError (`bad-argument`) whose message says which flag is wrong and what it takes. */
export function readImportFlags(args: readonly string[]): ImportFlags {
  const values = parse(args);
  if (values.help === true) return "help";
  const map = readMap(values.map ?? []);
  checkMap(map);
  const supplier = needed("--supplier", values.supplier).trim();
  if (supplier === "" || supplier.length > longestSupplier) {
    throw wrong(`--supplier takes a name of 1 to ${longestSupplier} characters.`);
  }
  return {
    into: needed("--into", values.into),
    inventory: needed("--inventory", values.inventory),
    events: values.events ?? null,
    supplier,
    encoding: values.encoding === undefined ? null : oneOf("--encoding", values.encoding, encodings),
    map,
    rules: {
      times: oneOf("--dates", values.dates ?? "iso", timeStyles),
      decimal:
        values.decimal === undefined ? null : oneOf("--decimal", values.decimal, ["point", "comma"] as const),
      asOfMs: values["as-of"] === undefined ? null : readAsOf(values["as-of"]),
    },
    skipBad: values["skip-bad"] ?? false,
    allowShrink: values["allow-shrink"] ?? false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        into: text,
        inventory: text,
        events: text,
        supplier: text,
        map: { type: "string", multiple: true },
        dates: text,
        decimal: text,
        "as-of": text,
        encoding: text,
        "skip-bad": { type: "boolean" },
        "allow-shrink": { type: "boolean" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw wrong(messageOf(error));
  }
}

function readMap(given: readonly string[]): HeadingMap {
  const map = new Map<string, string>();
  // A heading may hold a comma: a new pair begins only where a name and = follow one.
  for (const pair of given.flatMap((text) => text.split(/,(?=[a-z_.]+=)/))) {
    const [, column, heading] = /^([a-z_.]+)=(.+)$/s.exec(pair.trim()) ?? [];
    if (column === undefined || heading === undefined) {
      throw wrong(`--map takes pairs such as gtin=UPC,store=Location, received "${pair.slice(0, 60)}".`);
    }
    if (map.has(column)) throw wrong(`--map names the column "${column}" twice.`);
    map.set(column, heading);
  }
  return map;
}

function readAsOf(text: string): number {
  const ms = readTime(text, "iso");
  if (ms !== null) return ms;
  throw wrong(`--as-of takes ${timeExamples.iso}, received "${text.slice(0, 40)}".`);
}

function needed(flag: string, value: string | undefined): string {
  if (value !== undefined && value !== "") return value;
  throw wrong(`${flag} is missing.`);
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw wrong(`${flag} takes ${allowed.join(", ")}, received "${value.slice(0, 40)}".`);
}

function wrong(message: string): InvError {
  return new InvError("bad-argument", message);
}

function columnLines(columns: readonly Column[]): string {
  return columns
    .map(
      ({ name, meaning, needed: need }) =>
        `                         ${(need ? name : `[${name}]`).padEnd(17)} ${meaning}`,
    )
    .join("\n");
}
