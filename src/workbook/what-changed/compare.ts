/**
 * Compares what INV cells showed before a refresh, in one read, with what INV has returned to them since, by address. Only quantities
 * count, of cells that show what one INV call returned. Loaded with the first refresh.
 * Invariant: a change is listed only if the refresh caused it. So a cell is skipped if somebody typed into it, if it asks for
 * something else now, or if its answer didn't come; and a sheet on which cells moved is left out.
 */
import { queriesOf } from "../../cells/cell-record";
import type { CellRegister, ReturnedValue } from "../../cells/cell-register";
import { isHistory, queryKey } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import { cellKey, cellsOf } from "../addresses";
import { isBlank, isError } from "../cell-content";
import { inTimeSlices } from "../in-time-slices";
import type { Area, CellContent, Workbook } from "../port";
import { invCellOf, type RefreshCell } from "../refresh/scopes";
import { isEqual, readCells } from "../refresh/shown";
import type { EditsSince } from "./edits-since";
import { type ChangedCell, type ChangeReport, mostValues, type ValueChange } from "./report";

export interface ShownBefore {
  readonly cell: RefreshCell;
  /** The cells that the formula filled, and their values row by row. */
  readonly area: Area;
  readonly values: readonly CellContent[];
}

/** Reads the cells of quantities with all that they fill. Returns null if there are too many values. */
export async function readBefore(
  workbook: Pick<Workbook, "extents" | "contentsOf">,
  all: readonly RefreshCell[],
): Promise<readonly ShownBefore[] | null> {
  const compared = all.filter(({ quantities }) => quantities !== null);
  if (compared.length === 0) return [];
  if (compared.length > mostValues) return null;
  const areas = await workbook.extents(compared.map(({ ref }) => ref));
  if (areas.reduce((sum, { rows, cols }) => sum + rows * cols, 0) > mostValues) return null;
  const shown = await readCells(workbook, areas.flatMap(cellsOf));
  return compared.map((cell, index) => {
    const area = areas[index] ?? { ...cell.ref, rows: 1, cols: 1 };
    return { cell, area, values: cellsOf(area).map((ref) => shown.get(cellKey(ref)) ?? null) };
  });
}

interface Comparison {
  readonly clock: Clock;
  readonly cells: CellRegister;
  readonly edits: EditsSince;
  readonly before: readonly ShownBefore[];
  /** The number of the last calculation before the refresh. */
  readonly calculatedBefore: number;
}

export async function compare(comparison: Comparison): Promise<Omit<ChangeReport, "atMs">> {
  const { clock, edits, before } = comparison;
  const changed: ChangedCell[] = [];
  const added: ChangedCell[] = [];
  const movedSheets = new Set<string>();
  await inTimeSlices(clock, before, (shown) => {
    const { area } = shown;
    if (edits.hasMoved(area.sheet)) movedSheets.add(area.sheet);
    else if (!edits.hasTyped(area)) {
      const change = changeOf(comparison, shown);
      if (change !== null) (hadValue(change) ? changed : added).push(change);
    }
  });
  changed.sort((one, other) => differenceOf(other) - differenceOf(one));
  return { changed, added, movedSheets: [...movedSheets], isTooLarge: false };
}

function changeOf(
  { cells, calculatedBefore }: Comparison,
  { cell, area, values }: ShownBefore,
): ChangedCell | null {
  const invCell = invCellOf(cells, cell);
  const returned = invCell?.returned;
  if (invCell === undefined || returned === undefined) return null;
  if (invCell.recalculation <= calculatedBefore) return null;
  const queries = queriesOf(invCell);
  if (!asksForTheSame(cell, queries)) return null;
  const rows = (Array.isArray(returned) ? returned : [[returned]]) as readonly (readonly ReturnedValue[])[];
  const width = rows[0]?.length ?? 0;
  const isPlaced = queries.length === rows.length * width;
  const found: ValueChange[] = [];
  for (const [down, line] of rows.entries()) {
    for (const [right, after] of line.entries()) {
      if (typeof cell.quantities === "number" && cell.quantities !== right) continue;
      const placeQueries = isPlaced ? queries.slice(down * width + right, down * width + right + 1) : queries;
      if (cells.unansweredQueries(placeQueries, invCell.environmentId) !== null) continue;
      const before = right < area.cols ? (values[down * area.cols + right] ?? null) : null;
      if (!isChange(before, after, cell)) continue;
      const place = { sheet: area.sheet, row: area.row + down, col: area.col + right };
      found.push({ ...place, ...itemOf(placeQueries), before, after });
    }
  }
  const [first, ...others] = found;
  if (first === undefined) return null;
  const { sheet, row, col } = area;
  return { cell: { sheet, row, col }, values: [first, ...others], of: rows.length * width };
}

/** Of a cell whose queries couldn't be told before, nobody knows. */
function asksForTheSame({ queries, unpredictable }: RefreshCell, now: readonly Query[]): boolean {
  if (unpredictable > 0) return true;
  const before = new Set(queries.map(queryKey));
  return now.every((query) => before.has(queryKey(query)));
}

/** A quantity is another one, or came, or the service says now that there is none. Blank cells and headings don't count. */
function isChange(
  before: CellContent,
  after: ReturnedValue,
  { showsResult }: Pick<RefreshCell, "showsResult">,
): boolean {
  if (typeof after === "number") return !isEqual(before, after);
  // The formula may be IFNA(…,0).
  if (before === 0 && showsResult === "unless #N/A") return false;
  return typeof before === "number" && (isAbsent(after) || isBlank(after));
}

function hadValue({ values }: ChangedCell): boolean {
  return values.some(({ before }) => typeof before === "number" || isAbsent(before));
}

/** The service answered that there is no such value. */
function isAbsent(content: CellContent): boolean {
  return isError(content) && content.error === "#N/A";
}

/** Returns what all these queries have in common. */
function itemOf(queries: readonly Query[]): { readonly store: string; readonly item: string } {
  const stores = new Set(queries.map(({ storeNumber }) => String(storeNumber)));
  const items = new Set(queries.map((query) => (isHistory(query) ? query.gtin : query.value)));
  const only = (set: ReadonlySet<string>): string => (set.size === 1 ? ([...set][0] ?? "") : "");
  return { store: only(stores), item: only(items) };
}

function differenceOf({ values }: ChangedCell): number {
  return values.reduce((largest, { before, after }) => {
    const isQuantity = typeof before === "number" && typeof after === "number";
    return isQuantity ? Math.max(largest, Math.abs(after - before)) : largest;
  }, 0);
}
