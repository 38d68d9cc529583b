/**
 * Refreshes a part of the workbook: shows the cost, then asks the engine for everything that its cells need, and marks cells when
 * their answers are there (`run.ts`). Requests, quota and epochs belong to the engine. Invariant: only one refresh runs at a
 * time, it always ends, and then each of its cells shows values that are newer than the click minus the accepted age, or it is
 * listed.
 */
import { type InvError, isUnanswered, toInvError } from "../../domain/errors";
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Price, Work } from "../../engine/types";
import { createNotices, createObservable, type Observable } from "../../domain/notices";
import { type RefreshComparison, startComparison } from "../what-changed/comparison";
import { createEditRecorder, type EditsSince, isMove } from "../what-changed/edits-since";
import type { ChangeReport } from "../what-changed/report";
import { areaAddress } from "../addresses";
import { inTimeSlices } from "../in-time-slices";
import { createFormulaReader } from "../inv-formula";
import type { CellRef, SelectedAreas } from "../port";
import { selectedAreas } from "../selected-areas";
import { createWorkList } from "../work-list";
import { type RefreshRun, type RunEnd, startRun } from "./run";
import { recalculateAgeCells } from "./age-cells";
import {
  type AgeCell,
  countHidden,
  createScopes,
  placeOf,
  type RefreshContext,
  type ChoiceOptions,
  type RefreshScope,
  type ScopeChoice,
} from "./scopes";

export type { RefreshScope } from "./scopes";

/** The rest has no price. */
export type QuotedScope = Exclude<RefreshScope, "rest">;

export interface Quote {
  readonly scope: QuotedScope;
  /** Number of cells that need answers, as the register counts them. */
  readonly cells: number;
  /** Number of INV calls whose queries can't be predicted before they are calculated. The price excludes them. */
  readonly unpredictable: number;
  /** How many of the selected cells are in rows that a filter or a person has hidden. They are refreshed too. */
  readonly hidden: number;
  /** Grids that are only partly selected. They are refreshed completely. */
  readonly grids: readonly { readonly address: string; readonly values: number }[];
  readonly work: Work;
  readonly price: Price;
  /** See `PlannedWork`: one for each item without such events. */
  readonly atMostWhole: number;
  /** When the price may be another one although nobody has edited: an answer is too old then, or it is another day. */
  readonly validUntilMs: number;
}

/** A cell that isn't refreshed, and why. */
export interface UnrefreshedCell {
  readonly cell: CellRef;
  readonly because: InvError;
}

/** A cell that Excel didn't call, and whether it shows an error or #BUSY!, so that somebody should look at it. */
interface UncalledRef {
  readonly cell: CellRef;
  readonly showsError: boolean;
}

