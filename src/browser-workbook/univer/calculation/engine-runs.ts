/**
 * The grid's calculations, one at a time. The engine pauses so that the page takes keys; what is edited in a pause must
 * neither be overwritten by what was found before it, nor make the engine begin another calculation beside the one
 * that runs, because that forgets what the first has found so far (seen: the first thousand results lost).
 * So an edit stops the run, what is asked for during a run waits for its end, and the next run takes along what a
 * stopped one was to do. Invariant: what the engine was once asked to calculate is calculated after that; where
 * the engine fails, with the next that it is asked for.
 */
import { type IUnitRange, LRUMap, requestImmediateMacroTask } from "@univerjs/core";
import {
  FORMULA_REF_TO_ARRAY_CACHE,
  FormulaDataModel,
  FormulaExecutedStateType,
  FormulaExecuteStageType,
  ICalculateFormulaService,
  IDependencyManagerService,
  IFormulaDependencyGenerator,
  type IFormulaDatasetConfig,
  IFormulaRuntimeService,
  IFunctionService,
} from "@univerjs/preset-sheets-core";
import { createPace } from "../../slices";
import type { Grid } from "../create-grid";
import { spareFormulas } from "./blocked-arrays";
import { nothingElse } from "./dirty-ranges";
import { endFailures } from "./engine-failures";
import { easeFormulaTrees } from "./formula-trees";
import { joinedTasks } from "./joined-tasks";
import { changedSpills, spilledRanges } from "./spill-changes";

export interface EngineRuns {
  /** Ends the run under way at its next pause; nothing of it is applied. */
  stop(): void;
  /** Cells have come, gone or moved: what a stopped run was to calculate is told by where it stood, so all is. */
  moved(): void;
  /** True from the first request until nothing runs and nothing is left to be. */
  readonly isBusy: boolean;
}

export interface EngineRunsOptions {
  readonly began: () => void;
  /** A run that was stopped has applied nothing. */
  readonly ended: (isStopped: boolean) => void;
}

/** The grid asks for a calculation 100 ms after an edit; where it does not, what was stopped goes on by itself. */
const goOnAfterMs = 400;
/** Arrays that follow from arrays settle in as many; what is new at each look, as RANDARRAY, never does. */
const mostFollowing = 5;

export function createEngineRuns(grid: Grid, options: EngineRunsOptions): EngineRuns {
  const service = grid.injector.get(ICalculateFormulaService);
  const model = grid.injector.get(FormulaDataModel);
  const execute = service.execute.bind(service);
  const known = grid.injector.get(IDependencyManagerService);
  easeFormulaTrees({
    generator: grid.injector.get(IFormulaDependencyGenerator),
    functions: grid.injector.get(IFunctionService),
    cache: FORMULA_REF_TO_ARRAY_CACHE,
    memory: (most) => new LRUMap(most),
    pause: createPace(requestImmediateMacroTask),
  });
  spareFormulas(grid);
  const runtime = grid.injector.get(IFormulaRuntimeService);
  const found = runtime.getAllRuntimeData.bind(runtime);
  // The engine does not look for a stop where it has nothing to calculate, or finds the last of it: it would say that
  // all is done, and what the run was for would be forgotten, by the grid too.
  runtime.getAllRuntimeData = () => {
    if (runtime.isStopExecution()) runtime.markedAsStopFunctionsExecuted();
    return found();
  };
  let running: IFormulaDatasetConfig | null = null;
  let isEnding = false;
  let hasFailed = false;
  let isMoved = false;
  let left: IFormulaDatasetConfig[] = [];
  let waiting: IFormulaDatasetConfig[] = [];
  /** Where arrays stood when last looked at, so that those are seen whose formula was taken away since. */
  let filled = spilledRanges(model);
  let spilled: IUnitRange[] = [];
  let following = 0;

  endFailures(grid, () => (hasFailed = true));

  service.execute = (task) => {
    following = 0;
    waiting.push(task);
    if (running === null) begin({ isCurrent: true });
    return Promise.resolve();
  };
  service.executionInProgressListener$.subscribe(({ stage }) => {
    // Told just before the grid takes what was found.
    if (stage === FormulaExecuteStageType.CALCULATION_COMPLETED) spilled = changedSpills(model, found());
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
      dirtyRanges: [...joined.dirtyRanges, ...emptied()],
      forceCalculate: joined.forceCalculate || (isMoved && left.length > 0),
    };
    left = [];
    waiting = [];
    isMoved = false;
    running = task;
    hasFailed = false;
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
    isEnding = false;
    if (isStopped) {
      left.push(run);
      // It may know of formulas that were taken away in a pause; the next run hears of all of them anew.
      known.reset();
    } else {
      follow(run);
    }
    options.ended(isStopped);
    if (waiting.length > 0) begin();
    else if (goesOn()) window.setTimeout(goOn, goOnAfterMs);
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
    if (size === 0) return;
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
    return left.length > 0 && !hasFailed;
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
    stop() {
      if (running !== null && !isEnding) service.stopFormulaExecution();
    },
    moved() {
      isMoved = true;
    },
    get isBusy() {
      return running !== null || waiting.length > 0 || goesOn();
    },
  };
}
