/**
 * What the places of a snapshot show after the refresh: read when the host has calculated, and where it still shows a
 * result as being on its way, once more a little later.
 */
import { type Clock, pause } from "../../engine/clock";
import { areasAround, bySheet } from "../cell-areas";
import type { Area, CellContent, CellRef, Workbook } from "../port";
import { isPending } from "../still-waiting";
import type { Snapshot } from "./snapshot";
import type { Touched } from "./touched";

/** Results that were told to Excel are in the sheet within this time, unless it is busy. */
const settleMs = 500;
/** When cells are looked at again that Excel still showed as waiting. */
const againMs = 3_000;
/** Longer than a calculation lasts; a host that never rests is read as it is. */
const longestCalculationMs = 30_000;

type Cells = CellContent[][];

interface Host {
  readonly workbook: Workbook;
  readonly clock: Clock;
}

/** The cells of the snapshot's blocks; none where they may stand anywhere. */
export async function readAgain(host: Host, snapshot: Snapshot, touched: Touched): Promise<Cells[]> {
  const { workbook, clock } = host;
  await calculated(host);
  await pause(clock, settleMs);
  if (touched.isAnywhere) return [];
  const areas = snapshot.blocks.map(({ area }) => ({ ...area, sheet: touched.sheetNow(area.sheet) }));
  const found = await workbook.contentsOf(areas);
  const late = pendingPlaces(found, areas, snapshot);
  if (late.length === 0) return found;
  await pause(clock, againMs);
  const blocks = [...bySheet(late)].flatMap(([sheet, refs]) =>
    areasAround(refs).map((block) => ({ sheet, ...block })),
  );
  const again = await workbook.contentsOf(blocks);
  return found.map((rows, index) => patched(rows, areas[index], { blocks, again }));
}

/** Waits for the host, but not for ever. */
function calculated({ workbook, clock }: Host): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(resolve, longestCalculationMs);
    workbook
      .calculated()
      .finally(() => clock.clearTimeout(timer))
      .then(resolve, reject);
  });
}

/** Places that the host shows as waiting. */
function pendingPlaces(found: readonly Cells[], areas: readonly Area[], { blocks }: Snapshot): CellRef[] {
  const late: CellRef[] = [];
  for (const [index, rows] of found.entries()) {
    const area = areas[index];
    const owners = blocks[index]?.owners;
    for (const [r, row] of rows.entries()) {
      for (const [c, content] of row.entries()) {
        if (!area || !isPending(content) || (owners?.[r * area.cols + c] ?? -1) < 0) continue;
        late.push({ sheet: area.sheet, row: area.row + r, col: area.col + c });
      }
    }
  }
  return late;
}

/** The cells of an area with what was read of it later. */
function patched(
  rows: Cells,
  area: Area | undefined,
  { blocks, again }: { readonly blocks: readonly Area[]; readonly again: readonly Cells[] },
): Cells {
  for (const [index, block] of blocks.entries()) {
    if (block.sheet !== area?.sheet) continue;
    for (const [r, line] of (again[index] ?? []).entries()) {
      const row = rows[block.row + r - area.row];
      for (const [c, content] of line.entries()) {
        const col = block.col + c - area.col;
        if (row !== undefined && col >= 0 && col < area.cols) row[col] = content;
      }
    }
  }
  return rows;
}
