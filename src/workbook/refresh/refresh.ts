/**
 * Refreshes a part of the workbook: prices it, requests the values, marks exactly these INV cells dirty, and follows them to
 * the end. Requests, quota and epochs belong to the engine. Invariant: no cell is marked before the engine has had one
 * successful request for this refresh, unless nothing needs a request. Only one refresh runs at a time, and it always ends.
 */
import { type InvError, toInvError } from "../../domain/errors";
import type { Price, Work } from "../../engine/types";
import { createNotices, type Source } from "../../domain/notices";
import { type RefreshComparison, createChangeWatch } from "../what-changed/change-watch";
import type { ChangeReport } from "../what-changed/report";
import {
  createCancelSweep,
  createLostResultsWatch,
  type LostResults,
  recalculateStaleMarks,
} from "./aftermath";
import { areaAddress, cellAddresses, cellKey, contains } from "../addresses";
import { countAnswers, hasNewAnswers, recordNotRefreshed } from "./count-answers";
import { follow, type FollowedRefresh } from "./follow";
import { inTimeSlices } from "../in-time-slices";
import type { CellRef } from "../port";
import {
  type ScopeChoice,
  createScopes,
  placeOf,
  type RefreshContext,
  type RefreshScope,
  type Target,
  invCellOf,
} from "./targets";

export type { RefreshScope } from "./targets";

export interface Quote {
  readonly scope: RefreshScope;
  readonly cells: number;
  /** Number of formulas that Excel hasn't calculated in this session. The price excludes them. */
  readonly unseen: number;
  /** Number of formulas that a refresh has calculated without a call of INV: in blank rows, or with an error in the sheet. */
  readonly silent: number;
  /** Grids that are only partly selected. They are refreshed completely. */
  readonly grids: readonly { readonly address: string; readonly values: number }[];
  readonly work: Work;
  readonly price: Price;
}

export interface RefreshState {
  readonly phase: "idle" | "finding" | "asking" | "running" | "cancelled" | "failed" | "done";
  readonly scope: RefreshScope | null;
  readonly isAutomatic: boolean;
  /** Number of cells in this refresh, and how many of them have settled. */
  readonly cells: number;
  readonly settled: number;
  /**
   * Why the refresh failed. If `settled` is 0, every cell keeps its value. Otherwise it failed in the middle, and unanswered
   * cells show their last known value or this reason.
   */
  readonly error: InvError | null;
  /** After the end: the number of values that its cells received, and of those without an answer. A grid has many values. */
  readonly answered: number;
  readonly unanswered: number;
  /** Number of cells with unanswered values. */
  readonly unansweredCells: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Cells that the host hasn't calculated although they were marked twice, or that it refuses to mark. */
  readonly missed?: readonly CellRef[];
  /** Set after the end if the host has lost results. */
  readonly lost?: LostResults;
}

/** Longer than cancelled cells need to settle. */
const cancelMs = 500;

export function isRunning({ phase }: RefreshState): boolean {
  return phase === "finding" || phase === "asking" || phase === "running";
}

export interface Refresher {
  quote(scope: RefreshScope): Promise<Quote>;
  /** Resolves when the refresh has ended in any way; `state` says how. Does nothing while a refresh runs. */
  start(scope: RefreshScope, options?: { readonly isAutomatic: boolean }): Promise<void>;
  /** Cancels the refresh, but keeps the values that have arrived. */
  cancel(): void;
  /** Requests only the remaining values, after a cancel or a failure. */
  resume(): Promise<void>;
  readonly state: RefreshState;
  /** Number of formulas that this session hasn't calculated, at the last search of the whole workbook. */
  readonly unseen: number | null;
  /** What the last finished refresh has changed; available a moment after its end. */
  readonly changes: Source<ChangeReport | null>;
  subscribe(listener: () => void): () => void;
}

interface Run {
  readonly scope: RefreshScope;
  readonly environmentId: string | undefined;
  readonly comparison: RefreshComparison;
  targets: readonly Target[];
  followed: FollowedRefresh | null;
  readonly stop: () => void;
}

