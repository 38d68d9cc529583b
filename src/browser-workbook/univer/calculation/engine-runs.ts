/**
 * Runs the grid's calculations one at a time. The engine pauses so that the page takes keys. A result must not overwrite
 * an edit that was made in a pause, and a second calculation must not start beside the first, because the engine would
 * lose the first one's results (seen: the first thousand). So an edit stops the run, a request during a run waits for its
 * end, and the next run includes the work of a stopped one. Invariant: whatever the engine was asked to calculate is
 * calculated; if the engine fails, with the next request.
 */
import { type IUnitRange, requestImmediateMacroTask } from "@univerjs/core";
import {
  FormulaDataModel,
  FormulaExecutedStateType,
  FormulaExecuteStageType,
  ICalculateFormulaService,
  IDependencyManagerService,
  type IFormulaDatasetConfig,
  IFormulaRuntimeService,
} from "@univerjs/preset-sheets-core";
import type { CellPlace } from "../../functions/cell-values";
import type { Grid } from "../create-grid";
import { patchBrokenFormulas } from "../patches/patch-broken-formulas";
import { patchDependencyPauses } from "../patches/patch-dependency-pauses";
import { patchFormulaCache } from "../patches/patch-formula-cache";
import { type BlockedArrays, patchSpills } from "../patches/patch-spills";
import { patchStoppedRuns } from "../patches/patch-stopped-runs";
import { replaceMember } from "../patches/replace-member";
import { noOtherChanges } from "./dirty-ranges";
import { growSheetsForSpills } from "../sheet-size";
import { joinTasks } from "./join-tasks";
import { changedSpills, spilledRanges } from "./spill-changes";

export interface EngineRuns {
  /** Ends the current run at its next pause, without applying its results. */
  stop(): void;
  /** Cells were inserted, removed or moved. A stopped run's work refers to old places, so everything is calculated then. */
  moved(): void;
  readonly isPaused: boolean;
  /** Queues all requests until `resume`. */
  pause(): void;
  resume(): void;
  /** Arrays that found a cell in their way. */
  readonly blocked: BlockedArrays;
  /** Whether the cell's formula refers to its own cell, directly or through other cells, or to a formula that does. */
  isCircular(place: CellPlace): boolean;
  /** True while a run is under way or work is queued. */
  readonly isBusy: boolean;
}

export interface EngineRunsOptions {
  readonly onStart: () => void;
  /** A stopped run has applied nothing. */
  readonly onEnd: (isStopped: boolean) => void;
  /** A run took too long. Nothing is calculated until `resume`. */
  readonly onGiveUp: () => void;
}

/** Ten times what 40,000 formulas take. */
const maxRunMs = 60_000;

/** The grid requests a calculation 100 ms after an edit. If it doesn't, the stopped work continues after this time. */
const resumeAfterMs = 400;
/** Arrays that depend on arrays settle within these; RANDARRAY, which changes each time, never does. */
const maxFollowUps = 5;

