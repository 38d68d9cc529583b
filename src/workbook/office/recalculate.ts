/**
 * Recalculating the given cells in Excel: they are merged into areas and marked dirty. In automatic mode
 * Excel then calculates what is dirty, and all that depends on it, however many steps away; a range's own
 * `calculate` reaches the next formulas only (reported). In manual mode only that is used, so that formulas
 * whose owner waits for F9 stay as they are. What cannot be marked, for a sheet that is gone or protected,
 * costs the other sheets nothing.
 */
import { areaAddress } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import { fromOfficeError } from "./errors";
import type { CellRef } from "../port";

/** Excel refuses lists of areas longer than some 8,190 characters (tried by users on Windows and the web). */
const addressLength = 2_000;
/** Characters of addresses in one round trip. */
const addressesPerSync = 500_000;

interface AreaList {
  readonly sheet: string;
  /** `C2:C500,E2:E500` */
  readonly address: string;
}

export async function recalculateInOffice(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
): Promise<void> {
  const lists = [...bySheet(cells)].flatMap(([sheet, refs]) => areaLists(sheet, refs));
  if (lists.length === 0) return;
  const { application } = context.workbook;
  const failures: unknown[] = [];
  const marked: AreaList[][] = [];
  for (const together of portions(lists)) marked.push(await markAll(context, together, failures));
  if (marked.flat().length === 0) throw fromOfficeError(failures[0]);
  if (application.calculationMode === "Manual") {
    for (const together of marked) {
      for (const areas of areasOf(context, together)) areas.calculate();
      await context.sync();
    }
  } else {
    application.calculate("Recalculate");
    await context.sync();
  }
  if (failures.length > 0) throw fromOfficeError(failures[0]);
}

/** Marks these together, or else sheet by sheet: every sheet that can be marked is. Returns what was. */
async function markAll(
  context: Excel.RequestContext,
  lists: readonly AreaList[],
  failures: unknown[],
): Promise<AreaList[]> {
  try {
    await mark(context, lists);
    return [...lists];
  } catch {
    const marked: AreaList[] = [];
    for (const sheet of new Set(lists.map((list) => list.sheet))) {
      const own = lists.filter((list) => list.sheet === sheet);
      try {
        await mark(context, own);
        marked.push(...own);
      } catch (error) {
        failures.push(error);
      }
    }
    return marked;
  }
}

/** What is asked for with the mark comes with it: a batch that fails delivers nothing. */
async function mark(context: Excel.RequestContext, lists: readonly AreaList[]): Promise<void> {
  context.workbook.application.load("calculationMode");
  for (const areas of areasOf(context, lists)) areas.setDirty();
  await context.sync();
}

function areasOf(context: Excel.RequestContext, lists: readonly AreaList[]): Excel.RangeAreas[] {
  return lists.map(({ sheet, address }) => context.workbook.worksheets.getItem(sheet).getRanges(address));
}

function areaLists(sheet: string, refs: readonly CellRef[]): AreaList[] {
  const addresses: string[] = [];
  for (const block of mergeCells(refs)) {
    const address = areaAddress(block);
    const last = addresses.length - 1;
    const longer = `${addresses[last] ?? ""},${address}`;
    if (last >= 0 && longer.length <= addressLength) addresses[last] = longer;
    else addresses.push(address);
  }
  return addresses.map((address) => ({ sheet, address }));
}

function portions(lists: readonly AreaList[]): AreaList[][] {
  const portions: AreaList[][] = [];
  let characters = Infinity;
  for (const list of lists) {
    if (characters + list.address.length > addressesPerSync) {
      portions.push([]);
      characters = 0;
    }
    portions.at(-1)?.push(list);
    characters += list.address.length;
  }
  return portions;
}
