/**
 * Connects the table of calls and the recalculation with the grid's formula engine: starts and ends of calculations,
 * edits, and calculations of given cells. Invariant: a cell whose calls have all settled does not stay pending; once the
 * grid is quiet, cells that a calculation missed are calculated again.
 */
import { CommandType, type ICommandInfo, ICommandService } from "@univerjs/core";
import {
  type ISetDefinedNameMutationParam,
  RemoveDefinedNameMutation,
  RemoveSheetMutation,
  SetDefinedNameMutation,
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
import { dirtyRanges, noOtherChanges } from "./dirty-ranges";
import { formulasWithName } from "./name-changes";
import { editedCells } from "../edits/edited-cells";
import { movingMutations } from "../edits/grid-edits";
import { createEngineRuns, type EngineRuns } from "./engine-runs";

export interface EngineCalculation {
  /** Calls the cells' functions again. Until the answers come, cells keep their values, or show `#BUSY!` if `hidesValues`. */
  recalculate(places: readonly CellPlace[], options?: { readonly hidesValues: boolean }): void;
  /** True while a call or a calculation is under way or due. */
  readonly busy: boolean;
  readonly isPaused: boolean;
  /** Stops calculating until `resume`. */
  pause(): void;
  resume(): void;
  /** Called when a calculation took too long: nothing is calculated until `resume`. */
  onGaveUp(listener: () => void): void;
  readonly blocked: EngineRuns["blocked"];
  readonly isCircular: EngineRuns["isCircular"];
  /** Calls the listener when `busy` or the number of waiting cells may have changed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}

const nameMutations: ReadonlySet<string> = new Set([SetDefinedNameMutation.id, RemoveDefinedNameMutation.id]);

/** The engine calculates 100 ms after the last edit, so this is a little longer. */
const quietMs = 180;
const latenessMs = 40;
const maxLateRounds = 3;
/** If calculations keep missing a cell, its formula is gone. */
const maxSearches = 3;

export function createEngineCalculation(grid: Grid, table: SettledCalls): EngineCalculation {
  const commands = grid.injector.get(ICommandService);
  const notices = createNotices();
  const gaveUp = createNotices();
  const missCounts = new Map<string, number>();
  let quietTimer: number | null = null;
  let quietSinceMs = 0;
  let lateRounds = 0;
  /** Recalculations whose calls are still being made. */
  let renewing = 0;
  // Cells that wait for a calculation, so that the search for missed ones reads only these.
  let requestedCells = new Map<string, CellPlace>();

  const recalculation = createRecalculation({
    start: (places) => calculate(places),
    now: () => performance.now(),
    setTimeout: (callback, waitMs) => window.setTimeout(callback, waitMs),
    clearTimeout: (timer) => window.clearTimeout(timer),
    awaitsMore: () => table.pendingCalls > 0,
  });

  /** @param changedNames names whose formulas the engine must read again */
  function calculate(places: readonly CellPlace[], changedNames: readonly string[] = []): void {
    const unitId = grid.api.getActiveWorkbook()?.getId();
    if (unitId === undefined) return;
    commands.syncExecuteCommand(
      SetFormulaCalculationStartMutation.id,
      {
        dirtyRanges: dirtyRanges(unitId, places),
        ...noOtherChanges(),
        dirtyDefinedNameMap: { [unitId]: Object.fromEntries(changedNames.map((name) => [name, ""])) },
        forceCalculation: false,
        options: null,
      },
      { onlyLocal: true },
    );
  }

  function request(place: CellPlace): void {
    requestedCells.set(placeKey(place), place);
    recalculation.request(place);
    restartQuietTimer();
  }

  const runs = createEngineRuns(grid, {
    onStart() {
      table.beginPass();
      recalculation.calculationStarted();
      restartQuietTimer();
    },
    onEnd(isStopped) {
      if (!isStopped) table.endPass();
      if (!runs.isBusy) recalculation.calculationEnded();
      restartQuietTimer();
    },
    onGiveUp: () => gaveUp.tell(),
  });

  function afterCommand(command: Readonly<ICommandInfo>, local: boolean): void {
    if (command.type !== CommandType.MUTATION) return;
    // Results of calculations are local mutations; edits are not.
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
    if (nameMutations.has(command.id)) {
      const { places, spellings } = formulasWithName(grid, command.params as ISetDefinedNameMutationParam);
      if (places.length > 0) calculate(places, spellings);
    }
    // The engine calculates a moment after any edit.
    restartQuietTimer();
  }

  function restartQuietTimer(): void {
    if (quietTimer !== null) window.clearTimeout(quietTimer);
    quietSinceMs = performance.now();
    quietTimer = window.setTimeout(checkQuiet, quietMs);
    notices.tell();
  }

  function checkQuiet(): void {
    // If this timer is late, the page was busy, and the engine's own timer may be late too.
    const isLate = performance.now() - quietSinceMs > quietMs + latenessMs;
    if (isLate && lateRounds < maxLateRounds) {
      lateRounds += 1;
      restartQuietTimer();
      return;
    }
    lateRounds = 0;
    quietTimer = null;
    if (!recalculation.busy) recalculateMissed();
    notices.tell();
  }

  function recalculateMissed(): void {
    // The grid's public API creates a new object at each call, so this asks once.
    const book = grid.api.getActiveWorkbook()?.getWorkbook();
    const showsPending = ({ sheetId, row, col }: CellPlace): boolean =>
      book?.getSheetBySheetId(sheetId)?.getCellRaw(row, col)?.v === pendingText;
    const places = [...requestedCells.values()].filter(showsPending);
    requestedCells = new Map();
    const missedCells = new Map([...places, ...table.unread()].map((place) => [placeKey(place), place]));
    for (const [key, place] of missedCells) {
      if (table.isPending(place)) continue;
      const times = (missCounts.get(key) ?? 0) + 1;
      missCounts.set(key, times);
      if (times > maxSearches) table.forget(place);
      else request(place);
    }
    if (missedCells.size === 0) missCounts.clear();
  }

  /** Repeats the cell's last calls, because a calculation to find its calls would take as long as the final one. */
  function renew(place: CellPlace): void {
    if (!table.renew(place)) request(place);
  }

  function startOver(place: CellPlace): void {
    table.forget(place);
    request(place);
  }

  commands.onCommandExecuted((command, options) => afterCommand(command, options?.onlyLocal === true));
  table.onSettled(request);
  // The engine watches for edits once this controller exists. By itself it creates it after the first drawing, which
  // would delay the first values by 300 ms and miss earlier edits.
  grid.injector.get(TriggerCalculationController);

  return {
    blocked: runs.blocked,
    isCircular: runs.isCircular,
    get isPaused() {
      return runs.isPaused;
    },
    pause: () => runs.pause(),
    resume() {
      runs.resume();
      restartQuietTimer();
    },
    onGaveUp: (listener) => void gaveUp.subscribe(listener),
    recalculate(places, { hidesValues } = { hidesValues: false }) {
      renewing += 1;
      notices.tell();
      void inSlices(places, hidesValues ? startOver : renew).then(() => {
        renewing -= 1;
        restartQuietTimer();
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
