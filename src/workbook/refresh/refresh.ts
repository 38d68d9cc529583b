/**
 * Refreshing a part of the workbook: what it will cost, then ask, mark exactly the INV cells dirty and
 * follow them to the end. Knows cells and work; calls, quota and epochs are the engine's.
 * Invariant: no cell is marked before the engine had one successful call for this refresh (unless
 * there is nothing to ask). Only one refresh runs at a time, and it always ends.
 */
import { type InvError, toInvError } from "../../domain/errors";
import type { CellRegister } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import type { Engine, Price, Work } from "../../engine/types";
import { createNotices, type Source } from "../../domain/notices";
import { type Comparing, createChangeWatch } from "../what-changed/change-watch";
import type { ChangeReport } from "../what-changed/report";
import { createCancelSweep, createLostResultsWatch, type LostResults } from "./aftermath";
import { areaAddress, cellKey } from "../addresses";
import { countAnswers, noteNotRefreshed } from "./count-answers";
import { follow, type Following } from "./follow";
import { inTimeSlices } from "../in-time-slices";
import type { CellRef, Workbook } from "../port";
import { recalculateStaleMarks } from "./stale-marks";
import { type ScopeChoice, createScopes, type RefreshScope, type Target, useOf } from "./targets";

export type { RefreshScope } from "./targets";

export interface Quote {
  readonly scope: RefreshScope;
  /** INV formula cells in the scope. */
  readonly cells: number;
  /** Those of them that Excel has not calculated in this session: not in the price. */
  readonly unseen: number;
  /** Those that a refresh has calculated without reaching INV: a blank row, or refused by the sheet itself. */
  readonly silent: number;
  /** Grids of which only a part is selected: they are refreshed whole. */
  readonly grids: readonly { readonly address: string; readonly values: number }[];
  readonly work: Work;
  readonly price: Price;
}

export interface RefreshState {
  readonly phase: "idle" | "finding" | "asking" | "running" | "cancelled" | "failed" | "done";
  readonly scope: RefreshScope | null;
  /** Nobody asked for it: the workbook is refreshed by itself. */
  readonly isUnasked: boolean;
  /** Cells of this refresh, and those of them that have settled. */
  readonly cells: number;
  readonly settled: number;
  /**
   * Why it failed. With `settled` 0 nothing was marked dirty; else it failed in the middle, and the cells
   * whose answer did not come show their last known value or this reason.
   */
  readonly error: InvError | null;
  /** When it has ended: how many values its cells got, and how many were not answered. A grid has many. */
  readonly answered: number;
  readonly unanswered: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Set when done without some cells: marked twice, and the host did not calculate them to an end. */
  readonly missed?: readonly CellRef[];
  /** Set after its end, when the host has lost results of it. */
  readonly lost?: LostResults;
}

/** Longer than a cancel takes to settle what waits. */
const cancelMs = 500;

function isStranger({ isOnlyKnown }: Target): boolean {
  return isOnlyKnown === true;
}

/** Whether it is under way. */
export function isRunning({ phase }: RefreshState): boolean {
  return phase === "finding" || phase === "asking" || phase === "running";
}

export interface Refresher {
  quote(scope: RefreshScope): Promise<Quote>;
  /** Resolves when the refresh has ended in any way; look at the state. Ignored while one runs. */
  start(scope: RefreshScope, options?: { readonly isUnasked: boolean }): Promise<void>;
  /** What has come stays. */
  cancel(): void;
  /** After a cancel or a failure in the middle: asks only for the rest. */
  resume(): Promise<void>;
  readonly state: RefreshState;
  /** How many formulas the last look at the whole workbook found that this session has not calculated. */
  readonly unseen: number | null;
  /** What the last refresh that ended has changed; told a moment after its end. */
  readonly changes: Source<ChangeReport | null>;
  subscribe(listener: () => void): () => void;
}

