/** Parses the command line of the import, and writes its help text. */
import { z } from "zod";
import { helpLines, readFlags } from "../settings/flags";
import { timeFlag } from "../stock-file/stock-flags";
import { timeExamples, timeStyles } from "../stock-file/times";
import { type Column, eventsExport, faultOfMap, inventoryExport } from "./columns";
import { encodings } from "./decode";
import type { ImportOptions } from "./run-import";

const headingMap = z.array(z.string()).transform((given, context) => {
  const map = new Map<string, string>();
  const fault = (message: string) => context.issues.push({ code: "custom", message, input: given });
  // A heading may contain a comma, so only a comma before a name and = separates pairs.
  for (const pair of given.flatMap((text) => text.split(/,(?=[a-z_.]+=)/))) {
    const [, column, heading] = /^([a-z_.]+)=(.+)$/s.exec(pair.trim()) ?? [];
    if (column === undefined || heading === undefined) fault("must be pairs such as gtin=UPC,store=Location");
    else if (map.has(column)) fault(`names the column "${column}" twice`);
    else map.set(column, heading);
  }
  const unknown = faultOfMap(map);
  if (unknown !== null) fault(unknown);
  return map;
});

const importFlags = z.strictObject({
  into: z.string().min(1).meta({ description: "the stock file to make, or to replace", sample: "FILE" }),
  inventory: z
    .string()
    .min(1)
    .meta({ description: "the export of counts; its columns are below", sample: "CSV" }),
  events: z.string().nullable().default(null).meta({
    description: "the export of events, if there is one",
    sample: "CSV",
  }),
  supplier: z.string().trim().min(1).max(100).meta({
    description: "whose figures they are",
    allowed: "a name of 1 to 100 characters",
    sample: "NAME",
  }),
  map: headingMap.prefault([]).meta({
    description: "the column A has the heading B: --map gtin=UPC,events.quantity=Moved",
    sample: "A=B,…",
  }),
  dates: z
    .enum(timeStyles)
    .default("iso")
    .meta({ description: "how times are written; see below", sample: "STYLE" }),
  decimal: z.enum(["point", "comma"]).optional().meta({
    description: "point or comma before decimals (default point, but 1.234 is refused until you say so)",
    sample: "MARK",
  }),
  asOf: timeFlag.nullable().default(null).meta({
    description: "when the counts were true, where the file does not say; as 2026-11-20T05:58, UTC",
    sample: "TIME",
  }),
  encoding: z
    .enum(encodings)
    .optional()
    .meta({
      description: `of files without a byte order mark: ${encodings.join(", ")} (default utf-8)`,
      sample: "NAME",
    }),
  skipBad: z
    .boolean()
    .default(false)
    .meta({ description: "import the good rows although there are bad ones" }),
  allowShrink: z.boolean().default(false).meta({
    description: "replace the file although fewer than half of its rows are left",
  }),
  help: z.boolean().default(false).meta({ description: "this text" }),
});

export const importUsage = [
  'npm run service:import -- --into stock.db --inventory inventory.csv --supplier "ACME" [flags]',
  "",
  ...helpLines(importFlags),
  "",
  "Columns of --inventory, by their headings:",
  ...columnLines(inventoryExport.columns),
  "Columns of --events:",
  ...columnLines(eventsExport.columns),
  "Styles of --dates:",
  ...timeStyles.map((style) => `  ${style.padEnd(15)}  ${timeExamples[style]}`),
  "",
].join("\n");

/** @throws ConfigError that says which flag is wrong and what it takes */
export function readImportFlags(args: readonly string[]): ImportOptions | "help" {
  if (args.includes("--help")) return "help";
  const { dates, decimal = null, asOf, encoding = null, ...flags } = readFlags(importFlags, args).flags;
  return { ...flags, encoding, rules: { times: dates, decimal, asOfMs: asOf } };
}

function columnLines(columns: readonly Column[]): readonly string[] {
  return columns.map(
    ({ name, meaning, needed }) => `  ${(needed ? name : `[${name}]`).padEnd(15)}  ${meaning}`,
  );
}
