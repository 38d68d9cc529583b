/**
 * Recalculating exactly the given cells in Excel: they are merged into areas, marked dirty, then
 * calculated. Calculation mode and everybody else's formulas are left alone (Application.calculate would
 * run those as well). What cannot be marked, for a sheet that is gone or protected, costs the other
 * sheets nothing.
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
  for (const together of portions(lists)) {
    try {
      await mark(context, together);
    } catch {
      await markSheetBySheet(context, together);
    }
  }
}

async function mark(context: Excel.RequestContext, lists: readonly AreaList[]): Promise<void> {
  const areas = lists.map(({ sheet, address }) =>
    context.workbook.worksheets.getItem(sheet).getRanges(address),
  );
  for (const each of areas) each.setDirty();
  for (const each of areas) each.calculate();
  await context.sync();
}

/** After a failure: every sheet that can be marked is; then the first failure is told. */
async function markSheetBySheet(context: Excel.RequestContext, lists: readonly AreaList[]): Promise<void> {
  const failures: unknown[] = [];
  for (const sheet of new Set(lists.map((list) => list.sheet))) {
    try {
      const own = lists.filter((list) => list.sheet === sheet);
      await mark(context, own);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw fromOfficeError(failures[0]);
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
