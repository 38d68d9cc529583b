/**
 * Reads a supplier's figures from two CSV files: counts (`stock`) and, if there are any, events. Nothing is guessed: UTF-8, commas or
 * semicolons between the columns, the service's own names as headings, a point before decimals, times in UTC.
 * Invariant: either every row of both files is read, or the error names the first faulty ones and counts all.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Info, parse } from "csv-parse";
import { z } from "zod";
import { messageOf } from "../../domain/errors";
import { checkDigitOf, diagnoseGtin } from "../../domain/gtin-hints";
import { mayBeUpcE } from "../../domain/upc-e";
import { createFigures, type Figures } from "../../embedded-service/figures";
import { ConfigError } from "../settings/config-error";

export interface FigureFiles {
  /** Paths of CSV files. */
  readonly stock: string;
  readonly events: string | null;
}

export interface ReadFigures {
  readonly figures: Figures;
  /** Time of the latest count or event, in milliseconds since 1970 UTC. */
  readonly latestMs: number;
  /** What the files contain that may surprise, in sentences without any of their values. */
  readonly warnings: readonly string[];
}

const shownFaults = 20;
const shownCharacters = 40;
/** A quotation mark that is never closed would otherwise gather the rest of the file. */
const mostRowCharacters = 100_000;
const dayMs = 86_400_000;
const rowsBetweenChecks = 1_000;
/** The service answers for today and the six days before it, in UTC. */
const daysBack = 6;

const store = z
  .string()
  .regex(/^\d{2,6}$/, "must be a store number of 2 to 6 digits")
  .transform(Number);
const gtin = z.string().transform((text, context) => {
  const { gtin: digits, findings } = diagnoseGtin(text);
  if (digits !== null) return digits;
  const [finding] = findings;
  // The advice of a formula would be its argument item_type.
  const advice =
    finding?.fault === "nine-digits"
      ? "Nine digits: if it is an item number, write it into the column wm_item_number"
      : (finding?.advice ?? "");
  const message = `must be a GTIN: 14 digits, or 8 or 10 to 13 without leading zeros (${advice})`;
  context.issues.push({ code: "custom", message, input: text });
  return z.NEVER;
});
const area = z.enum(["STORE", "BACKROOM"], "must be STORE or BACKROOM");
const quantity = z
  .string()
  // More digits would lose precision as a number.
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, "must be a number with a point before its decimals, such as 1234.5")
  .transform((text) => Number(text) + 0);
const time = z
  .string()
  .transform((text) => text.replace(" ", "T"))
  .pipe(z.iso.datetime({ local: true, error: "must be a time in UTC, such as 2026-11-20T05:58:00" }))
  .transform((text) => Date.parse(text.endsWith("Z") ? text : `${text}Z`));

const countRow = z.object({
  store_nbr: store,
  // A blank one is allowed beside an item number.
  gtin: z.preprocess((text) => (text === "" ? undefined : text), gtin.optional()),
  wm_item_number: z.string().regex(/^\d{0,32}$/, "must be an item number, digits only"),
  location_area: area,
  state: z.enum(["AVAILABLE", "NET_AVAILABLE"], "must be AVAILABLE or NET_AVAILABLE"),
  quantity,
  last_updated_time: time,
});

const eventRow = z.object({
  store_nbr: store,
  gtin,
  location_area: area,
  event_type: z.string().regex(/^[A-Z0-9]{1,20}$/, "must be an event code such as SALES"),
  event_qty: quantity,
  event_creation_time: time,
  aggregated_qty: quantity,
});

