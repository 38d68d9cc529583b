/**
 * Connects the table of calls and the recalculation with the grid's formula engine: starts and ends of calculations,
 * edits, and calculations of given cells. Invariant: a cell whose calls have all settled does not stay pending.
 */
import { CommandType, type ICommandInfo, ICommandService } from "@univerjs/core";
import {
  IDefinedNamesService,
  IFunctionService,
  InsertSheetMutation,
  type ISetDefinedNameMutationParam,
  RemoveDefinedNameMutation,
  RemoveSheetMutation,
  SetDefinedNameMutation,
  SetRangeValuesMutation,
  SetWorksheetNameMutation,
  TriggerCalculationController,
} from "@univerjs/preset-sheets-core";
import { createNotices } from "../../../domain/notices";
import { unawaited } from "../../../domain/unawaited";
import { definedNamesIn } from "../../../formula/calls";
import type { CellPlace } from "../../functions/cell-values";
import { createRecalculation } from "../../functions/recalculation";
import type { SettledCalls } from "../../functions/settled-calls";
import { inTimeSlices } from "../../../workbook/in-time-slices";
import { pageTurns } from "../../page-turns";
import { createCellReader } from "../cell-reader";
import { editedCells } from "../edits/edited-cells";
import type { Grid } from "../grid";
import { dirtyRanges } from "./dirty-ranges";
import { createEngineRuns, type EngineRuns } from "./engine-runs";

export interface EngineCalculation {
  /** Calls the cells' functions again. Until the answers come, cells keep their values, or show `#BUSY!` if `hidesValues`. */
  recalculate(places: readonly CellPlace[], options?: { readonly hidesValues: boolean }): void;
  /** True while a call or a calculation is under way or due. */
  readonly busy: boolean;
  readonly blocked: EngineRuns["blocked"];
  readonly isCircular: EngineRuns["broken"]["isCircular"];
  /** Calls the listener when `busy` or the number of waiting cells may have changed. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}

const nameMutations: ReadonlySet<string> = new Set([SetDefinedNameMutation.id, RemoveDefinedNameMutation.id]);
/** After these, there may be a sheet that a formula refers to, which was not there before. */
const newSheets: ReadonlySet<string> = new Set([InsertSheetMutation.id, SetWorksheetNameMutation.id]);

/**
 * The engine calculates 100 ms after the last edit, so this is a little longer. On a busy page both timers are late, in the same
 * order.
 */
const quietMs = 180;
/** Requesting this many cells again takes about 10 ms. */
const callsAtOnce = 500;

export function createEngineCalculation(grid: Grid, table: SettledCalls): EngineCalculation {
  const commands = grid.injector.get(ICommandService);
  const notices = createNotices();
  let quietTimer: number | null = null;
  /** Recalculations whose calls are still being made. */
  let renewing = 0;

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
    const names = Object.fromEntries(changedNames.map((name) => [name, ""]));
    runs.calculate(dirtyRanges(unitId, places), { [unitId]: names });
  }

  function request(place: CellPlace): void {
    recalculation.request(place);
    restartQuietTimer();
  }

  const runs = createEngineRuns(grid, {
    onStart() {
      table.beginPass();
      recalculation.calculationStarted();
      restartQuietTimer();
    },
    onEnd(hasFailed) {
      if (!hasFailed) table.endPass();
      if (!runs.isBusy) recalculation.calculationEnded();
      restartQuietTimer();
    },
  });

  function afterCommand(command: Readonly<ICommandInfo>, local: boolean): void {
    if (command.type !== CommandType.MUTATION) return;
    // Results of calculations are local mutations; edits are not.
    if (command.id === SetRangeValuesMutation.id && !local) {
      for (const place of editedCells(command.params)) table.forget(place);
    }
    if (command.id === RemoveSheetMutation.id) table.forgetSheet(removedSheet(command.params));
    if (nameMutations.has(command.id)) {
      const { places, spellings } = formulasWithName(grid, command.params as ISetDefinedNameMutationParam);
      if (places.length > 0) calculate(places, spellings);
    }
    if (newSheets.has(command.id)) for (const place of runs.broken.refused()) recalculation.request(place);
    // The engine calculates a moment after any edit.
    restartQuietTimer();
  }

  function restartQuietTimer(): void {
    if (quietTimer !== null) window.clearTimeout(quietTimer);
    quietTimer = window.setTimeout(() => {
      quietTimer = null;
      notices.tell();
    }, quietMs);
    notices.tell();
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
    isCircular: runs.broken.isCircular,
    recalculate(places, { hidesValues } = { hidesValues: false }) {
      renewing += 1;
      notices.tell();
      const visit = hidesValues ? startOver : renew;
      unawaited(
        inTimeSlices(pageTurns, places, { visit, size: callsAtOnce }).then(() => {
          renewing -= 1;
          restartQuietTimer();
        }),
      );
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

/**
 * Finds the formulas whose name was defined, changed or removed, and has the grid forget what it read of them. It wouldn't read
 * `=Stores*2` again when the name Stores is defined, and would show #NAME? forever. A calculation of these cells reads them again if
 * it names the spellings.
 */
function formulasWithName(grid: Grid, { unitId, name, hidden }: ISetDefinedNameMutationParam) {
  // No formula refers to INV's hidden names.
  if (hidden === true) return { places: [], spellings: [] };
  const changed = new Set([name.toLowerCase()]);
  const all = Object.values(grid.injector.get(IDefinedNamesService).getDefinedNameMap(unitId) ?? {});
  // Names may refer to names.
  for (let size = 0; size < changed.size;) {
    size = changed.size;
    for (const one of all) {
      if (mentions(`=${one.formulaOrRefString}`).length > 0) changed.add(one.name.toLowerCase());
    }
  }
  const places: CellPlace[] = [];
  const spellings = new Set<string>();
  const reader = createCellReader(grid);
  for (const sheet of grid.api.getActiveWorkbook()?.getSheets() ?? []) {
    reader.eachFormula(sheet, (row, col, formula) => {
      const found = mentions(formula);
      if (found.length > 0) places.push({ sheetId: sheet.getSheetId(), row, col });
      for (const each of found) spellings.add(each);
    });
  }
  grid.injector.get(IFunctionService).deleteFormulaAstCacheKey(...spellings);
  return { places, spellings: [...spellings] };

  function mentions(formula: string): readonly string[] {
    return definedNamesIn(formula).filter((each) => changed.has(each.toLowerCase()));
  }
}
