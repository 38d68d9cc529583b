/**
 * The cell register: what each INV formula requested since INV started and how it ended, by cell address. Of formulas that Excel
 * hasn't calculated since INV started, it knows only the addresses, from the last search of the workbook. The functions write it. The
 * refresh uses it to estimate the cost of a scope. The pane uses it to show which cells are stale, failed, or of
 * another environment.
 * A recalculation of a cell has one calculation for each INV function in its formula. Excel begins these in one turn of the event
 * loop, and the first may have its answer at once. A calculation that begins in a later turn, after all others have settled, starts a
 * new recalculation. So does one that begins more than a second later: the formula was edited, or calculated again, and Excel ignores
 * the earlier results. If two recalculations are taken for one, the value seems too old. If Excel begins a formula's second call only
 * when the first has its result, the register knows only the second. So a refresh reads what such a formula needs from its text.
 * Invariants: a cell without a problem in its latest recalculation isn't counted in the problem list. What the pane counts are cells
 * that need answers (`needsAnswers`), and cells with a wrong argument. Age cells (`isAgeCell`) count nowhere.
 */
import { errorTable, type InvError, isUnanswered } from "../domain/errors";
import type { Query } from "../domain/records";
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "../engine/clock";
import { type ProblemList, createProblemList } from "./problem-list";
import {
  type CellReport,
  type CellCallbacks,
  type CellState,
  type InvCell,
  CellRecord,
  needsAnswers,
  type ResultPlace,
  startRecalculation,
} from "./cell-record";
import { createTimeCounts, oldestCells } from "./ages";
import { addProblem, ensureProblemDetails, respellProblems, spilledAddress } from "./problem-details";
import { createUnansweredCells, type ReasonsByQuery, type StaleCell } from "./unanswered-cells";

export type { CellReport, InvCell, ReturnedValue } from "./cell-record";
export type { StaleCell } from "./unanswered-cells";

export interface CellSummary {
  /** Cells that need answers. */
  readonly cells: number;
  /** Those of them without a result. */
  readonly waiting: number;
  /** Whether any cell has no result, whatever it needs. */
  readonly isCalculating: boolean;
  /** Cells with `#N/A`: the service answered that the value doesn't exist. */
  readonly none: number;
  /** Cells with `#VALUE!` because the service didn't answer. */
  readonly unanswered: number;
  /** Cells with `#VALUE!` because of a wrong argument, so nothing was requested. */
  readonly invalidArguments: number;
  /** Cells with `#VALUE!` because the service refused the request, its answer is too large, or INV failed. */
  readonly failed: number;
  /** Settled cells whose latest request wasn't answered, whatever they show. */
  readonly latestUnanswered: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  /**
   * Formulas whose values this session hasn't calculated. Null if nobody knows how many there are: only a search of the workbook can
   * tell that there is none.
   */
  readonly uncalculated: number | null;
}

export type CellRegister = ReturnType<typeof createCellRegister>;

/**
 * Creates a register for up to 200,000 cells. It has one small record per cell, and totals that each change
 * updates, because the pane reads them many times a second.
 */