/** @throws ConfigError that says which rows can't be read, or what is wrong with a file */
export async function readFigures(files: FigureFiles, nowMs: number): Promise<ReadFigures> {
  const figures = createFigures();
  const faults = createFaults();
  const wrongCheckDigits = new Set<string>();
  const upcE = new Set<string>();
  let latestMs = 0;
  let oldEvents = 0;
  let events = 0;
  let early = 0;
  const firstDayMs = Math.floor(nowMs / dayMs - daysBack) * dayMs;

  function see(gtinText: string, atMs: number): void {
    latestMs = Math.max(latestMs, atMs);
    if (atMs > nowMs + dayMs) early += 1;
    if (mayBeUpcE(gtinText)) upcE.add(gtinText);
    else if (gtinText !== "" && checkDigitOf(gtinText.slice(0, -1)) !== Number(gtinText.at(-1))) {
      wrongCheckDigits.add(gtinText);
    }
  }

  await readRows(files.stock, { schema: countRow, faults }, (row) => {
    if (row.gtin === undefined && row.wm_item_number === "") {
      return "names no item: gtin and wm_item_number are blank";
    }
    const { gtin: ownGtin = "" } = row;
    see(ownGtin, row.last_updated_time);
    return figures.addCount({ ...row, gtin: ownGtin });
  });
  if (files.events !== null) {
    await readRows(files.events, { schema: eventRow, faults }, (row) => {
      see(row.gtin, row.event_creation_time);
      events += 1;
      if (row.event_creation_time < firstDayMs) oldEvents += 1;
      figures.addEvent(row);
      return null;
    });
  }
  faults.throwIfAny();
  if (figures.items.length === 0) throw new ConfigError(`${JSON.stringify(files.stock)} contains no rows.`);
  return {
    figures,
    latestMs,
    warnings: [
      ...(upcE.size === 0
        ? []
        : [
            `${upcE.size} of the files' GTINs may be UPC-E codes: eight digits that stand for twelve. INV uses them as they are. ` +
              "If the service knows these items by the twelve digits, write those.",
          ]),
      ...(early === 0
        ? []
        : [
            `${early} of the files' times are more than a day ahead of this computer's clock. Check their dates and that they are in UTC.`,
          ]),
      ...(wrongCheckDigits.size === 0
        ? []
        : [
            `${wrongCheckDigits.size} of the files' GTINs have a wrong check digit. INV uses them as they are.`,
          ]),
      ...(oldEvents === 0
        ? []
        : [
            `${oldEvents} of ${events} events are older than ${new Date(firstDayMs).toISOString().slice(0, 10)}. ` +
              "The service answers only for today and the six days before it, so nobody can see them.",
          ]),
    ],
  };
}

interface Faults {
  add(file: string, row: number, detail: string): void;
  throwIfAny(): void;
}

function createFaults(): Faults {
  const first: string[] = [];
  let count = 0;
  return {
    add(file, row, detail) {
      count += 1;
      if (first.length < shownFaults) {
        first.push(`  ${JSON.stringify(basename(file))}, row ${row}, ${detail}`);
      }
    },
    throwIfAny() {
      if (count === 0) return;
      const more = count > first.length ? [`  and ${count - first.length} more.`] : [];
      const rows = count === 1 ? "1 fault" : `${count} faults`;
      throw new ConfigError([`The figures have ${rows}, so INV didn't start:`, ...first, ...more].join("\n"));
    },
  };
}

interface RowRules<Schema extends z.ZodObject> {
  readonly schema: Schema;
  readonly faults: Faults;
}