const idle: RefreshState = {
  phase: "idle",
  scope: null,
  isAutomatic: false,
  cells: 0,
  settled: 0,
  error: null,
  answered: 0,
  unanswered: 0,
  unansweredCells: 0,
  startedAtMs: null,
  endedAtMs: null,
};

export function createRefresher(options: RefreshContext): Refresher {
  const { workbook, engine, cells, clock } = options;
  const scopes = createScopes(options);
  const sweep = createCancelSweep(options);
  const lostResults = createLostResultsWatch(options);
  const changes = createChangeWatch(options);
  const notices = createNotices();
  let state = idle;
  let running: Run | null = null;
  let last: Run | null = null;
  let unseen: number | null = null;
  /** Formulas that a refresh calculated but that didn't call INV, by cell. */
  const silent = new Map<string, string>();

  async function choose(scope: RefreshScope): Promise<ScopeChoice> {
    const choice = await scopes.choose(scope);
    if (scope === "workbook") unseen = choice.targets.length - choice.registered;
    return choice;
  }

  function set(change: Partial<RefreshState>): void {
    state = { ...state, ...change };
    notices.tell();
  }

  const isOver = (run: Run): boolean => running !== run;

  /** @param resumed the refresh that this one continues */
  async function perform(
    scope: RefreshScope,
    find: () => Promise<ScopeChoice>,
    { isAutomatic = false, resumed }: { isAutomatic?: boolean; resumed?: Run } = {},
  ): Promise<void> {
    sweep.end();
    lostResults.end();
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const comparison = resumed?.comparison ?? changes.begin(scope);
    const environmentId = engine.connection?.environment.id;
    const run: Run = { scope, environmentId, comparison, targets: [], followed: null, stop };
    running = last = run;
    set({ ...idle, phase: "finding", scope, isAutomatic, startedAtMs: clock.now() });
    const steps = runSteps(run, find).catch((error: unknown) => {
      fail(run, toInvError(error));
    });
    await Promise.race([steps, stopped]);
  }

  async function runSteps(run: Run, find: () => Promise<ScopeChoice>): Promise<void> {
    const { targets, work, needsProbe } = await find();
    if (isOver(run)) return;
    run.targets = targets;
    set({ phase: "asking", cells: targets.length });
    const isRead = run.comparison.before(targets);
    const addresses = new Set<string>();
    await inTimeSlices(clock, targets, ({ ref, address, invCell }) => {
      // Excel's notation isn't known before it has calculated the cell.
      for (const each of invCell === undefined ? cellAddresses(ref) : [address]) addresses.add(each);
    });
    if (needsProbe || work.items.length + work.histories.length > 0) {
      await engine.refresh(work, (cell) => addresses.has(cell));
    }
    await isRead;
    if (isOver(run)) return;
    set({ phase: "running" });
    run.followed = follow({
      ...options,
      targets,
      mark,
      onSettled: (settled) => {
        if (!isOver(run)) set({ settled });
      },
    });
    const missed = await run.followed.missed;
    finish(run, await outcomeOf(run, missed));
    // Skip the report after a cancel, or if a new refresh has started.
    if (running === null && last === run && state.phase !== "cancelled") run.comparison.after();
  }

  /** Marks these cells. Returns those that the host refuses, because their sheet is protected or deleted. */
  async function mark(targets: readonly Target[]): Promise<ReadonlySet<Target>> {
    const refused = targets.length === 0 ? [] : await workbook.recalculate(targets.map(placeOf));
    const areas = refused.flatMap((each) => each.areas);
    return new Set(targets.filter((target) => areas.some((area) => contains(area, placeOf(target)))));
  }

  /** Ends the refresh as failed. If nothing was marked, every cell keeps its value, which is now stale. */
  function fail(run: Run, error: InvError): void {
    if (isOver(run)) return;
    const counts = run.followed === null ? recordNotRefreshed(cells, run.targets, error) : {};
    finish(run, { phase: "failed", error, ...counts });
  }

  async function outcomeOf(run: Run, missed: readonly Target[]): Promise<Partial<RefreshState>> {
    const { scope, targets, comparison } = run;
    const { answered, unanswered, reasons } = await countAnswers(options, targets);
    if (reasons.length > 0) {
      // Report a cancel only if nothing else went wrong.
      const error = reasons.find(({ code }) => code !== "cancelled");
      const counts = { answered, unanswered, unansweredCells: reasons.length };
      return error === undefined ? { phase: "cancelled", ...counts } : { phase: "failed", error, ...counts };
    }
    // Only the register said that the others call INV. They contain another formula now and don't call it.
    cells.forget(missed.filter(({ isOnlyKnown }) => isOnlyKnown === true).map(({ address }) => address));
    const own = missed.filter(({ isOnlyKnown }) => isOnlyKnown !== true);
    const isMissed = new Set(missed);
    await inTimeSlices(clock, targets, (target) => {
      if (invCellOf(cells, target) === undefined && !isMissed.has(target)) {
        silent.set(cellKey(target.ref), target.ref.formula);
      }
    });
    if (own.length === 0 && comparison.hasEdits()) await scopes.recalculateMoved(scope);
    return { phase: "done", answered, ...(own.length > 0 && { missed: own.map(({ ref }) => ref) }) };
  }

  function finish(run: Run, change: Partial<RefreshState>): void {
    if (isOver(run)) return;
    running = null;
    set({ ...change, endedAtMs: clock.now() });
    run.stop();
    // Cancelled cells need a moment to settle.
    const marksAfterMs = state.phase === "cancelled" ? cancelMs : 0;
    clock.setTimeout(() => {
      // If a sheet was deleted or is protected, its marks stay unchanged.
      if (running === null) void recalculateStaleMarks(options).catch(() => undefined);
    }, marksAfterMs);
    // Don't recalculate cancelled cells.
    if (run.followed !== null && state.phase !== "cancelled") {
      lostResults.begin(run.targets, (lost) => set({ lost }));
    }
  }

  /** "Try again", a new connection or an edit may answer the rest of an ended refresh. */
  function forgetRest(): void {
    if (last === null || (state.phase !== "failed" && state.phase !== "cancelled")) return;
    const isElsewhere = last.environmentId !== engine.connection?.environment.id;
    if (isElsewhere || hasNewAnswers(cells, last.targets, state.startedAtMs ?? Infinity)) set(idle);
  }

  cells.subscribe(forgetRest);

  return {
    async quote(scope) {
      const before = unseen;
      const { targets, registered, work, grids } = await choose(scope);
      if (unseen !== before) set({});
      const isSilent = (target: Target): boolean =>
        invCellOf(cells, target) === undefined && silent.get(cellKey(target.ref)) === target.ref.formula;
      const silentHere = silent.size === 0 ? 0 : targets.filter(isSilent).length;
      return {
        scope,
        cells: targets.length,
        unseen: targets.length - registered - silentHere,
        silent: silentHere,
        grids: grids.map(({ row, col, rows, cols }) => ({
          address: areaAddress({ row, col, rows: 1, cols: 1 }),
          values: rows * cols,
        })),
        work,
        price: engine.price(work),
      };
    },
    async start(scope, { isAutomatic } = { isAutomatic: false }) {
      if (running !== null) return;
      await perform(scope, () => choose(scope), { isAutomatic });
    },
    cancel() {
      const run = running;
      if (run === null) return;
      engine.cancel();
      finish(run, { phase: "cancelled" });
      run.followed?.stop();
      if (run.followed !== null) sweep.begin(run.targets, run.followed.marked);
    },
    async resume() {
      const run = last;
      if (run === null || running !== null || (state.phase === "done" && state.missed === undefined)) return;
      const { scope, targets, followed } = run;
      const resumed = { resumed: run };
      if (targets.length === 0) await perform(scope, () => choose(scope), resumed);
      // Nothing was marked, so the cells show no new values, even if their queries have fresh answers. Refresh them all.
      else if (followed === null) await perform(scope, () => scopes.again(targets, "all"), resumed);
      else await perform(scope, () => scopes.again(followed.unanswered(), "not-fresh"), resumed);
    },
    get state() {
      return state;
    },
    get unseen() {
      return unseen;
    },
    changes,
    subscribe: (listener) => notices.subscribe(listener),
  };
}
