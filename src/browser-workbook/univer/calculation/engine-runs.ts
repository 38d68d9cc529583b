/**
 * Follows the engine's calculations, each of which runs in one piece, so that nobody edits a cell meanwhile. Adds what the
 * engine misses: formulas that refer to cells which arrays have filled or left, and arrays that were blocked. Invariant: what a
 * calculation left undone, because it failed or another one was requested before it began, is calculated with the next one.
 */
import {
  type ICellData,
  ICommandService,
  type IObjectMatrixPrimitiveType,
  type IRange,
  type IUnitRange,
  type Nullable,
  requestImmediateMacroTask,
} from "@univerjs/core";
import {
  FormulaDataModel,
  FormulaExecuteStageType,
  type IAllRuntimeData,
  ICalculateFormulaService,
  IDependencyManagerService,
  IFormulaRuntimeService,
  type ISetFormulaCalculationStartMutation,
  SetFormulaCalculationStartMutation,
} from "@univerjs/preset-sheets-core";
import type { CellPlace } from "../../functions/cell-values";
import type { Grid } from "../grid";
import { type BrokenFormulas, patchBrokenFormulas } from "../patches/patch-broken-formulas";
import { type BlockedArrays, patchSpills } from "../patches/patch-spills";
import { growSheetsForSpills } from "../sheet-size";
import { dirtyRanges } from "./dirty-ranges";

export interface EngineRuns {
  /**
   * Calculates these cells and the formulas that depend on them.
   * @param changedNames by workbook, names whose formulas the engine must read again
   */
  calculate(
    ranges: readonly IUnitRange[],
    changedNames?: ISetFormulaCalculationStartMutation["dirtyDefinedNameMap"],
  ): void;
  /** Arrays that found a cell in their way. */
  readonly blocked: BlockedArrays;
  readonly broken: BrokenFormulas;
  /** True while a calculation is under way, or the next one is due. */
  readonly isBusy: boolean;
}

export interface EngineRunsOptions {
  readonly onStart: () => void;
  /** A failed calculation may have calculated nothing. */
  readonly onEnd: (hasFailed: boolean) => void;
}

/**
 * For the engine's configuration. It pauses after each `intervalCount` formulas, the first one included, with `index %
 * intervalCount === 0`, which is never true for this.
 */
export const inOnePiece = { intervalCount: "no pause" as unknown as number };

/** Arrays that depend on arrays settle within these; RANDARRAY, which changes each time, never does. */
const maxFollowUps = 5;

export function createEngineRuns(grid: Grid, { onStart, onEnd }: EngineRunsOptions): EngineRuns {
  const commands = grid.injector.get(ICommandService);
  const service = grid.injector.get(ICalculateFormulaService);
  const model = grid.injector.get(FormulaDataModel);
  const dependencies = grid.injector.get(IDependencyManagerService);
  const runtime = grid.injector.get(IFormulaRuntimeService);
  const blocked = patchSpills(grid);
  let state: "idle" | "running" | "ending" = "idle";
  let hasFailed = false;
  /** What was last asked for, until it is calculated. */
  let unfinished: ISetFormulaCalculationStartMutation | null = null;
  /** Ranges of arrays since the last start, to find those whose formula was deleted. */
  let spilledBefore = spilledRanges(model);
  let changedCells: IUnitRange[] = [];
  let followUps = 0;
  let isFollowUp = false;

  const broken = patchBrokenFormulas(grid, () => (hasFailed = true));
  commands.beforeCommandExecuted(({ id, params }) => {
    if (id !== SetFormulaCalculationStartMutation.id) return;
    const next = params as ISetFormulaCalculationStartMutation;
    // The engine replaces what it was asked for before, also if it hasn't begun.
    if (unfinished !== null) addUndone(next, unfinished);
    const changed = [...next.dirtyRanges, ...vanishedSpills()];
    next.dirtyRanges = [...changed, ...blocked.within(changed)];
    // A failed one may have left formulas without their references.
    if (hasFailed) dependencies.reset();
    unfinished = next;
    hasFailed = false;
    broken.begin(isFollowUp);
    if (!isFollowUp) followUps = 0;
  });
  service.executionInProgressListener$.subscribe(({ stage }) => {
    if (stage === FormulaExecuteStageType.START) start();
    // This event comes just before the grid applies the results.
    if (stage !== FormulaExecuteStageType.CALCULATION_COMPLETED) return;
    const found = runtime.getAllRuntimeData();
    changedCells = [...changedSpills(model, found), ...broken.tried()];
    growSheetsForSpills(grid, found.arrayFormulaRange);
  });
  service.executionCompleteListener$.subscribe(() => {
    if (state !== "running") return;
    state = "ending";
    if (!hasFailed) unfinished = null;
    // The grid has applied the results. An array may have been deleted since the start, or may be before the end.
    spilledBefore = [...spilledBefore, ...spilledRanges(model)];
    // The engine cleans up after this event.
    requestImmediateMacroTask(end);
  });

  function start(): void {
    state = "running";
    changedCells = [];
    onStart();
    // The whole calculation is over in the next turn. If it isn't, the engine has failed and the page shows its error.
    window.setTimeout(() => {
      if (state !== "running") return;
      hasFailed = true;
      end();
    });
  }

  function end(): void {
    state = "idle";
    if (!hasFailed) followUp();
    onEnd(hasFailed);
  }

  /** Calculates the formulas that refer to cells which arrays have filled. */
  function followUp(): void {
    if (changedCells.length === 0 || followUps === maxFollowUps) return;
    dependencies.openKdTree();
    const { size } = dependencies.searchDependency(changedCells);
    dependencies.closeKdTree();
    if (size === 0 && blocked.within(changedCells).length === 0) return;
    followUps += 1;
    isFollowUp = true;
    calculate(changedCells);
    isFollowUp = false;
  }

  function vanishedSpills(): IUnitRange[] {
    const before = spilledBefore;
    spilledBefore = spilledRanges(model);
    const present = new Set(spilledBefore.map((range) => JSON.stringify(range)));
    return before.filter((range) => !present.has(JSON.stringify(range)));
  }

  function calculate(...[ranges, dirtyDefinedNameMap = {}]: Parameters<EngineRuns["calculate"]>): void {
    const nothingElse = {
      dirtyNameMap: {},
      dirtyDefinedNameMap,
      dirtySuperTableMap: {},
      dirtyUnitFeatureMap: {},
      dirtyUnitOtherFormulaMap: {},
      clearDependencyTreeCache: {},
    };
    commands.syncExecuteCommand(
      SetFormulaCalculationStartMutation.id,
      { dirtyRanges: [...ranges], ...nothingElse, forceCalculation: false, options: null },
      { onlyLocal: true },
    );
  }

  return {
    calculate,
    blocked,
    broken,
    get isBusy() {
      return state !== "idle";
    },
  };
}