export function createEngineRuns(grid: Grid, options: EngineRunsOptions): EngineRuns {
  const service = grid.injector.get(ICalculateFormulaService);
  const model = grid.injector.get(FormulaDataModel);
  const execute = service.execute.bind(service);
  const dependencies = grid.injector.get(IDependencyManagerService);
  const runtime = grid.injector.get(IFormulaRuntimeService);
  patchFormulaCache(grid);
  patchDependencyPauses(grid);
  patchStoppedRuns(grid);
  const blocked = patchSpills(grid);
  let running: IFormulaDatasetConfig | null = null;
  let isEnding = false;
  let isPaused = false;
  /** False once a person has asked for a long calculation. */
  let isLimited = true;
  let timeLimit = 0;
  let hasFailed = false;
  let isMoved = false;
  let stoppedTasks: IFormulaDatasetConfig[] = [];
  let queuedTasks: IFormulaDatasetConfig[] = [];
  /** Ranges of arrays at the last look, to find those whose formula was deleted since. */
  let spilledBefore = spilledRanges(model);
  let changedCells: IUnitRange[] = [];
  let followUps = 0;

  const isCircular = patchBrokenFormulas(grid, () => (hasFailed = true));
  replaceMember(service, { of: "CalculateFormulaService", member: "execute" }, () => (task) => {
    followUps = 0;
    queuedTasks.push(task);
    if (running === null && !isPaused) begin({ isCurrent: true });
    return Promise.resolve();
  });
  service.executionInProgressListener$.subscribe(({ stage }) => {
    // This event comes just before the grid applies the results.
    if (stage !== FormulaExecuteStageType.CALCULATION_COMPLETED) return;
    const found = runtime.getAllRuntimeData();
    changedCells = changedSpills(model, found);
    if (!runtime.isStopExecution()) growSheetsForSpills(grid, found.arrayFormulaRange);
  });
  service.executionCompleteListener$.subscribe(({ functionsExecutedState }) => {
    // A stopped run reports its end twice.
    if (running === null || isEnding) return;
    isEnding = true;
    const isStopped = functionsExecutedState === FormulaExecutedStateType.STOP_EXECUTION;
    // The grid has applied the results; a person may delete an array before the run ends.
    if (!isStopped) spilledBefore = spilledRanges(model);
    // The engine cleans up after this event.
    requestImmediateMacroTask(() => end(isStopped));
  });

  /** @param isCurrent whether the task's data was just read, which takes 0.1 s for 40,000 formulas */
  function begin({ isCurrent } = { isCurrent: false }): void {
    const joined = joinTasks([...stoppedTasks, ...queuedTasks]);
    if (joined === null) return;
    const task = {
      ...joined,
      ...(isCurrent ? {} : currentData()),
      dirtyRanges: [...joined.dirtyRanges, ...vanishedSpills(), ...blocked.cells()],
      forceCalculate: joined.forceCalculate || (isMoved && stoppedTasks.length > 0),
    };
    stoppedTasks = [];
    queuedTasks = [];
    isMoved = false;
    running = task;
    hasFailed = false;
    if (isLimited) timeLimit = window.setTimeout(giveUp, maxRunMs);
    options.onStart();
    execute(task).catch((error: unknown) => {
      reportError(error);
      hasFailed = true;
      end(true);
    });
  }

  function end(isStopped: boolean): void {
    if (running === null) return;
    const run = running;
    running = null;
    window.clearTimeout(timeLimit);
    isEnding = false;
    if (isStopped) {
      stoppedTasks.push(run);
      // It may contain formulas that were deleted in a pause, so the next run builds it again.
      dependencies.reset();
    } else {
      queueFollowUp(run);
    }
    options.onEnd(isStopped);
    if (queuedTasks.length > 0 && !isPaused) begin();
    else if (hasStoppedWork()) window.setTimeout(runStoppedTasks, resumeAfterMs);
  }

  function giveUp(): void {
    isPaused = true;
    service.stopFormulaExecution();
    options.onGiveUp();
  }

  function vanishedSpills(): IUnitRange[] {
    const before = spilledBefore;
    spilledBefore = spilledRanges(model);
    const present = new Set(spilledBefore.map((range) => JSON.stringify(range)));
    return before.filter((range) => !present.has(JSON.stringify(range)));
  }

  /** Queues the formulas that refer to cells which arrays have filled. */
  function queueFollowUp(run: IFormulaDatasetConfig): void {
    if (changedCells.length === 0 || followUps === maxFollowUps) return;
    dependencies.openKdTree();
    const { size } = dependencies.searchDependency(changedCells);
    dependencies.closeKdTree();
    if (size === 0 && blocked.cells().length === 0) return;
    followUps += 1;
    queuedTasks.push({
      ...run,
      forceCalculate: false,
      dirtyRanges: changedCells,
      ...noOtherChanges(),
    });
  }

  /** A failed run would fail again, so its work waits for the next request. */
  function hasStoppedWork(): boolean {
    return stoppedTasks.length > 0 && !hasFailed && !isPaused;
  }

  function runStoppedTasks(): void {
    if (running === null && hasStoppedWork()) begin();
  }

  /** Read when a run starts, which may be later than its request. */
  function currentData() {
    return {
      formulaData: model.getFormulaData(),
      arrayFormulaCellData: model.getArrayFormulaCellData(),
      arrayFormulaRange: model.getArrayFormulaRange(),
    };
  }

  return {
    blocked,
    isCircular,
    stop() {
      if (running !== null && !isEnding) service.stopFormulaExecution();
    },
    moved() {
      isMoved = true;
    },
    get isPaused() {
      return isPaused;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      [isPaused, isLimited] = [false, false];
      if (running === null) begin();
    },
    get isBusy() {
      return running !== null || (queuedTasks.length > 0 && !isPaused) || hasStoppedWork();
    },
  };
}
