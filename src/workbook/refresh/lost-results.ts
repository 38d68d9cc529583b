/**
 * After a refresh, looks for cells that the host still shows as #BUSY! although INV has settled them: a
 * result that Excel could not take for 60 seconds is lost, and its cell waits for ever (reported, and read
 * in Microsoft's runtime). Such cells are calculated once more, from values that INV holds, so it costs no
 * call. Twice at most; what stays is handed on, to be told. Knows no engine.
 */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock, TimerId } from "../../engine/clock";
import { cellKey } from "../addresses";
import { type Block, bySheet, mergeCells } from "../cell-areas";
import type { CellRef, Workbook } from "../port";
import { isPending } from "../still-waiting";
import { type Target, useOf } from "./targets";

export interface LostResults {
  /** Cells that were calculated once more. */
  readonly again: number;
  /** Those that the host shows as #BUSY! even so. */
  readonly stuck: readonly CellRef[];
}

export interface LostResultsOptions {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface LostResultsWatch {
  /** Looks after these from now on; tells only when something was lost. */
  begin(targets: readonly Target[], tell: (lost: LostResults) => void): void;
  end(): void;
}

/** Results are on their way to the sheet for a few seconds when Excel is busy. */
const firstLookMs = 5_000;
const nextLookMs = 15_000;
const mostAttempts = 2;
const mostCells = 10_000;
const mostReads = 50;
const mostCellsRead = 300_000;

export function createLostResultsWatch({ workbook, cells, clock }: LostResultsOptions): LostResultsWatch {
  let timer: TimerId = null;
  let current: object | null = null;

  function end(): void {
    clock.clearTimeout(timer);
    current = null;
  }

  /** Settled for INV with an answer, so that calculating it again asks nobody. */
  function isSettled(target: Target): boolean {
    const use = useOf(cells, target);
    return use !== undefined && use.state !== "waiting" && use.owedBecause === null;
  }

  async function shownBusy(targets: readonly Target[]): Promise<readonly Target[]> {
    const busy = new Set<string>();
    for (const [sheet, refs] of bySheet(targets.filter(isSettled).map(({ ref }) => ref))) {
      for (const block of blocksToRead(mergeCells(refs))) {
        const rows = await workbook.contents({ sheet, ...block });
        rows.forEach((line, r) =>
          line.forEach((value, c) => {
            if (isPending(value)) busy.add(cellKey({ sheet, row: block.row + r, col: block.col + c }));
          }),
        );
      }
    }
    return targets.filter((target) => busy.has(cellKey(target.ref)) && isSettled(target));
  }

  return {
    begin(targets, tell) {
      end();
      const watch = {};
      current = watch;
      let attempts = 0;
      let again = 0;

      async function look(suspects: readonly Target[]): Promise<void> {
        const lost = await shownBusy(suspects);
        if (current !== watch) return;
        const refs = lost.slice(0, mostCells).map(({ ref }) => ref);
        if (refs.length === 0 || attempts === mostAttempts) {
          if (again > 0) tell({ again, stuck: refs });
          return;
        }
        attempts += 1;
        again = Math.max(again, refs.length);
        tell({ again, stuck: [] });
        await workbook.recalculate(refs);
        if (current === watch) lookAfter(nextLookMs, lost);
      }

      function lookAfter(waitMs: number, suspects: readonly Target[]): void {
        // A sheet that is gone or protected meanwhile: nothing can be mended there.
        timer = clock.setTimeout(() => void look(suspects).catch(() => undefined), waitMs);
      }

      lookAfter(firstLookMs, targets);
    },
    end,
  };
}

/** Cells that are scattered are read with what lies between them, or, where that is too much, in part. */
function blocksToRead(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length <= mostReads) return blocks;
  const row = Math.min(...blocks.map((block) => block.row));
  const col = Math.min(...blocks.map((block) => block.col));
  const rows = Math.max(...blocks.map((block) => block.row + block.rows)) - row;
  const cols = Math.max(...blocks.map((block) => block.col + block.cols)) - col;
  return rows * cols <= mostCellsRead ? [{ row, col, rows, cols }] : blocks.slice(0, mostReads);
}
