/**
 * One refresh from the request to the last cell. It asks the engine for everything that its cells need, and marks cells while the answers
 * come: those whose outcomes are all there, once a second. What their text can't tell comes last, one cell first.
 * What it knows is queries and their outcomes, which the engine keeps. Of single cells it keeps what `OpenCell` lists, until it searches
 * for them again because somebody has edited the workbook.
 * Invariants: a cell is marked only if it then shows something new and loses nothing. In the end each cell is refreshed, left with a
 * reason, or wasn't called by Excel.
 */
import { needsAnswers, queriesOf } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import { InvError } from "../../domain/errors";
import { queryKey } from "../../domain/query-keys";
import { nextTurn, pause } from "../../engine/clock";
import type { RefreshOptions } from "../../engine/types";
import { cellAddresses, cellKey } from "../addresses";
import { isBlank, isError } from "../cell-content";
import { inTimeSlices } from "../in-time-slices";
import { isPending } from "../still-waiting";
import { createMarks, type OpenCell, showsWithinMs } from "./marks";
import { createOutcomes } from "./outcomes";
import { invCellOf, placeOf, type RefreshCell, type RefreshContext, type Scopes } from "./scopes";
import { readShown, showsOther } from "./shown";

const lookEveryMs = 1_000;
/** At most this share of a large refresh shows #BUSY! at once. */
const largestShare = 0.1;
const leastLargest = 1_000;
/** So many cells whose queries nobody knows are marked at once: a cancel can't give them back what the file has. */
const mostUnknown = 50;
/** How many of them may show, one by one, whether the service answers. */
const mostProbes = 3;
const mostMarks = 2;
/** How often cells are found again in the end because somebody keeps editing. */
const mostSearches = 3;
const mostRead = 50_000;

interface RunOptions extends RefreshContext {
  readonly scopes: Pick<Scopes, "findAgain">;
  readonly wanted: readonly RefreshCell[];
  /** Where the cells are found again; null for the whole workbook. */
  readonly sheets: readonly string[] | null;
  /** Whether all cells there belong to the refresh, also new ones. */
  readonly isWhole: boolean;
  readonly request: Pick<RefreshOptions, "ageMs" | "continues">;
  /** Returns how often the workbook was edited. */
  edits(): number;
  /** Returns whether cells of this sheet may be elsewhere than at the start. */
  hasMoved(sheet: string): boolean;
  /** The number of edits before the search that found the cells. */
  readonly editsSeen: number;
  onProgress(progress: { readonly cells: number; readonly refreshed: number }): void;
}

/** A cell that Excel hasn't called, though it was marked: its IF skips INV, or Excel can't calculate it. */
interface UncalledCell {
  readonly cell: RefreshCell;
  /** Whether it shows an error or #BUSY!, so that somebody should look at it. */
  readonly showsError: boolean;
}

export interface RunEnd {
  /** Number of cells: refreshed, left, and uncalled. */
  readonly cells: number;
  readonly refreshed: number;
  /** These keep what they show. */
  readonly left: readonly { readonly cell: RefreshCell; readonly because: InvError }[];
  readonly uncalled: readonly UncalledCell[];
  /** The number of edits before the last search for the cells. */
  readonly editsSeen: number;
}

export interface RefreshRun {
  /** Rejects if the workbook can't be read. */
  readonly end: Promise<RunEnd>;
  /** Whether the engine was asked. Until then, its latest refresh is another one. */
  isRequested(): boolean;
  stop(): void;
}

const stoppedBefore = new InvError("cancelled", "Cancelled before the new answer was in the sheet.");
const otherConnection = new InvError(
  "cancelled",
  "The environment or its credentials changed during the refresh. Refresh again.",
);
const movedMeanwhile = new InvError(
  "not-possible",
  "Somebody inserted, deleted or moved cells during the refresh, so INV couldn't follow it. Refresh again.",
);
const notCalculated = new InvError(
  "not-possible",
  "Excel doesn't show the new value. Refresh again. If #BUSY! stays, save the workbook, close it and open it again.",
);

