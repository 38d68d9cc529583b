/**
 * Connects the table of settled calls and the recalculation with the grid's formula engine: what the
 * engine begins and ends, what people edit, and how a calculation of given cells is started.
 * Invariant: a cell whose calls have all settled does not stay pending; what a calculation missed is
 * found once the grid is quiet and calculated again.
 */
import { CommandType, type ICommandInfo, ICommandService } from "@univerjs/core";
import {
  RemoveSheetMutation,
  SetFormulaCalculationStartMutation,
  SetRangeValuesMutation,
  TriggerCalculationController,
} from "@univerjs/preset-sheets-core";
import { createNotices } from "../../../domain/notices";
import { type CellPlace, pendingText, placeKey } from "../../functions/cell-values";
import { createRecalculation } from "../../functions/recalculation";
import type { SettledCalls } from "../../functions/settled-calls";
import { inSlices } from "../../slices";
import type { Grid } from "../create-grid";
import { dirtyRanges, nothingElse } from "./dirty-ranges";
import { editedCells } from "../edits/edited-cells";
import { movingMutations } from "../edits/grid-edits";
import type { BlockedArrays } from "../patches/patch-spills";
import { createEngineRuns } from "./engine-runs";

export interface EngineCalculation {
  /** Calls the cells' functions again; dependents follow. Cells show what they had until the answers come, or `#BUSY!`. */
  recalculate(places: readonly CellPlace[], options?: { readonly hidesValues: boolean }): void;
  /** True while anything is asked for, calculated, or about to be. */
  readonly busy: boolean;
  /** Nothing is calculated until `resume`. */
  pause(): void;
  resume(): void;
  /** Called when a calculation took too long: nothing is calculated until `resume`. */
  onGaveUp(listener: () => void): void;
  /** Arrays that found a cell in their way. */
  readonly blocked: BlockedArrays;
  /** Told when `busy` or the number of waiting cells may have changed. Returns the way to stop. */
  onChange(listener: () => void): () => void;
}

/** The engine calculates 100 ms after the last edit; quiet is a little more than that. */
const quietMs = 180;
const latenessMs = 40;
const mostLateRounds = 3;
/** A calculation that keeps missing a cell means that its formula is gone. */
const longestSearch = 3;

export function createEngineCalculation(grid: Grid, table: SettledCalls): EngineCalculation {
  const commands = grid.injector.get(ICommandService);
  const notices = createNotices();
  const gaveUp = createNotices();
  const missed = new Map<string, number>();
  let quietTimer: number | null = null;
  let stirredAtMs = 0;
  let lateRounds = 0;
  /** Recalculations whose calls are still being made. */
  let renewing = 0;
  // Cells waiting on a calculation, so that a look for missed ones need not read the whole workbook.
  let touched = new Map<string, CellPlace>();

  const recalculation = createRecalculation({
    start: calculate,
    now: () => performance.now(),
    setTimeout: (callback, waitMs) => window.setTimeout(callback, waitMs),
    clearTimeout: (timer) => window.clearTimeout(timer),
    awaitsMore: () => table.pendingCalls > 0,
  });

  function calculate(places: readonly CellPlace[]): void {
    const unitId = grid.api.getActiveWorkbook()?.getId();
    if (unitId === undefined) return;
    commands.syncExecuteCommand(
      SetFormulaCalculationStartMutation.id,
      {
        dirtyRanges: dirtyRanges(unitId, places),
        ...nothingElse(),
        forceCalculation: false,
        options: null,
      },
      { onlyLocal: true },
    );
  }

  function request(place: CellPlace): void {
    touched.set(placeKey(place), place);
    recalculation.request(place);
    stir();
  }

  const runs = createEngineRuns(grid, {
    began() {
      table.beginPass();
      recalculation.calculationStarted();
      stir();
    },
    ended(isStopped) {
      if (!isStopped) table.endPass();
      if (!runs.isBusy) recalculation.calculationEnded();
      stir();
    },
    gaveUp: () => gaveUp.tell(),
  });

  function afterCommand(command: Readonly<ICommandInfo>, local: boolean): void {
    if (command.type !== CommandType.MUTATION) return;
    // Results of calculations are local, edits are not.
    if (command.id === SetRangeValuesMutation.id && !local) {
      const edited = editedCells(command.params);
      for (const place of edited) table.forget(place);
      if (edited.length > 0) runs.stop();
    }
    if (movingMutations.has(command.id)) {
      runs.moved();
      runs.stop();
    }
    if (command.id === RemoveSheetMutation.id) table.forgetSheet(removedSheet(command.params));
    // The engine calculates a moment after any edit; until then the workbook is not at rest.
    stir();
  }

  function stir(): void {
    if (quietTimer !== null) window.clearTimeout(quietTimer);
    stirredAtMs = performance.now();
    quietTimer = window.setTimeout(settle, quietMs);
    notices.tell();
  }

  function settle(): void {
    // Late means that the page was busy, and the engine's own timer may be late too.
    const late = performance.now() - stirredAtMs > quietMs + latenessMs;
    if (late && lateRounds < mostLateRounds) {
      lateRounds += 1;
      stir();
      return;
    }
    lateRounds = 0;
    quietTimer = null;
    if (!recalculation.busy) lookForMissed();
    notices.tell();
  }

  function lookForMissed(): void {
    // Asked once for each sheet: the grid's public API makes anew what it gives.
    const book = grid.api.getActiveWorkbook()?.getWorkbook();
    const showsPending = ({ sheetId, row, col }: CellPlace): boolean =>
      book?.getSheetBySheetId(sheetId)?.getCellRaw(row, col)?.v === pendingText;
    const places = [...touched.values()].filter(showsPending);
    touched = new Map();
    const left = new Map([...places, ...table.unread()].map((place) => [placeKey(place), place]));
    for (const [key, place] of left) {
      if (table.isPending(place)) continue;
      const times = (missed.get(key) ?? 0) + 1;
      missed.set(key, times);
      if (times > longestSearch) table.forget(place);
      else request(place);
    }
    if (left.size === 0) missed.clear();
  }

  /** A calculation only to hear what a cell asks for would take as long as the one that shows the answers. */
  function renew(place: CellPlace): void {
    if (!table.renew(place)) request(place);
  }

  function beginAgain(place: CellPlace): void {
    table.forget(place);
    request(place);
  }

  commands.onCommandExecuted((command, options) => afterCommand(command, options?.onlyLocal === true));
  table.onSettled(request);
  // The engine begins to look for edits when this controller is made: by itself only after the first
  // drawing, which would delay the first values by 300 ms and leave the edits before it unnoticed here.
  grid.injector.get(TriggerCalculationController);

  return {
    blocked: runs.blocked,
    pause: () => runs.pause(),
    resume() {
      runs.resume();
      stir();
    },
    onGaveUp: (listener) => void gaveUp.subscribe(listener),
    recalculate(places, { hidesValues } = { hidesValues: false }) {
      renewing += 1;
      notices.tell();
      void inSlices(places, hidesValues ? beginAgain : renew).then(() => {
        renewing -= 1;
        stir();
      });
    },
    get busy() {
      return quietTimer !== null || recalculation.busy || renewing > 0 || table.pendingCalls > 0;
    },
    onChange: (listener) => notices.subscribe(listener),
  };
}

function removedSheet(params: unknown): string {
  return (params as { readonly subUnitId: string }).subUnitId;
}
