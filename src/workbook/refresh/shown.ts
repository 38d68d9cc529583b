/**
 * What cells show after they were marked, beside what INV returned to them. Excel may keep the old value of a cell that it has just
 * calculated, lose a result, or show 0 first (reported, office-js 4152, 6930 and 6577). What can be compared is compared: cells that are
 * one INV call, alone or within IFNA. Of others it can only be seen that they still wait.
 */
import type { InvCell, Returned, ReturnedValue } from "../../cells/cell-record";
import { type Clock, pause } from "../../engine/clock";
import { cellKey } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import { isBlank, isError } from "../cell-content";
import type { CellContent, CellRef, Workbook } from "../port";
import { isPending } from "../still-waiting";
import type { RefreshCell } from "./scopes";

/** A host that doesn't answer must not hold up a refresh. */
const readWithinMs = 20_000;

/** Returns what these cells show, in their order; undefined for one that can't be read. */
export async function readShown(
  { workbook, clock }: { readonly workbook: Pick<Workbook, "contentsOf">; readonly clock: Clock },
  refs: readonly CellRef[],
): Promise<readonly (CellContent | undefined)[]> {
  const none = new Map<string, CellContent>();
  const contents = await Promise.race([
    readCells(workbook, refs).catch(() => none),
    pause(clock, readWithinMs).then(() => none),
  ]);
  return refs.map((ref) => contents.get(cellKey(ref)));
}

/** Returns what these cells show, and perhaps what others do, by cell. */
export async function readCells(
  workbook: Pick<Workbook, "contentsOf">,
  refs: readonly CellRef[],
): Promise<ReadonlyMap<string, CellContent>> {
  const areas = areasAround(refs);
  const found = await workbook.contentsOf(areas);
  const contents = new Map<string, CellContent>();
  for (const [index, area] of areas.entries()) {
    visitCells(area, found[index] ?? [], (content, ref) => contents.set(cellKey(ref), content));
  }
  return contents;
}

/** Returns whether a calculated cell shows something else than INV returned to it, or still waits. */
export function showsOther(
  shown: CellContent | undefined,
  { showsResult }: Pick<RefreshCell, "showsResult">,
  invCell: InvCell | undefined,
): boolean {
  if (shown === undefined) return false;
  if (isPending(shown)) return true;
  const returned = firstOf(invCell?.returned);
  if (showsResult === null || returned === undefined) return false;
  // IFNA shows something else then, and the cells of a spill that don't fit show #SPILL!.
  if (showsResult === "unless #N/A" && isFailed(returned)) return false;
  if (isError(shown)) return shown.error !== "#SPILL!" && !isFailed(returned);
  return isFailed(returned) || !isEqual(shown, returned);
}

function firstOf(returned: Returned | undefined): ReturnedValue | undefined {
  return Array.isArray(returned)
    ? (returned as readonly (readonly ReturnedValue[])[])[0]?.[0]
    : (returned as ReturnedValue | undefined);
}

function isFailed(value: ReturnedValue): value is { readonly error: string } {
  return typeof value === "object" && value !== null;
}

/** Excel keeps 15 digits of a number; 12 are surely the same. */
export function isEqual(shown: CellContent, returned: ReturnedValue): boolean {
  if (typeof shown === "number" && typeof returned === "number") {
    return Math.abs(shown - returned) <= 1e-12 * Math.max(Math.abs(shown), Math.abs(returned));
  }
  return shown === returned || (isBlank(shown) && (returned === "" || returned === null));
}
