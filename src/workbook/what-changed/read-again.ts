/**
 * Reads what the places of a snapshot show after the refresh, once the host has calculated. Waiting cells are read once more a
 * little later.
 */
import { type Clock, pause } from "../../engine/clock";
import type { CellContent, Workbook } from "../port";
import { isPending } from "../still-waiting";
import type { PlaceBlock, Snapshot } from "./snapshot";
import type { EditedAreas } from "./edited-areas";

/** Excel shows results within this time, unless it is busy. */
const settleMs = 500;
/** Pause before waiting cells are read again. */
const againMs = 3_000;
/** Longest wait for a calculation. Afterwards, cells are read in their current state. */
const longestCalculationMs = 30_000;

type Cells = CellContent[][];

interface Host {
  readonly workbook: Workbook;
  readonly clock: Clock;
}

/** Returns the cells of the snapshot's blocks; none if they may have moved anywhere. */
export async function readAgain(host: Host, snapshot: Snapshot, edits: EditedAreas): Promise<Cells[]> {
  const { workbook, clock } = host;
  await calculated(host);
  await pause(clock, settleMs);
  if (edits.isAnywhere) return [];
  const areas = snapshot.blocks.map(({ area }) => ({ ...area, sheet: edits.sheetNow(area.sheet) }));
  const found = await workbook.contentsOf(areas);
  const isLate = found.map((rows, index) => hasPending(rows, snapshot.blocks[index]));
  if (!isLate.includes(true)) return found;
  await pause(clock, againMs);
  const again = await workbook.contentsOf(areas.filter((_, index) => isLate[index]));
  return found.map((rows, index) => (isLate[index] ? (again.shift() ?? rows) : rows));
}

/** Waits for the host's calculation, but not forever. */
function calculated({ workbook, clock }: Host): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(resolve, longestCalculationMs);
    workbook
      .calculated()
      .finally(() => clock.clearTimeout(timer))
      .then(resolve, reject);
  });
}

function hasPending(rows: Cells, block: PlaceBlock | undefined): boolean {
  const cols = block?.area.cols ?? 0;
  return rows.some((row, r) =>
    row.some((content, c) => isPending(content) && (block?.owners[r * cols + c] ?? -1) >= 0),
  );
}