const maps = [
  "dirtyNameMap",
  "dirtyDefinedNameMap",
  "dirtySuperTableMap",
  "dirtyUnitFeatureMap",
  "dirtyUnitOtherFormulaMap",
  "clearDependencyTreeCache",
] as const satisfies readonly (keyof ISetFormulaCalculationStartMutation)[];

function addUndone(
  next: ISetFormulaCalculationStartMutation,
  undone: ISetFormulaCalculationStartMutation,
): void {
  next.dirtyRanges = [...next.dirtyRanges, ...undone.dirtyRanges];
  next.forceCalculation ||= undone.forceCalculation;
  Object.assign(next, Object.fromEntries(maps.map((map) => [map, joined(undone[map], next[map])])));
}

/** Joins maps of maps. */
function joined(one: unknown, other: unknown): unknown {
  if (!isMap(one) || !isMap(other)) return other ?? one;
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(keys.map((key) => [key, joined(one[key], other[key])]));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Finds the cells beside an array formula's own that a calculation has changed. The engine orders formulas by the cells
 * that contain formulas, and afterwards calculates those that refer to filled cells once more. It misses cells that an array
 * no longer fills, cells that arrays fill in this second round, and formulas that refer to one array's own cell and to
 * another one's filled cells.
 * @param model the state before the calculation
 */
function changedSpills(
  model: Pick<FormulaDataModel, "getArrayFormulaRange" | "getArrayFormulaCellData">,
  found: Pick<IAllRuntimeData, "unitData" | "arrayFormulaRange" | "arrayFormulaCellData">,
): IUnitRange[] {
  const ranges: IUnitRange[] = [];
  for (const [unitId, sheets] of Object.entries(found.unitData)) {
    const places: CellPlace[] = [];
    for (const [sheetId, calculated] of Object.entries(sheets ?? {})) {
      const before = model.getArrayFormulaRange()[unitId]?.[sheetId];
      const now = found.arrayFormulaRange[unitId]?.[sheetId];
      const valuesBefore = model.getArrayFormulaCellData()[unitId]?.[sheetId];
      const valuesNow = found.arrayFormulaCellData[unitId]?.[sheetId];
      for (const [row, col, range] of [...entries(before), ...entries(now)]) {
        if (calculated.getValue(row, col) === undefined) continue;
        for (const cell of cellsOf(range)) {
          if (cell.row === row && cell.col === col) continue;
          const was = valuesBefore?.[cell.row]?.[cell.col];
          if (!isSame(was, valuesNow?.getValue(cell.row, cell.col))) places.push({ sheetId, ...cell });
        }
      }
    }
    ranges.push(...dirtyRanges(unitId, places));
  }
  return ranges;
}

/** The ranges that arrays fill. */
function spilledRanges(model: Pick<FormulaDataModel, "getArrayFormulaRange">): IUnitRange[] {
  return Object.entries(model.getArrayFormulaRange()).flatMap(([unitId, sheets]) =>
    Object.entries(sheets ?? {}).flatMap(([sheetId, ranges]) =>
      entries(ranges).map(([, , range]) => ({ unitId, sheetId, range: { ...range } })),
    ),
  );
}

type Matrix = Nullable<IObjectMatrixPrimitiveType<IRange>>;

function entries(matrix: Matrix): [row: number, col: number, range: IRange][] {
  const rows = Object.entries((matrix ?? {}) as Record<string, Record<string, IRange>>);
  return rows.flatMap(([row, cols]) =>
    Object.entries(cols).map(([col, range]): [number, number, IRange] => [Number(row), Number(col), range]),
  );
}

function* cellsOf({ startRow, endRow, startColumn, endColumn }: IRange) {
  for (let row = startRow; row <= endRow; row += 1) {
    for (let col = startColumn; col <= endColumn; col += 1) yield { row, col };
  }
}

function isSame(one: Nullable<ICellData>, other: Nullable<ICellData>): boolean {
  return (one?.v ?? null) === (other?.v ?? null);
}