/** All counts are INV cells. */
export interface RefreshState {
  readonly phase: "idle" | "finding" | "running" | "cancelled" | "failed" | "done";
  readonly scope: RefreshScope | null;
  readonly isAutomatic: boolean;
  /** Number of cells in this refresh, and how many of them show new values. */
  readonly cells: number;
  readonly refreshed: number;
  /** Why the refresh failed, or why the first of its cells has no new value. */
  readonly error: InvError | null;
  /**
   * After the end: all other cells, which keep what they show. They have no answer, or the host hasn't calculated them. A refresh
   * is `done` only if there are none.
   */
  readonly unrefreshed: readonly UnrefreshedCell[];
  /** After the end: cells that Excel didn't call, though INV marked them. An IF may skip INV, so that is no failure. */
  readonly uncalled: readonly UncalledRef[];
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

export function isRunning({ phase }: RefreshState): boolean {
  return phase === "finding" || phase === "running";
}

/** Whether the refresh has ended, and left cells. */
export function hasLeft({ phase }: RefreshState): boolean {
  return phase === "failed" || phase === "cancelled";
}

export interface Refresher {
  quote(scope: QuotedScope): Promise<Quote>;
  /** Resolves when the refresh has ended in any way; `state` says how. Does nothing while a refresh runs. */
  start(scope: RefreshScope, options?: { readonly isAutomatic: boolean }): Promise<void>;
  /** Cancels the refresh, but keeps the values that have arrived. */
  cancel(): void;
  readonly state: RefreshState;
  /** What the last finished refresh has changed; available a moment after its end. */
  readonly changes: Observable<ChangeReport | null>;
  subscribe(listener: () => void): () => void;
}

interface Refresh {
  readonly scope: RefreshScope;
  readonly environmentId: string | undefined;
  /** Since the start of the first, if it is the rest of one. */
  readonly edits: EditsSince;
  readonly comparison: RefreshComparison;
  /** What was selected at its start. */
  selected: SelectedAreas | null;
  /** Whether the engine's latest refresh is its own, because it is the rest of that one; and when the first of them began. */
  readonly continues: boolean;
  readonly sinceMs: number;
  run: RefreshRun | null;
  /** Resolves the promise of `start`. */
  readonly resolve: () => void;
}

const idle: RefreshState = {
  phase: "idle",
  scope: null,
  isAutomatic: false,
  cells: 0,
  refreshed: 0,
  error: null,
  unrefreshed: [],
  uncalled: [],
  startedAtMs: null,
  endedAtMs: null,
};

export function createRefresher(options: RefreshContext): Refresher {
  const { workbook, engine, cells, clock } = options;
  const scopes = createScopes(options);
  const changes = createObservable<ChangeReport | null>(null);
  const notices = createNotices();
  let state = idle;
  let last: Refresh | null = null;
  /** Whether Excel has calculated every formula in this session. Where it hasn't called INV, an IF skips the call. */
  let isAllCalculated = false;
  /** Sheets that came later, perhaps from another workbook. */
  const addedSheets = new Set<string>();
  /** Formulas that the last refresh of the workbook couldn't get called, and that show an error: they have no age. */
  let valueless: ReadonlySet<string> = new Set();
  let edits = 0;
  const recordEdits = createEditRecorder(workbook);

  workbook.onEdit((edit) => {
    edits += 1;
    if (edit !== null && "from" in edit) {
      if (addedSheets.delete(edit.from)) addedSheets.add(edit.to);
      return;
    }
    if (edit !== null && "added" in edit) addedSheets.add(edit.added);
    // The places that the last search has found may be others now.
    const isShifted =
      edit === null || "added" in edit || (edit.some(isMove) && cells.summary().uncalculated !== 0);
    if (isShifted) cells.noteUncalculated(null);
  });

  /** Chooses the cells. A search of the workbook also tells the register which formulas this session hasn't calculated. */
  async function choose(scope: RefreshScope, given: ChoiceOptions = {}): Promise<ScopeChoice> {
    const editsBefore = edits;
    const choice = await scopes.choose(scope, given);
    if (scope !== "workbook") return choice;
    const uncalculated = choice.uncalculated.filter(
      ({ isSkippable, ref, address }) =>
        !valueless.has(`${address} ${ref.formula}`) &&
        !(isSkippable && isAllCalculated && !addedSheets.has(ref.sheet)),
    );
    // Somebody may have added cells behind the search.
    const isSure = edits === editsBefore;
    cells.noteUncalculated(
      isSure ? uncalculated.map(({ address, queries }) => [address, queries] as const) : null,
    );
    if (isSure && uncalculated.length === 0) noteAllCalculated();
    return choice;
  }

  function noteAllCalculated(): void {
    isAllCalculated = true;
    addedSheets.clear();
  }

  function set(change: Partial<RefreshState>): void {
    state = { ...state, ...change };
    notices.tell();
  }

  const isOver = (refresh: Refresh): boolean => last !== refresh || !isRunning(state);

  async function start(
    requestedScope: RefreshScope,
    { isAutomatic } = { isAutomatic: false },
  ): Promise<void> {
    if (isRunning(state)) return;
    let resolve = (): void => undefined;
    const ended = new Promise<void>((done) => (resolve = done));
    const startedAtMs = clock.now();
    const rest = requestedScope === "rest" && hasLeft(state) ? last : null;
    const { scope, edits: since, comparison, selected } = rest ?? begin(requestedScope);
    // Until the engine is asked, it knows an earlier refresh.
    const continues = rest !== null && (rest.continues || rest.run?.isRequested() === true);
    const refresh: Refresh = {
      scope,
      edits: since,
      comparison,
      selected,
      continues,
      run: null,
      resolve,
      environmentId: engine.connection?.environment.id,
      sinceMs: continues ? rest.sinceMs : startedAtMs,
    };
    last = refresh;
    set({ ...idle, phase: "finding", scope, isAutomatic, startedAtMs });
    const steps = runSteps(refresh).catch((error: unknown) => {
      finish(refresh, { phase: "failed", error: toInvError(error) });
    });
    await Promise.race([steps, ended]);
  }

  function begin(scope: RefreshScope): Pick<Refresh, "scope" | "edits" | "comparison" | "selected"> {
    const since = recordEdits();
    return { scope, edits: since, comparison: startComparison(options, since), selected: null };
  }

  async function runSteps(refresh: Refresh): Promise<void> {
    const found = await findCells(refresh);
    if (found === null) return;
    const end = await found.run.end;
    // Also after a cancel. A newer refresh knows better.
    if (last !== refresh) return;
    if (refresh.scope === "workbook") noteWhole(end);
    if (!isOver(refresh)) finish(refresh, outcomeOf(end));
    else if (state.phase === "cancelled") showLeft(end);
    else return;
    await recalculateAgeCells(options, found.ageCells).catch(() => undefined);
    // If nothing was answered, or after a cancel, the report before stays.
    if (end.refreshed === 0 || state.phase === "cancelled") return;
    const report = await refresh.comparison.report().catch(() => null);
    if (report !== null && last === refresh) changes.set(report);
  }

  /** Finds the cells of the refresh and starts their run. Returns null if the refresh was cancelled meanwhile. */
  async function findCells(
    refresh: Refresh,
  ): Promise<{ readonly run: RefreshRun; readonly ageCells: readonly AgeCell[] } | null> {
    const { scope, comparison, continues } = refresh;
    const editsSeen = edits;
    const isOfSheets = scope === "selection" || scope === "sheet";
    refresh.selected ??= isOfSheets ? await selectedAreas(workbook, clock) : null;
    // Each formula is read once in a refresh.
    const read = createFormulaReader();
    const { refreshCells, ageCells } = await choose(scope, { selected: refresh.selected, read });
    if (isOver(refresh)) return null;
    set({ phase: "running", cells: refreshCells.length });
    await comparison.readBefore(refreshCells);
    if (isOver(refresh)) return null;
    const { freshnessMs } = engine.settings;
    // The first answers are old by now, and the others are fresh.
    const isLate = continues && clock.now() - refresh.sinceMs >= freshnessMs;
    const takesFresh = isLate || scope === "older" || scope === "rest";
    const run = startRun({
      ...options,
      refreshCells,
      scopes: { findAgain: (where) => scopes.findAgain(where, read) },
      sheets: isOfSheets ? [...new Set(refreshCells.map((cell) => cell.ref.sheet))] : null,
      isWhole: scope === "workbook" || scope === "sheet",
      request: { continues: continues && !isLate, ...(takesFresh && { ageMs: freshnessMs }) },
      edits: () => edits,
      hasMoved: (sheet) => refresh.edits.hasMoved(sheet),
      editsSeen,
      onProgress(progress) {
        const isSame = progress.refreshed === state.refreshed && progress.cells === state.cells;
        if (!isOver(refresh) && !isSame) set(progress);
      },
    });
    refresh.run = run;
    return { run, ageCells };
  }

  /** Notes what the end of a whole refresh tells about formulas that Excel hasn't calculated. */
  function noteWhole({ refreshed, unrefreshed, uncalled, editsSeen }: RunEnd): void {
    // If Excel has called nothing at all, it hasn't calculated either.
    const isCalculated = refreshed > 0 || uncalled.length === 0;
    if (!isCalculated || unrefreshed.length > 0 || editsSeen !== edits) return;
    noteAllCalculated();
    valueless = new Set(
      uncalled.flatMap(({ cell, showsError }) => (showsError ? [`${cell.address} ${cell.ref.formula}`] : [])),
    );
    // Only a search can tell that none is left, without those that an IF skips.
    if (cells.summary().uncalculated !== 0) cells.noteUncalculated(null);
  }

  /** After a cancel, what is left is known only at the end of the run, and it may be nothing. */
  function showLeft(end: RunEnd): void {
    const outcome = outcomeOf(end);
    set(outcome.phase === "done" ? outcome : { ...outcome, phase: "cancelled" });
  }

  function outcomeOf({
    refreshed,
    cells: all,
    unrefreshed: rest,
    uncalled: skipped,
  }: RunEnd): Partial<RefreshState> {
    const uncalled = skipped.map(({ cell, showsError }) => ({ cell: placeOf(cell), showsError }));
    const unrefreshed = rest.map(({ cell, because }) => ({ cell: placeOf(cell), because }));
    // Report a cancel only if nothing else went wrong.
    const error = unrefreshed.find(({ because }) => because.code !== "cancelled")?.because ?? null;
    const phase = unrefreshed.length === 0 ? "done" : error === null ? "cancelled" : "failed";
    return { refreshed, cells: all, unrefreshed, uncalled, phase, error };
  }

  function finish(refresh: Refresh, change: Partial<RefreshState>): void {
    if (isOver(refresh)) return;
    set({ ...change, endedAtMs: clock.now() });
    refresh.resolve();
  }

  /** "Try again", a new connection or an edit may answer the rest of an ended refresh. */
  function forgetRest(): void {
    if (last === null || !hasLeft(state)) return;
    const isElsewhere = last.environmentId !== engine.connection?.environment.id;
    const { waiting, latestUnanswered, oldestMs, uncalculated } = cells.summary();
    // What Excel hasn't calculated is still to do.
    const lacksAnswers = state.unrefreshed.every(({ because }) => isUnanswered(because.code));
    const isAnswered =
      state.phase === "failed" && lacksAnswers && waiting + latestUnanswered === 0 && uncalculated === 0;
    if (isElsewhere || (isAnswered && (oldestMs ?? 0) >= (state.startedAtMs ?? Infinity))) set(idle);
  }

  cells.subscribe(forgetRest);

  return {
    async quote(scope) {
      const { refreshCells, grids } = await choose(scope);
      const { freshnessMs, refreshAgeMs } = engine.settings;
      const mostAgeMs = scope === "older" ? freshnessMs : refreshAgeMs;
      let validUntilMs = nextMidnightMs(clock.now());
      // The same queries that the refresh asks for.
      const isWanted = (query: Query): boolean => {
        if (!(scope === "older" ? engine.isFresh(query) : engine.isNewEnough(query))) return true;
        const answer = isHistory(query) ? engine.cachedHistory(query) : engine.cachedItem(query);
        validUntilMs = Math.min(validUntilMs, (answer?.fetchedAtMs ?? 0) + mostAgeMs);
        return false;
      };
      const list = createWorkList(isWanted, (whole) => engine.cachedHistory(whole)?.found === true);
      let unpredictable = 0;
      await inTimeSlices(clock, refreshCells, (cell) => {
        unpredictable += cell.unpredictable;
        cell.queries.forEach(list.add);
        cell.sums.forEach(list.addSum);
      });
      const { work } = list;
      return {
        scope,
        cells: refreshCells.length,
        unpredictable,
        hidden: scope === "selection" ? await countHidden(workbook, refreshCells) : 0,
        grids: grids.map(({ row, col, rows, cols }) => ({
          address: areaAddress({ row, col, rows: 1, cols: 1 }),
          values: rows * cols,
        })),
        work,
        price: engine.price(work),
        atMostWhole: work.atMostWhole ?? 0,
        validUntilMs,
      };
    },
    start,
    cancel() {
      if (last === null || !isRunning(state)) return;
      last.run?.stop();
      finish(last, { phase: "cancelled" });
      engine.cancel();
    },
    get state() {
      return state;
    },
    changes,
    subscribe: (listener) => notices.subscribe(listener),
  };
}

/** Returns the planner's next midnight, when TODAY() changes. */
function nextMidnightMs(nowMs: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
}