export function startRun(options: RunOptions): RefreshRun {
  const { workbook, engine, cells, clock, scopes } = options;
  let isStopped = false;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const calculatedBefore = cells.lastRecalculation();
  const marks = createMarks({ workbook, cells, clock, stopped, isStopped: () => isStopped });
  const outcomes = createOutcomes(options);
  const { isRefreshed, failureOf } = outcomes;
  /** Why cells whose queries nobody knows stay as they are: one of them wasn't answered. */
  let unknownBecause: InvError | null = null;
  let found = options.wanted;
  /** Those that weren't refreshed when they were found, or that Excel has calculated since the start: it may show something else. */
  let open: readonly OpenCell[] = [];
  let { editsSeen } = options;

  const entryOf = (cell: RefreshCell): InvCell | undefined => invCellOf(cells, cell);
  const goesOn = (): boolean => !isStopped && outcomes.refusal() === null && engine.hasRefresh;

  async function follow(list: readonly RefreshCell[]): Promise<void> {
    found = list;
    const opened: OpenCell[] = [];
    await inTimeSlices(clock, list, (cell) => {
      outcomes.noteSums(cell);
      const isCalculated = (entryOf(cell)?.recalculation ?? 0) > calculatedBefore;
      if (isCalculated || !isRefreshed(cell)) {
        opened.push({
          ...{ cell, marks: 0, before: calculatedBefore, shown: undefined, refusal: null },
          ...{ isReady: false, isRefreshed: isCalculated && isRefreshed(cell) },
        });
      }
    });
    open = opened;
    report();
  }

  function report(): void {
    const waiting = open.filter((each) => !each.isRefreshed).length;
    options.onProgress({ cells: found.length, refreshed: found.length - waiting });
  }

  /** Returns whether somebody has edited since the last search, and the cells were found again. */
  async function findAgainAfterEdits(isPart: (cell: RefreshCell) => boolean): Promise<boolean> {
    if (options.edits() === editsSeen || !goesOn()) return false;
    editsSeen = options.edits();
    const { wanted } = await scopes.findAgain(options.sheets);
    if (!goesOn()) return false;
    await follow(options.isWhole ? wanted : wanted.filter(isPart));
    return true;
  }

  async function mark(wave: readonly OpenCell[], asksAnyway = false): Promise<void> {
    if (!goesOn() || wave.length === 0) return;
    await marks.mark(wave, { asksAnyway });
    for (const each of wave) each.isRefreshed = marks.isCalled(each) && isRefreshed(each.cell);
    report();
  }

  /** Marks these cells in waves, beginning with the sheet in view. */
  async function markAll(list: readonly OpenCell[], most = largestWave()): Promise<void> {
    const isInView = ({ cell }: OpenCell): boolean => cell.ref.sheet === engine.sheetInView;
    const ordered = [...list.filter(isInView), ...list.filter((each) => !isInView(each))];
    for (let from = 0; from < ordered.length; from += most) await mark(ordered.slice(from, from + most));
  }

  const largestWave = (): number => Math.max(leastLargest, Math.floor(found.length * largestShare));

  function isReady(each: OpenCell): boolean {
    if (each.marks > 0 || each.refusal !== null || each.isRefreshed) return false;
    return (each.isReady ||= outcomes.isReady(each.cell));
  }

  async function askingStage(
    asking: Promise<unknown>,
    isPart: (cell: RefreshCell) => boolean,
  ): Promise<void> {
    while (goesOn()) {
      if (outcomes.stage() === "asking") await Promise.race([asking, stopped, pause(clock, lookEveryMs)]);
      const isLastLook = outcomes.stage() === "asked";
      await findAgainAfterEdits(isPart);
      const ready = open.filter(isReady);
      await markAll(ready.slice(0, largestWave()));
      if (isLastLook && ready.length <= largestWave()) return;
    }
  }

  async function lastStage(isPart: (cell: RefreshCell) => boolean): Promise<void> {
    for (let searches = 0; goesOn();) {
      if (searches < mostSearches && (await findAgainAfterEdits(isPart))) searches += 1;
      await readUntilShown();
      const unsure = open.filter(isUnsure);
      if (unsure.length === 0) return;
      const isUnknown = ({ cell }: OpenCell): boolean =>
        cell.unpredictable > 0 && entryOf(cell) === undefined;
      const waves = marks.waves();
      await markUnknown(unsure.filter(isUnknown));
      await markAll(unsure.filter((each) => !isUnknown(each) && isUnsure(each)));
      // Another look would find the same.
      if (marks.waves() === waves) return;
    }
  }

  /** Whether marking the cell once more may help. */
  function isUnsure(each: OpenCell): boolean {
    const { cell, shown, marks: times, refusal: refused } = each;
    if (refused !== null || times >= mostMarks) return false;
    if (each.isRefreshed) return showsOther(shown, cell, entryOf(cell));
    if (failureOf(cell) !== null) return false;
    if (shown !== undefined && !marks.isCalled(each)) {
      if (cell.isChoosing && isBlank(shown)) return false;
      // Excel can't call a function that it doesn't know there.
      if (isError(shown) && shown.error === "#NAME?") return false;
    }
    if (marks.isCalled(each) && showsOther(shown, cell, entryOf(cell))) return true;
    return !turnedOutEmpty(cell) && !isRefreshed(cell);
  }

  /**
   * Reads what marked and calculated cells show, and those whose IF may skip INV, until they show what INV returned. After a cancel it reads
   * them once.
   */
  async function readUntilShown(): Promise<void> {
    const untilMs = clock.steadyNow() + showsWithinMs;
    const hasSomething = (each: OpenCell): boolean =>
      each.marks > 0 || each.cell.isChoosing || marks.isCalled(each);
    let toRead = open.filter(hasSomething).slice(0, mostRead);
    while (toRead.length > 0) {
      const shown = await readShown(
        { workbook, clock },
        toRead.map(({ cell }) => placeOf(cell)),
      );
      for (const [index, each] of toRead.entries()) each.shown = shown[index];
      if (!goesOn() || options.edits() !== editsSeen || clock.steadyNow() >= untilMs) return;
      toRead = toRead.filter(
        (each) => marks.isCalled(each) && showsOther(each.shown, each.cell, entryOf(each.cell)),
      );
      if (toRead.length > 0) await Promise.race([stopped, pause(clock, lookEveryMs)]);
    }
  }

  /**
   * Marks cells whose queries nobody knows, and that show values of the file. If there is no answer, these are lost: so one cell tries
   * first, and the others stay as they are if it isn't answered.
   */
  async function markUnknown(unknown: readonly OpenCell[]): Promise<void> {
    const [fault] = engine.progress().faults;
    unknownBecause ??= fault?.error ?? outcomes.outage();
    for (
      let probes = 0, from = 0, isProved = false;
      goesOn() && unknownBecause === null && from < unknown.length;
    ) {
      const isProbe = !isProved && probes < mostProbes;
      const wave = unknown.slice(from, from + (isProbe ? 1 : mostUnknown));
      await mark(wave, true);
      from += wave.length;
      probes += 1;
      for (const each of wave) {
        const invCell = marks.isCalled(each) ? entryOf(each.cell) : undefined;
        if (invCell === undefined) continue;
        if (invCell.isUnanswered) unknownBecause = cells.unansweredBecause(invCell);
        // An answer that was there already proves nothing about the service.
        isProved ||= queriesOf(invCell).some((query) => !outcomes.hasAsked(query));
      }
    }
    if (unknownBecause === null) return;
    for (const each of unknown) if (!marks.isCalled(each)) each.refusal ??= unknownBecause;
  }

  async function perform(): Promise<RunEnd> {
    const isPart = await partOf(options);
    await follow(options.wanted);
    const work = await outcomes.workOf(open.map(({ cell }) => cell));
    if (isStopped) return end();
    const asking = outcomes.ask(work, marks);
    try {
      // A refusal is known in the next turn. Marked cells would lose their numbers then.
      await nextTurn(clock);
      await askingStage(asking, isPart);
      outcomes.enterLastStage();
      await lastStage(isPart);
      return await end();
    } finally {
      marks.end();
    }
  }

  async function end(): Promise<RunEnd> {
    const left: { cell: RefreshCell; because: InvError }[] = [];
    const uncalled: UncalledCell[] = [];
    let refreshed = 0;
    // Only now: after the last stage it is known.
    if (isStopped && outcomes.stage() !== "before") await readUntilShown();
    const opened = new Map(open.map((each) => [each.cell, each]));
    await inTimeSlices(clock, found, (cell) => {
      const verdict = verdictOn(cell, opened.get(cell));
      if (verdict === "refreshed") refreshed += 1;
      else if (verdict === "uncalled") uncalled.push(noteUncalled(cell, opened.get(cell)));
      else if (verdict !== "needs nothing") left.push({ cell, because: verdict });
    });
    for (const cell of unfollowed()) left.push({ cell, because: movedMeanwhile });
    return { refreshed, cells: refreshed + left.length + uncalled.length, left, uncalled, editsSeen };
  }

  function verdictOn(
    cell: RefreshCell,
    each: OpenCell | undefined,
  ): "refreshed" | "needs nothing" | "uncalled" | InvError {
    const isNew = isRefreshed(cell);
    const because = outcomes.refusal() ?? each?.refusal ?? (isNew ? null : failureOf(cell));
    if (because !== null) return because;
    if (outcomes.stage() !== "before" && !engine.hasRefresh) return otherConnection;
    const isCalled = each !== undefined && marks.isCalled(each);
    if (isCalled && showsOther(each.shown, cell, entryOf(cell))) {
      return isStopped ? stoppedBefore : notCalculated;
    }
    if (turnedOutEmpty(cell)) return "needs nothing";
    if (isNew) return "refreshed";
    if (isStopped) return stoppedBefore;
    return isCalled ? notCalculated : "uncalled";
  }

  /** The old value of a cell whose IF skips INV now isn't shown any more. */
  function noteUncalled(cell: RefreshCell, each: OpenCell | undefined): UncalledCell {
    const shown = each?.shown;
    if (cell.isChoosing && shown !== undefined && isBlank(shown)) cells.forget(cellAddresses(placeOf(cell)));
    return { cell, showsError: shown !== undefined && (isError(shown) || isPending(shown)) };
  }

  /** Returns whether Excel has calculated the cell, and it asks for nothing. */
  function turnedOutEmpty(cell: RefreshCell): boolean {
    const invCell = entryOf(cell);
    return invCell !== undefined && invCell.state !== "waiting" && !needsAnswers(invCell);
  }

  /** Returns the unpredictable cells of a part of a sheet where cells have moved: nothing tells which they are now. */
  function unfollowed(): readonly RefreshCell[] {
    if (options.isWhole || found === options.wanted) return [];
    return options.wanted.filter(
      ({ ref, unpredictable }) => unpredictable > 0 && options.hasMoved(ref.sheet),
    );
  }

  return {
    end: perform(),
    isRequested: () => outcomes.stage() !== "before",
    stop() {
      isStopped = true;
      stop();
    },
  };
}

/** Returns whether a cell that was found again belongs to the refresh: edits must not make it larger. */
async function partOf({ clock, wanted, hasMoved }: RunOptions): Promise<(cell: RefreshCell) => boolean> {
  const own = new Set<string>();
  const unpredictablePlaces = new Set<string>();
  await inTimeSlices(clock, wanted, ({ ref, queries, unpredictable }) => {
    for (const query of queries) own.add(queryKey(query));
    if (unpredictable > 0) unpredictablePlaces.add(cellKey(ref));
  });
  return ({ ref, queries, unpredictable }) => {
    const asksForOwn = unpredictable === 0 && queries.every((query) => own.has(queryKey(query)));
    return asksForOwn || (unpredictablePlaces.has(cellKey(ref)) && !hasMoved(ref.sheet));
  };
}