export function createCellRegister(options: {
  readonly clock: Clock;
  /** The engine's; a register without one knows no reasons. */
  readonly reasons?: ReasonsByQuery;
}) {
  const cells = new Map<string, CellRecord>();
  const notices = createChangeNotices(options.clock);
  const problemList = createProblemList(options);
  /** Number of cells without a result, whatever they need. */
  let calculating = 0;
  /** Number of cells that need answers, and of those of them without a result. */
  let needing = 0;
  let waiting = 0;
  const problems = { absent: 0, "wrong-entry": 0, unanswered: 0, failed: 0 };
  /** Number of changes of cells. */
  let changes = 0;
  /** Number of settled cells whose recalculation got no answer. */
  let unanswered = 0;
  let recalculations = 0;
  let isTurnPlanned = false;
  /** Number of the last recalculation that began before this turn. */
  let lastOfEarlierTurns = Infinity;
  let uncalculated: Map<string, readonly Query[]> | null = null;
  const times = createTimeCounts();
  const unansweredCells = createUnansweredCells({
    ...options,
    cells: () => cells.values(),
    uncalculated: () => uncalculated,
    hasUnanswered: () => unanswered > 0,
    changes: () => changes,
  });

  /** Adds the cell to the totals, or removes it. It changes only while it isn't counted. */
  function total(cell: CellRecord, by: 1 | -1): void {
    const isWaiting = cell.state === "waiting";
    changes += 1;
    if (isWaiting) calculating += by;
    if (needsAnswers(cell)) {
      needing += by;
      if (isWaiting) waiting += by;
    }
    if (isWaiting || cell.isAgeCell) return;
    if (cell.state === "problem" && cell.error !== null) {
      problems[errorTable[cell.error.code].kind] += by;
      if (by === 1) problemList.add(cell, cell.error);
      else problemList.remove(cell, cell.error);
    }
    if (cell.isUnanswered) unanswered += by;
    if (by === 1) times.add(cell);
    else times.remove(cell);
  }

  const uncount = (cell: CellRecord): void => total(cell, -1);

  function count(cell: CellRecord, state: CellState): void {
    cell.state = state;
    total(cell, 1);
    notices.changed();
  }

  /**
   * The cell has requested something, or needs nothing. Rows may have moved since the search, so an empty list doesn't mean that no
   * such formula is left.
   */
  function noteCalculated({ address }: CellRecord): void {
    if (uncalculated?.delete(address) === true && uncalculated.size === 0) uncalculated = null;
  }

  /** A calculation has just reported its first query. */
  function countNeeding(cell: CellRecord): void {
    if (isForgotten(cell)) return;
    noteCalculated(cell);
    needing++;
    if (cell.state === "waiting") waiting++;
    notices.changed();
  }

  function endCalculation(cell: CellRecord): void {
    if (isForgotten(cell)) return;
    noteCalculated(cell);
    uncount(cell);
    cell.openCalculations--;
    if (cell.openCalculations > 0) {
      count(cell, "waiting");
      return;
    }
    const { problem } = cell;
    if (problem === null) count(cell, "value");
    else count(cell, problem.problems === null ? "stale" : "problem");
  }

  function record<T extends string | null>(cell: T, error: InvError, { store, item }: ResultPlace) {
    const problem = { atMs: options.clock.now(), cell, store, item, error };
    problemList.record(problem);
    return problem;
  }

  function noteFailure(cell: CellRecord, error: InvError, place = formulaItself): void {
    if (isForgotten(cell)) return;
    const problem = ensureProblemDetails(cell);
    // A missing value matters more than an old one.
    if (problem.problems === null) problem.error = error;
    if (isUnanswered(error.code)) problem.isUnanswered = true;
    // An age cell may still request something for another part of its formula. Then it counts.
    addProblem(problem, record(spilledAddress(cell.address, place.row, place.col), error, place));
  }

  /** Removes a cell. Later reports of its calculations have no effect. */
  function drop(cell: CellRecord): void {
    uncount(cell);
    cells.delete(cell.address);
    cell.recalculation = forgotten;
  }

  /** Until the next turn, calculations of a cell belong to one recalculation. */
  function beginTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    lastOfEarlierTurns = recalculations;
    options.clock.nextTurn(() => {
      isTurnPlanned = false;
      lastOfEarlierTurns = Infinity;
    });
  }

  const callbacks: CellCallbacks = {
    needsAnswers: countNeeding,
    failed: noteFailure,
    settled: endCalculation,
  };

  /** Receives the reports of calculations whose address the host doesn't provide. */
  const nowhere: CellReport = {
    address: null,
    requests: ignore,
    answered: ignore,
    showsAge: ignore,
    failed: (error, place = formulaItself) => record(null, error, place),
    settled: ignore,
  };

  return {
    /** The reasons why cells have no value. */
    problemList: problemList as ProblemList,
    /** Records that a calculation begins. Without an address, only its problems are recorded. */
    begin(address: string | null, environmentId: string | null): CellReport {
      if (address === null) return nowhere;
      const second = Math.floor(options.clock.steadyNow() / 1_000);
      let cell = cells.get(address);
      if (cell !== undefined && cell.openCalculations > 0 && second - cell.beganAtSecond > 1) {
        drop(cell);
        cell = undefined;
      }
      if (cell === undefined) {
        cell = new CellRecord(address, callbacks);
        cells.set(address, cell);
      } else {
        uncount(cell);
      }
      if (cell.openCalculations > 0 || cell.recalculation > lastOfEarlierTurns) {
        cell.hasSeveralCalls = true;
        cell.returned = undefined;
      } else {
        beginTurn();
        startRecalculation(cell);
        cell.recalculation = ++recalculations;
        cell.beganAtSecond = second;
      }
      cell.openCalculations++;
      cell.environmentId = environmentId;
      count(cell, "waiting");
      return cell;
    },
    get: (address: string): InvCell | undefined => cells.get(address),
    all: (): Iterable<InvCell> => cells.values(),
    /** Number of cells that INV was called for, whatever they need. */
    size: () => cells.size,
    lastRecalculation: () => recalculations,
    /**
     * Formulas whose values this session hasn't calculated, as the last search has found them, with the queries that their text tells; null
     * before a search.
     */
    uncalculated: (): ReadonlyMap<string, readonly Query[]> | null => uncalculated,
    summary: (): CellSummary => ({
      cells: needing,
      waiting,
      isCalculating: calculating > 0,
      none: problems.absent,
      unanswered: problems.unanswered,
      invalidArguments: problems["wrong-entry"],
      failed: problems.failed,
      latestUnanswered: unansweredCells.count(),
      ...times.range(),
      uncalculated: uncalculated?.size ?? null,
    }),
    /** Returns how many settled cells show a value fetched before this time, and at most `maxCells` of them, oldest first. */
    olderThan: (timeMs: number, maxCells: number) => ({
      count: times.countBefore(timeMs),
      cells: oldestCells(cells.values(), timeMs, maxCells),
    }),
    /** Returns why the cell's latest request had no answer, whoever asked for it; null if it had one. */
    unansweredBecause: (cell: InvCell): InvError | null => unansweredCells.because(cell),
    /** Returns the same for some of its queries. */
    unansweredQueries: unansweredCells.reasonIn,
    /** Returns the cells that keep their last answer, because there is no newer one: a value, or "not found". */
    stale: (): readonly StaleCell[] => unansweredCells.stale(),
    /**
     * Records which formulas have values that this session hasn't calculated, after a search of the whole workbook. Null means that
     * somebody edited the workbook during the search, which then found none.
     */
    noteUncalculated(found: Iterable<readonly [address: string, queries: readonly Query[]]> | null): void {
      const before = uncalculated?.size;
      uncalculated = found && new Map(found);
      changes += 1;
      // The pane searches again after a change of cells, so a search that finds the same is no change.
      if (uncalculated?.size !== before) notices.changed();
    },
    /**
     * Removes the settled ones of these cells. Call it for deleted or moved formulas, which would otherwise stay in the
     * counts forever.
     */
    forget(addresses: Iterable<string>): void {
      for (const address of addresses) {
        const cell = cells.get(address);
        if (cell === undefined || cell.openCalculations > 0) continue;
        drop(cell);
        notices.changed();
      }
    },
    /** Moves every cell to the address that `spell` returns, because a sheet was renamed. */
    respellAddresses(spell: (address: string) => string): void {
      const moved = [...cells.values()].filter((cell) => spell(cell.address) !== cell.address);
      for (const cell of moved) cells.delete(cell.address);
      for (const cell of moved) {
        cell.address = spell(cell.address);
        // The previous cell at this address was on a sheet that no longer exists.
        const before = cells.get(cell.address);
        if (before !== undefined) drop(before);
        if (cell.problem !== null) respellProblems(cell.problem, spell);
        cells.set(cell.address, cell);
      }
      uncalculated = uncalculated && new Map([...uncalculated].map(([at, queries]) => [spell(at), queries]));
      problemList.respellAddresses(spell);
      notices.changed();
    },
    /** Calls the listener after changes, at most about ten times a second. Returns the unsubscribe function. */
    subscribe: (listener: () => void) => notices.subscribe(listener),
  };
}

const forgotten = 0;

function isForgotten({ recalculation }: CellRecord): boolean {
  return recalculation === forgotten;
}

const formulaItself: ResultPlace = { row: 0, col: 0, store: "", item: "" };

function ignore(): void {
  // Nothing is recorded without an address.
}
