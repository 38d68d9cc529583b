/**
 * The grid's calculations, one at a time. The engine pauses so that the page takes keys; what is edited in a pause must
 * neither be overwritten by what was found before it, nor make the engine begin another calculation beside the one
 * that runs, because that forgets what the first has found so far (seen: the first thousand results lost).
 * So an edit stops the run, what is asked for during a run waits for its end, and the next run takes along what a
 * stopped one was to do. Invariant: what the engine was once asked to calculate is calculated after that; where
 * the engine fails, with the next that it is asked for.
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
import type { Grid } from "../create-grid";
import { patchDependencyPauses } from "../patches/patch-dependency-pauses";
import { patchFailingFormulas } from "../patches/patch-failing-formulas";
import { patchFormulaCache } from "../patches/patch-formula-cache";
import { type BlockedArrays, patchSpills } from "../patches/patch-spills";
import { patchStoppedRuns } from "../patches/patch-stopped-runs";
import { replaceMember } from "../patches/replace-member";
import { nothingElse } from "./dirty-ranges";
import { growSheets } from "./grown-sheets";
import { joinedTasks } from "./joined-tasks";
import { changedSpills, spilledRanges } from "./spill-changes";

export interface EngineRuns {
  /** Ends the run under way at its next pause; nothing of it is applied. */
  stop(): void;
  /** Cells have come, gone or moved: what a stopped run was to calculate is told by where it stood, so all is. */
  moved(): void;
  /** Nothing is calculated until `resume`; what is asked for meanwhile is kept for it. */
  pause(): void;
  resume(): void;
  /** Arrays that found a cell in their way. */
  readonly blocked: BlockedArrays;
  /** True from the first request until nothing runs and nothing is left to be. */
  readonly isBusy: boolean;
}

export interface EngineRunsOptions {
  readonly began: () => void;
  /** A run that was stopped has applied nothing. */
  readonly ended: (isStopped: boolean) => void;
  /** A run took too long: nothing is calculated until `resume`. */
  readonly gaveUp: () => void;
}

/** Ten times what 40,000 formulas take. */
const longestRunMs = 60_000;

/** The grid asks for a calculation 100 ms after an edit; where it does not, what was stopped goes on by itself. */
const goOnAfterMs = 400;
/** Arrays that follow from arrays settle in as many; what is new at each look, as RANDARRAY, never does. */
const mostFollowing = 5;

export function createEngineRuns(grid: Grid, options: EngineRunsOptions): EngineRuns {
  const service = grid.injector.get(ICalculateFormulaService);
  const model = grid.injector.get(FormulaDataModel);
  const execute = service.execute.bind(service);
  const known = grid.injector.get(IDependencyManagerService);
  const runtime = grid.injector.get(IFormulaRuntimeService);
  patchFormulaCache(grid);
  patchDependencyPauses(grid);
  patchStoppedRuns(grid);
  const blocked = patchSpills(grid);
  let running: IFormulaDatasetConfig | null = null;
  let isEnding = false;
  let isPaused = false;
  /** Whoever asks for a long calculation gets it. */
  let isLimited = true;
  let limit = 0;
  let hasFailed = false;
  let isMoved = false;
  let left: IFormulaDatasetConfig[] = [];
  let waiting: IFormulaDatasetConfig[] = [];
  /** Where arrays stood when last looked at, so that those are seen whose formula was taken away since. */
  let filled = spilledRanges(model);
  let spilled: IUnitRange[] = [];
  let following = 0;

  patchFailingFormulas(grid, () => (hasFailed = true));
  replaceMember(service, { of: "CalculateFormulaService", member: "execute" }, () => (task) => {
    following = 0;
    waiting.push(task);
    if (running === null && !isPaused) begin({ isCurrent: true });
    return Promise.resolve();
  });
  service.executionInProgressListener$.subscribe(({ stage }) => {
    // Told just before the grid takes what was found.
    if (stage !== FormulaExecuteStageType.CALCULATION_COMPLETED) return;
    const found = runtime.getAllRuntimeData();
    spilled = changedSpills(model, found);
    if (!runtime.isStopExecution()) growSheets(grid, found.arrayFormulaRange);
  });
  service.executionCompleteListener$.subscribe(({ functionsExecutedState }) => {
    // A stopped run tells its end twice.
    if (running === null || isEnding) return;
    isEnding = true;
    const isStopped = functionsExecutedState === FormulaExecutedStateType.STOP_EXECUTION;
    // The grid has taken what was found; before the run's end a person may take an array away already.
    if (!isStopped) filled = spilledRanges(model);
    // The engine cleans up after it has told.
    requestImmediateMacroTask(() => end(isStopped));
  });

  /** @param isCurrent what the grid gave was read now; it takes a tenth of a second for 40,000 formulas */
  function begin({ isCurrent } = { isCurrent: false }): void {
    const joined = joinedTasks([...left, ...waiting]);
    if (joined === null) return;
    const task = {
      ...joined,
      ...(isCurrent ? {} : currentData()),
      dirtyRanges: [...joined.dirtyRanges, ...emptied(), ...blocked.cells()],
      forceCalculate: joined.forceCalculate || (isMoved && left.length > 0),
    };
    left = [];
    waiting = [];
    isMoved = false;
    running = task;
    hasFailed = false;
    if (isLimited) limit = window.setTimeout(giveUp, longestRunMs);
    options.began();
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
    window.clearTimeout(limit);
    isEnding = false;
    if (isStopped) {
      left.push(run);
      // It may know of formulas that were taken away in a pause; the next run hears of all of them anew.
      known.reset();
    } else {
      follow(run);
    }
    options.ended(isStopped);
    if (waiting.length > 0 && !isPaused) begin();
    else if (goesOn()) window.setTimeout(goOn, goOnAfterMs);
  }

  function giveUp(): void {
    isPaused = true;
    service.stopFormulaExecution();
    options.gaveUp();
  }

  function emptied(): IUnitRange[] {
    const before = filled;
    filled = spilledRanges(model);
    const there = new Set(filled.map((range) => JSON.stringify(range)));
    return before.filter((range) => !there.has(JSON.stringify(range)));
  }

  /** What refers to the cells that arrays fill is calculated after them, once more. */
  function follow(run: IFormulaDatasetConfig): void {
    if (spilled.length === 0 || following === mostFollowing) return;
    known.openKdTree();
    const { size } = known.searchDependency(spilled);
    known.closeKdTree();
    if (size === 0 && blocked.cells().length === 0) return;
    following += 1;
    waiting.push({
      ...run,
      forceCalculate: false,
      dirtyRanges: spilled,
      ...nothingElse(),
    });
  }

  /** A run that failed would fail again: what it was for is left to the next that is asked for. */
  function goesOn(): boolean {
    return left.length > 0 && !hasFailed && !isPaused;
  }

  function goOn(): void {
    if (running === null && goesOn()) begin();
  }

  /** As it is when a run begins, which may be later than when it was asked for. */
  function currentData() {
    return {
      formulaData: model.getFormulaData(),
      arrayFormulaCellData: model.getArrayFormulaCellData(),
      arrayFormulaRange: model.getArrayFormulaRange(),
    };
  }

  return {
    blocked,
    stop() {
      if (running !== null && !isEnding) service.stopFormulaExecution();
    },
    moved() {
      isMoved = true;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      [isPaused, isLimited] = [false, false];
      if (running === null) begin();
    },
    get isBusy() {
      return running !== null || (waiting.length > 0 && !isPaused) || goesOn();
    },
  };
}