/** @param add returns null, or what is wrong with the row beside the others */
async function readRows<Schema extends z.ZodObject>(
  file: string,
  { schema, faults }: RowRules<Schema>,
  add: (row: z.output<Schema>) => string | null,
): Promise<void> {
  const columns = Object.keys(schema.shape);
  let headings: readonly string[] | null = null;
  const parserOf = (delimiter: string) =>
    parse({
      delimiter,
      bom: true,
      trim: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: mostRowCharacters,
      // An inch mark in a text without quotation marks around it. INV's own columns refuse it.
      relax_quotes: true,
      relax_column_count: true,
    });

  function checkHeadings(given: readonly string[]): readonly string[] {
    const missing = columns.filter((column) => given.filter((heading) => heading === column).length !== 1);
    if (missing.length === 0) return given;
    throw new Error(`it must have each of these headings once: ${columns.join(", ")}; see ${missing[0]}`);
  }

  function takeLine(fields: readonly string[], row: number): void {
    if (headings === null) {
      headings = checkHeadings(fields);
      return;
    }
    // Excel saves rows that were emptied as delimiters alone.
    if (fields.every((field) => field === "")) return;
    if (fields.length !== headings.length) {
      throw new Error(`row ${row} has ${fields.length} columns, but there are ${headings.length} headings`);
    }
    take(Object.fromEntries(headings.map((heading, place) => [heading, fields[place]])), row);
    if (row % rowsBetweenChecks === 0) checkRoom();
  }

  function take(record: unknown, row: number): void {
    const parsed = schema.safeParse(record);
    if (parsed.success) {
      const fault = add(parsed.data);
      if (fault !== null) faults.add(file, row, fault);
    }
    for (const { path, message } of parsed.error?.issues ?? []) {
      const column = String(path[0]);
      const text = String(Reflect.get(Object(record) as object, column)).slice(0, shownCharacters);
      faults.add(file, row, `${JSON.stringify(column)}: ${message}; it is ${JSON.stringify(text)}`);
    }
  }

  try {
    // A pipe or a device might never end.
    if (!(await stat(file)).isFile()) throw new Error("it isn't a file");
    const parser = parserOf(await separatorOf(file));
    await pipeline(createReadStream(file), decodeUtf8, parser, async (records) => {
      for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: Info }>) {
        takeLine(record, info.records + info.empty_lines);
      }
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `${JSON.stringify(file)} can't be read: ${messageOf(error)}. Save it as CSV UTF-8, with commas or semicolons between the columns.`,
    );
  }
}

/**
 * Excel writes semicolons where the decimal separator is a comma, as in German. INV's headings contain neither, so their
 * line decides, without what is in quotation marks.
 */
async function separatorOf(file: string): Promise<"," | ";"> {
  let start = "";
  for await (const chunk of createReadStream(file, { end: mostRowCharacters })) start += String(chunk);
  const unquoted = start.trimStart().replace(/(^|[,;\r\n])"(?:[^"]|"")*"/g, "$1");
  const [headings = ""] = unquoted.split(/[\r\n]/, 1);
  if (!headings.includes(";")) return ",";
  if (headings.includes(",")) throw new Error("its headings are separated by commas and by semicolons");
  return ";";
}

async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch {
    throw new Error("its text isn't UTF-8");
  }
}

/** The rest is for sorting the events and for serving. */
const mostShare = 0.75;
const bytesOfMegabyte = 1024 * 1024;
/**
 * V8 counts its room for young values into its limit and doesn't tell it: three parts of 16 MB in Node 20 and 22, of 64 in 24, of 32 in
 * 26. The figures live beside it.
 */
const youngBytes = 192 * bytesOfMegabyte;

/**
 * Checks whether the figures still fit into the memory that Node may use. Node would end the process with a page of its own state.
 * @throws ConfigError if the memory is nearly used up
 */
function checkRoom(): void {
  if (hasRoom()) return;
  // Some of it may be garbage that Node hasn't collected yet.
  collectGarbage();
  if (hasRoom()) return;
  const megabytes = Math.round(getHeapStatistics().heap_size_limit / bytesOfMegabyte);
  throw new ConfigError(
    `The figures need more memory than the ${megabytes} MB that Node may use. ` +
      `Set the variable NODE_OPTIONS to --max-old-space-size=${megabytes * 2} and start again, or leave rows out.`,
  );
}

function hasRoom(): boolean {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics();
  return usedBytes <= mostShare * (limitBytes - youngBytes);
}

/** Node has a function for it only in contexts that are made after this flag is set. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
