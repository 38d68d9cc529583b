/**
 * Reads defined names in Excel: the workbook's collection and each sheet's own (documented). INV reads them in
 * pages, because a copied sheet has its own twins of names.
 */
import { InvError } from "../../domain/errors";
import { isTooLarge, officeCode } from "./errors";
import type { ExcelBatches } from "./excel-batches";
import { objectsPerTrip } from "./limits";
import type { DefinedName } from "../port";

/** Limits rereading after somebody adds or deletes names or sheets in the meantime. */
const mostAttempts = 5;
const leastPerPage = 50;

/** A collection of names, as far as INV has read it. */
interface Reading {
  /** Null for the workbook's collection. */
  readonly sheet: string | null;
  readonly collection: Excel.NamedItemCollection;
  found: readonly DefinedName[];
  isWhole: boolean;
}

/** Returns all names; none before ExcelApi 1.7, which introduced a name's formula. */
export async function officeNames(batches: ExcelBatches): Promise<readonly DefinedName[]> {
  if (!batches.supports("1.7")) return [];
  return batches.run(async (context) => {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const names = await readNames(context);
      if (names !== "changed") return names;
    }
    throw new InvError("internal", "The names in this workbook changed while INV read them. Try again.");
  });
}

async function readNames(context: Excel.RequestContext): Promise<readonly DefinedName[] | "changed"> {
  const { names, worksheets } = context.workbook;
  worksheets.load("items/name");
  await context.sync();
  const ofWorkbook = readingOf(null, names);
  let readings = [ofWorkbook, ...worksheets.items.map((sheet) => readingOf(sheet.name, sheet.names))];
  let perPage = objectsPerTrip;
  for (;;) {
    const open = readings.filter(({ isWhole }) => !isWhole);
    if (open.length === 0) return readings.flatMap(({ found }) => found);
    try {
      if ((await readPages(context, open, perPage)) === "changed") return "changed";
    } catch (error) {
      // Excel for Mac refuses sheet names while another workbook is in front (office-js 6365). Read the workbook's collection,
      // which contains most names.
      if (officeCode(error) === "InvalidSelection" && readings.length > 1) readings = [ofWorkbook];
      else if (officeCode(error) === "ItemNotFound") return "changed";
      else if (isTooLarge(error) && perPage > leastPerPage) perPage = Math.floor(perPage / 4);
      else throw error;
    }
  }
}

function readingOf(sheet: string | null, collection: Excel.NamedItemCollection): Reading {
  return { sheet, collection, found: [], isWhole: false };
}

/**
 * Reads the next page of each collection in one round trip. Half of the page is for the first collection, which has the most
 * names. Each page begins with the last name of the previous page, which shows whether names were added or deleted in the
 * meantime.
 */
async function readPages(
  context: Excel.RequestContext,
  readings: readonly Reading[],
  perPage: number,
): Promise<"read" | "changed"> {
  const others = readings.length - 1;
  const pages = readings.map((reading, index) => {
    const top = Math.ceil(others === 0 ? perPage : perPage / 2 / (index === 0 ? 1 : others)) + 1;
    const skip = Math.max(0, reading.found.length - 1);
    reading.collection.load({ name: true, formula: true, $top: top, $skip: skip });
    return { reading, top };
  });
  await context.sync();
  for (const { reading, top } of pages) {
    const { sheet, collection, found } = reading;
    const names = collection.items.map(({ name, formula }) => ({ name, sheet, formula: formulaOf(formula) }));
    if (found.length > 0 && names[0]?.name !== found.at(-1)?.name) return "changed";
    reading.found = [...found.slice(0, -1), ...names];
    // If the answer contains more than requested, this Excel doesn't support pages, and these are all names.
    reading.isWhole = names.length !== top;
  }
  return "read";
}

/** Returns "" for a name without a formula: Excel may then return a value that isn't text. */
function formulaOf(formula: unknown): string {
  return typeof formula === "string" ? formula : "";
}