export interface RefresherOptions {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

interface Run {
  readonly scope: RefreshScope;
  readonly comparing: Comparing;
  targets: readonly Target[];
  following: Following | null;
  /** Ends the wait of `start` at once. */
  readonly stop: () => void;
}

const idle: RefreshState = {
  phase: "idle",
  scope: null,
  isUnasked: false,
  cells: 0,
  settled: 0,
  error: null,
  answered: 0,
  unanswered: 0,
  startedAtMs: null,
  endedAtMs: null,
};

export function createRefresher(options: RefresherOptions): Refresher {
  const { workbook, engine, cells, clock } = options;
  const scopes = createScopes(options);
  const sweep = createCancelSweep(options);
  const lostResults = createLostResultsWatch(options);
  const changes = createChangeWatch(options);
  const notices = createNotices();
  let state = idle;
  let running: Run | null = null;
  /** The refresh under way, or the last one: what a resume goes on with. */
  let last: Run | null = null;
  let unseen: number | null = null;
  /** Formulas that a refresh calculated and that did not reach INV, by cell. */
  const silent = new Map<string, string>();

  async function choose(scope: RefreshScope): Promise<ScopeChoice> {
    const choice = await scopes.choose(scope);
    if (scope === "workbook") unseen = choice.targets.length - choice.seen;
    return choice;
  }

  function set(change: Partial<RefreshState>): void {
    state = { ...state, ...change };
    notices.tell();
  }

  const isOver = (run: Run): boolean => running !== run;

  /** @param goesOn the refresh that is taken up again */
  async function perform(
    scope: RefreshScope,
    find: () => Promise<ScopeChoice>,
    { isUnasked = false, goesOn }: { isUnasked?: boolean; goesOn?: Run } = {},
  ): Promise<void> {
    sweep.end();
    lostResults.end();
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const comparing = goesOn?.comparing ?? changes.begin(scope);
    const run: Run = { scope, comparing, targets: [], following: null, stop };
    running = last = run;
    set({ ...idle, phase: "finding", scope, isUnasked, startedAtMs: clock.now() });
    const steps = runSteps(run, find).catch((error: unknown) => {
      fail(run, toInvError(error));
    });
    await Promise.race([steps, stopped]);
  }

  async function runSteps(run: Run, find: () => Promise<ScopeChoice>): Promise<void> {
    const { targets, work, needsCanary } = await find();
    if (isOver(run)) return;
    run.targets = targets;
    set({ phase: "asking", cells: targets.length });
    const isRead = run.comparing.before(targets);
    if (needsCanary || work.items.length + work.histories.length > 0) await engine.refresh(work);
    await isRead;
    if (isOver(run)) return;
    set({ phase: "running" });
    run.following = follow({
      ...options,
      targets,
      mark: async (marked) => {
        if (marked.length > 0) await workbook.recalculate(marked.map(({ ref }) => ref));
      },
      onSettled: (settled) => {
        if (!isOver(run)) set({ settled });
      },
    });
    const missed = await run.following.missed;
    finish(run, await outcomeOf(run, missed));
    // A cancel or a new refresh came first, or this is what it leaves.
    if (running === null && last === run && state.phase !== "cancelled") run.comparing.after();
  }

  /** Before anything was marked, every cell keeps its value, which is stale from now on. */
  function fail(run: Run, error: InvError): void {
    if (isOver(run)) return;
    const unanswered = run.following === null ? noteNotRefreshed(cells, run.targets, error) : 0;
    finish(run, { phase: "failed", error, unanswered });
  }

  async function outcomeOf({ targets }: Run, missed: readonly Target[]): Promise<Partial<RefreshState>> {
    const { answered, unanswered, reasons } = await countAnswers(options, targets);
    if (reasons.length > 0) {
      // A cancel is told as one only when nothing else went wrong.
      const error = reasons.find(({ code }) => code !== "cancelled");
      return error === undefined
        ? { phase: "cancelled", answered, unanswered }
        : { phase: "failed", error, answered, unanswered };
    }
    // What did not show that it reaches INV, and does not: another formula has taken its place.
    const [strangers, own] = [missed.filter(isStranger), missed.filter((target) => !isStranger(target))];
    cells.forget(strangers.map(({ address }) => address));
    const isMissed = new Set(missed);
    await inTimeSlices(clock, targets, (target) => {
      if (useOf(cells, target) === undefined && !isMissed.has(target)) {
        silent.set(cellKey(target.ref), target.ref.formula);
      }
    });
    return { phase: "done", answered, ...(own.length > 0 && { missed: own.map(({ ref }) => ref) }) };
  }

  function finish(run: Run, change: Partial<RefreshState>): void {
    if (isOver(run)) return;
    running = null;
    set({ ...change, endedAtMs: clock.now() });
    run.stop();
    // What was cancelled settles in a moment.
    const marksAfterMs = state.phase === "cancelled" ? cancelMs : 0;
    clock.setTimeout(() => {
      // A sheet that is gone or protected meanwhile keeps what it shows.
      if (running === null) void recalculateStaleMarks(options).catch(() => undefined);
    }, marksAfterMs);
    // What was cancelled is not calculated again.
    if (run.following !== null && state.phase !== "cancelled") {
      lostResults.begin(run.targets, (lost) => set({ lost }));
    }
  }

  return {
    async quote(scope) {
      const before = unseen;
      const { targets, seen, work, grids } = await choose(scope);
      if (unseen !== before) set({});
      const isSilent = (target: Target): boolean =>
        useOf(cells, target) === undefined && silent.get(cellKey(target.ref)) === target.ref.formula;
      const silentHere = silent.size === 0 ? 0 : targets.filter(isSilent).length;
      return {
        scope,
        cells: targets.length,
        unseen: targets.length - seen - silentHere,
        silent: silentHere,
        grids: grids.map(({ row, col, rows, cols }) => ({
          address: areaAddress({ row, col, rows: 1, cols: 1 }),
          values: rows * cols,
        })),
        work,
        price: engine.price(work),
      };
    },
    async start(scope, { isUnasked } = { isUnasked: false }) {
      if (running !== null) return;
      await perform(scope, () => choose(scope), { isUnasked });
    },
    cancel() {
      const run = running;
      if (run === null) return;
      engine.cancel();
      finish(run, { phase: "cancelled" });
      run.following?.stop();
      if (run.following !== null) sweep.begin(run.targets, run.following.marked);
    },
    async resume() {
      const run = last;
      if (run === null || running !== null || (state.phase === "done" && state.missed === undefined)) return;
      const { scope, targets, following } = run;
      const goesOn = { goesOn: run };
      if (targets.length === 0) await perform(scope, () => choose(scope), goesOn);
      // Where nothing was marked, nothing was asked: what the cells show may be fresh, but is not new.
      else if (following === null) await perform(scope, () => scopes.again(targets), goesOn);
      else await perform(scope, () => scopes.rest(following.owed()), goesOn);
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
