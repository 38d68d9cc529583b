/**
 * One refresh from the request to the last cell. Asks the engine for everything that the cells need, and marks a cell when its
 * answers are there: in waves, so that few cells show #BUSY! at once. Cells whose queries can't be predicted are marked last.
 * Invariants: a cell is marked only if it then shows more new values than before and loses none. Cells that aren't refreshed in the
 * end are returned with the reason.
 * Somebody may insert rows at any time. Then the cells are found again, and those that don't show their new answers are marked.
 */
import { needsAnswers } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import { InvError, isUnanswered, messageOf, toInvError } from "../../domain/errors";
import { isHistory, queryKey, undatedQuery, wholeQuery } from "../../domain/query-keys";
import type { HistoryQuery, Query } from "../../domain/records";
import { nextTurn, type TimerId } from "../../engine/clock";
import { isAnswered, type Outcome, type RefreshOptions } from "../../engine/types";
import { cellAddresses, cellKey, contains } from "../addresses";
import { isBlank } from "../cell-content";
import { inTimeSlices } from "../in-time-slices";
import { isPending } from "../still-waiting";
import { loadAndReadSettled } from "../what-changed/change-watch";
import { createWorkList } from "../work-list";
import { movedMeanwhile, notCalculated, reasonIn, stoppedBefore } from "./left-reasons";
import { invCellOf, type RefreshCell, placeOf, type RefreshContext, type Scopes } from "./scopes";

/** Fewer cells with answers wait this long for others, so that Excel isn't interrupted for each of them. */
const waveAfterMs = 1_000;
const smallestWave = 300;
/** At most this share of a large refresh is marked at once. */
const largestShare = 0.1;
const leastLargest = 1_000;
/** The host calls the functions of marked cells within this time, or has forgotten them. */
const calledWithinMs = 10_000;
/** The same between two waves. */
const waveWithinMs = 3_000;
const mostRead = 50_000;
/** Functions that may skip a call, also when somebody empties a cell. */
const choosing = /\b(?:IFS?|SWITCH|CHOOSE)\(/i;
/** Later calls after a cancel have another cause, such as an edit. */
const lateCallsMs = 30_000;
/** How often cells are found again at the end because somebody keeps editing. */
const mostSearches = 3;

interface RoundOptions extends RefreshContext {
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
  onRefreshed(cells: number): void;
}

export interface RoundEnd {
  readonly refreshed: number;
  readonly cells: number;
  /** How each query ended, by its key. */
  readonly outcomes: ReadonlyMap<string, Outcome<unknown>>;
  /** All other cells. They keep what they show. */
  readonly left: readonly { readonly cell: RefreshCell; readonly because: InvError }[];
  /** The number of edits before the last search for the cells. */
  readonly editsSeen: number;
}

export interface Round {
  /** Rejects if the workbook can't be read. Otherwise every cell is refreshed, or left with a reason. */
  readonly end: Promise<RoundEnd>;
  /** Whether the engine was asked. Until then, its latest refresh is another one. */
  isRequested(): boolean;
  stop(): void;
}

interface MarkedCell {
  readonly cell: RefreshCell;
  /** The number of its calculation before the mark. */
  readonly before: number;
  /** Excel's notation isn't known before it has calculated the cell, so the cell has both. */
  readonly addresses: readonly string[];
}

export function runRound(options: RoundOptions): Round {
  const { workbook, engine, cells, clock, scopes } = options;
  const outcomes = new Map<string, Outcome<unknown>>();
  const asked = new Set<string>();
  /** What the cells needed at the start, and the places of those that can't be predicted. */
  const own = new Set<string>();
  const unpredictablePlaces = new Set<string>();
  /** Queries of sums, and the whole history that is asked for because the query has found nothing. */
  const sums = new Set<string>();
  const wholes = new Map<string, string>();
  /** Marked cells by each of their two addresses, until they have settled. */
  const marked = new Map<string, MarkedCell>();
  /** Number of cells that show new values. */
  let refreshed = 0;
  let wanted = options.wanted;
  /** Cells that don't show their new answers and aren't marked. */
  let open = new Set<RefreshCell>();
  /** Those of them that wait for answers, by query, and for how many. */
  let waiting = new Map<string, RefreshCell[]>();
  let left = new Map<RefreshCell, number>();
  /** Those of them whose answers are there, and those whose queries are known only after a calculation. */
  let ready: RefreshCell[] = [];
  let last: RefreshCell[] = [];
  /** Why cells can't be marked. */
  let refused = new Map<RefreshCell, InvError>();
  /** Why queries have no answer, and how many have one. It is an outage if those are no more. A refused value is neither. */
  const unanswered: InvError[] = [];
  let answered = 0;
  /** Why the engine has refused the whole request, such as without a connection. */
  let refusal: InvError | null = null;
  let isRequested = false;
  let isAsking = true;
  let isStopped = false;
  const calculatedBefore = cells.lastRecalculation();
  /** When cells were marked last. */
  let markedAtMs = clock.steadyNow();
  let { editsSeen } = options;
  let wake: () => void = () => undefined;

  /** Resolves after the next answer or report of a cell, or after this time. */
  function change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer: TimerId = clock.setTimeout(resolve, withinMs);
      wake = () => {
        clock.clearTimeout(timer);
        resolve();
      };
    });
  }

  const entryOf = (cell: RefreshCell): InvCell | undefined => invCellOf(cells, cell);
  const isKnown = (query: Query): boolean => asked.has(queryKey(query)) || isNew(query);

  function cached(query: Query) {
    return isHistory(query) ? engine.cachedHistory(query) : engine.cachedItem(query);
  }

  /** Whether the cached answer for a query is new. Before the request, the engine would speak of the last refresh. */
  function isNew(query: Query): boolean {
    if (isRequested || options.request.continues === true) return engine.hasNewAnswer(query);
    return options.request.ageMs === undefined ? engine.isNewEnough(query) : engine.isFresh(query);
  }

  /** Returns whether the cell shows a new answer for each of its queries. */
  function isRefreshed(cell: RefreshCell): boolean {
    const invCell = entryOf(cell);
    if (invCell === undefined || invCell.state === "waiting") return false;
    if (invCell.isUnanswered) return false;
    if (invCell.environmentId !== (engine.connection?.environment.id ?? null)) return false;
    const queries = invCell.queries === null ? [] : [invCell.queries].flat();
    if (!queries.every(isNew)) return false;
    let oldestMs = Infinity;
    for (const query of queries) oldestMs = Math.min(oldestMs, cached(query)?.fetchedAtMs ?? Infinity);
    return queries.length === 0 || (invCell.oldestMs ?? -Infinity) >= oldestMs;
  }

  /** Returns whether the cell is refreshed. Of one whose queries couldn't be predicted, it must be marked and answered. */
  function isDone(cell: RefreshCell): boolean {
    if (isRefreshed(cell)) return true;
    if (cell.unpredictable === 0 || open.has(cell) || refused.has(cell)) return false;
    return entryOf(cell)?.isUnanswered !== true && firstReason(cell.queries) === null;
  }

  /** Called when all answers of the cell are there or have failed. A cell that would lose a value stays as it is. */
  function sortOut(cell: RefreshCell): void {
    const { queries, unpredictable } = cell;
    let isAnyNew = false;
    let isLost = false;
    for (const query of queries) {
      const key = queryKey(query);
      if (reasonFor(key) === null) isAnyNew = true;
      else isLost ||= cached(query) === undefined || wholes.has(key);
    }
    if (isLost) return;
    if (unpredictable > 0 || !queries.every(isKnown)) last.push(cell);
    else if (isAnyNew) ready.push(cell);
  }

  /** Returns whether a cell that was found again belongs to the refresh: edits must not make it larger. */
  function isPart({ ref, queries, unpredictable }: RefreshCell): boolean {
    const asksForOwn = unpredictable === 0 && queries.every((query) => own.has(queryKey(query)));
    const isOwnPlace = unpredictablePlaces.has(cellKey(ref));
    return asksForOwn || (isOwnPlace && !options.hasMoved(ref.sheet));
  }

  /** Sets up the cells, as they are now, by what they wait for. */
  async function classify(found: readonly RefreshCell[]): Promise<void> {
    wanted = options.isWhole || found === options.wanted ? found : found.filter(isPart);
    open = new Set();
    waiting = new Map();
    left = new Map();
    [ready, last] = [[], []];
    refused = new Map();
    marked.clear();
    await inTimeSlices(clock, wanted, (cell) => {
      if (!isRefreshed(cell)) open.add(cell);
      for (const query of cell.sums) sums.add(queryKey(query));
    });
    refreshed = wanted.length - open.size;
  }

  async function awaitAnswers(): Promise<void> {
    await inTimeSlices(clock, [...open], (cell) => {
      const keys = new Set<string>();
      for (const query of cell.queries) {
        const key = queryKey(query);
        const awaited = outcomes.has(key) ? (wholes.get(key) ?? key) : key;
        if (asked.has(awaited) && !outcomes.has(awaited)) keys.add(awaited);
      }
      // An answer may have come between two slices.
      if (keys.size === 0) sortOut(cell);
      else left.set(cell, keys.size);
      for (const key of keys) {
        const needing = waiting.get(key);
        if (needing === undefined) waiting.set(key, [cell]);
        else needing.push(cell);
      }
    });
  }

  function noteOutcome(query: Query, outcome: Outcome<unknown>): void {
    const key = queryKey(query);
    outcomes.set(key, outcome);
    const reason = reasonIn(outcome);
    if (reason === null) answered += 1;
    else if (isUnanswered(reason.code)) unanswered.push(reason);
    const needing = waiting.get(key) ?? [];
    waiting.delete(key);
    const whole = wholes.get(key);
    if (whole !== undefined && !outcomes.has(whole)) {
      waiting.set(whole, [...(waiting.get(whole) ?? []), ...needing]);
      return;
    }
    for (const cell of needing) {
      const others = (left.get(cell) ?? 1) - 1;
      left.set(cell, others);
      if (others === 0 && open.has(cell)) sortOut(cell);
    }
    wake();
  }

  /** A sum that finds no event is 0 if the item has a history of other days or types. So that is needed too, unless it is known. */
  function wholeFor(query: Query, outcome: Outcome<unknown>): HistoryQuery | null {
    const key = queryKey(query);
    if (!isHistory(query) || !sums.has(key) || !isAnswered(outcome) || outcome.found) return null;
    if (outcome.error.code !== "no-data" || outcome.staleBecause !== undefined) return null;
    const whole = undatedQuery(wholeQuery(query));
    if (engine.cachedHistory(whole)?.found === true) return null;
    const wholeKey = queryKey(whole);
    wholes.set(key, wholeKey);
    if (asked.has(wholeKey)) return null;
    asked.add(wholeKey);
    return whole;
  }

  /** Takes the next wave, beginning with the sheet in view. */
  function takeWave(): readonly RefreshCell[] {
    const most = Math.max(leastLargest, wanted.length * largestShare);
    const isInView = (cell: RefreshCell): boolean => cell.ref.sheet === engine.sheetInView;
    const ordered = [...ready.filter(isInView), ...ready.filter((cell) => !isInView(cell))];
    ready = ordered.slice(most);
    return ordered.slice(0, most);
  }

  async function perform(): Promise<RoundEnd> {
    await inTimeSlices(clock, options.wanted, ({ ref, queries, unpredictable }) => {
      for (const query of queries) own.add(queryKey(query));
      if (unpredictable > 0) unpredictablePlaces.add(cellKey(ref));
    });
    await classify(options.wanted);
    const list = createWorkList();
    for (const { queries } of open) for (const query of queries) list.add(query);
    const { work } = list;
    for (const query of [...work.items, ...work.histories]) asked.add(queryKey(query));
    await awaitAnswers();
    if (hasStopped()) return end(new Set());
    const unsubscribe = cells.subscribe(() => wake());
    try {
      const request = engine
        .refresh(work, {
          ...options.request,
          isMarked: (cell) => marked.has(cell),
          settled: noteOutcome,
          alsoNeeds: wholeFor,
        })
        .catch((error: unknown) => {
          // Otherwise each query has its own reason.
          if (outcomes.size === 0) refusal = toInvError(error);
        })
        .finally(() => {
          isAsking = false;
          wake();
        });
      isRequested = true;
      // A refusal is known in the next turn. Marked cells would lose their numbers then.
      await nextTurn(clock);
      if (isRefused()) return await end(new Set());
      await markWhatIsReady();
      await request;
      return await end(await markLast());
    } finally {
      unsubscribe();
      // Excel may call functions of marked cells for a while after a cancel. Nothing may leave for them.
      if (isStopped) clock.setTimeout(() => marked.clear(), lateCallsMs);
      else marked.clear();
    }
  }

  async function markWhatIsReady(): Promise<void> {
    let firstReadyAtMs = Infinity;
    while (!isStopped) {
      await findAgainAfterEdits();
      if (ready.length === 0 && !isAsking) return;
      firstReadyAtMs = ready.length === 0 ? Infinity : Math.min(firstReadyAtMs, clock.steadyNow());
      const waitsMs = firstReadyAtMs + waveAfterMs - clock.steadyNow();
      if (ready.length >= smallestWave || !isAsking || waitsMs <= 0) {
        firstReadyAtMs = Infinity;
        await mark(takeWave());
        await called(waveWithinMs);
      } else await change(Math.min(waitsMs, 30_000));
    }
  }

  /**
   * Marks the cells that can't be predicted, then once more those that the host has forgotten. If somebody has edited in
   * between, begins again with the cells as they are now. Returns the cells that the host has forgotten twice.
   */
  async function markLast(): Promise<ReadonlySet<RefreshCell>> {
    let list: readonly RefreshCell[] = last;
    let isSecondMark = false;
    for (let searches = 0; !isStopped;) {
      await mark(list);
      await called(calledWithinMs);
      const forgotten = await forgottenCells(isSecondMark);
      if (searches < mostSearches && (await findAgainAfterEdits())) {
        searches += 1;
        [list, isSecondMark] = [[...ready, ...last], false];
      } else if (forgotten.length === 0 || isSecondMark) {
        return new Set(forgotten);
      } else [list, isSecondMark] = [forgotten, true];
    }
    return new Set();
  }

  async function findAgainAfterEdits(): Promise<boolean> {
    if (options.edits() === editsSeen) return false;
    editsSeen = options.edits();
    const { wanted: found } = await scopes.findAgain(options.sheets);
    if (isStopped) return false;
    await classify(found);
    await awaitAnswers();
    return true;
  }

  const hasStopped = (): boolean => isStopped;
  const isRefused = (): boolean => refusal !== null;

  /** Without an answer, a cell whose queries are unknown would lose its value from the file. In an outage it isn't marked. */
  function staysInOutage(cell: RefreshCell): boolean {
    const [outage] = unanswered;
    if (outage === undefined || unanswered.length < answered) return false;
    if (cell.unpredictable === 0 || entryOf(cell) !== undefined) return false;
    refused.set(cell, outage);
    return true;
  }

  async function mark(given: readonly RefreshCell[]): Promise<void> {
    const list = given.filter((cell) => !staysInOutage(cell));
    if (list.length === 0 || isStopped) return;
    for (const cell of list) {
      open.delete(cell);
      const before = entryOf(cell)?.recalculation ?? 0;
      const each = { cell, before, addresses: cellAddresses(placeOf(cell)) };
      for (const address of each.addresses) marked.set(address, each);
    }
    // If the host refuses all of them, it rejects.
    const refusals = await workbook
      .recalculate(list.map(placeOf))
      .catch((error: unknown) => [{ areas: null, reason: messageOf(error) }]);
    markedAtMs = clock.steadyNow();
    for (const { areas, reason } of refusals) {
      for (const cell of list) {
        const place = placeOf(cell);
        if (areas !== null && !areas.some((area) => contains(area, place))) continue;
        refused.set(cell, new InvError("not-possible", reason));
        for (const address of cellAddresses(place)) marked.delete(address);
      }
    }
  }

  /** Waits until the marked cells have settled. Those that the host doesn't call within this time stay marked. */
  async function called(withinMs: number): Promise<void> {
    const untilMs = clock.steadyNow() + withinMs;
    while (!isStopped) {
      let calculating = 0;
      for (const { cell, before, addresses } of new Set(marked.values())) {
        const invCell = entryOf(cell);
        if (invCell?.state === "waiting") calculating += 1;
        else if (invCell !== undefined && invCell.recalculation !== before) {
          for (const address of addresses) marked.delete(address);
          if (isDone(cell)) refreshed += 1;
        }
      }
      options.onRefreshed(refreshed);
      const leftMs = untilMs - clock.steadyNow();
      // INV settles a waiting cell itself, however long that takes.
      if (marked.size === 0 || (leftMs <= 0 && calculating === 0)) return;
      await change(leftMs > 0 ? Math.min(leftMs, 500) : 500);
    }
  }

  /**
   * Returns the cells that Excel has forgotten: it shows #BUSY! long after INV has settled them, or never called one. Excel loses marks
   * of an interrupted calculation, and results that it couldn't accept for 60 seconds. An IF may skip the calls of a cell: one that
   * is empty, and that this session hasn't calculated, was skipped. Others are marked again. Then the value may be the IF's, or, if INV has
   * filled the cell before, it is empty since an edit.
   */
  async function forgottenCells(isSecondMark: boolean): Promise<readonly RefreshCell[]> {
    const uncalled = uncalledCells();
    const settled = wanted.filter((cell) => !open.has(cell)).slice(0, mostRead);
    // The host needs time to show what INV has returned.
    const isEnough = (): boolean => isStopped || clock.steadyNow() >= markedAtMs + calledWithinMs;
    const shown = await loadAndReadSettled({ workbook, clock }, settled, isEnough);
    return wanted.filter((cell) => {
      const content = shown.get(cell);
      if (isPending(content ?? null)) return true;
      if (!uncalled.has(cell) || isRefreshed(cell)) return false;
      const isEmpty = content !== undefined && isBlank(content);
      return entryOf(cell) === undefined
        ? !(cell.isSkippable && (isSecondMark || isEmpty))
        : !(isSecondMark && isEmpty && choosing.test(cell.ref.formula));
    });
  }

  const uncalledCells = () => new Set([...marked.values()].map(({ cell }) => cell));

  /** @param forgotten cells that Excel has forgotten twice */
  async function end(forgotten: ReadonlySet<RefreshCell>): Promise<RoundEnd> {
    const left: { cell: RefreshCell; because: InvError }[] = [];
    // Excel has calculated all marked cells if it has called some and forgotten none. Then an IF skips the others' calls.
    const isCalculated = !isStopped && forgotten.size === 0 && cells.lastRecalculation() > calculatedBefore;
    const uncalled = uncalledCells();
    const missed = isCalculated ? forgotten : new Set([...forgotten, ...uncalled]);
    refreshed = 0;
    await inTimeSlices(clock, wanted, (cell) => {
      if (turnedOutEmpty(cell)) return;
      const isSkipped = uncalled.has(cell) && !missed.has(cell) && !isRefreshed(cell);
      if (isSkipped) cells.forget(cellAddresses(placeOf(cell)));
      if (isSkipped || (!missed.has(cell) && isDone(cell))) refreshed += 1;
      else left.push({ cell, because: reasonOf(cell) });
    });
    for (const cell of unfollowed()) left.push({ cell, because: movedMeanwhile });
    return { refreshed, cells: refreshed + left.length, outcomes, left, editsSeen };
  }

  /** Returns the unpredictable cells of a part of a sheet where cells have moved: nothing tells which they are now. */
  function unfollowed(): readonly RefreshCell[] {
    if (options.isWhole || wanted === options.wanted) return [];
    const hasMoved = (cell: RefreshCell) => options.hasMoved(cell.ref.sheet);
    return options.wanted.filter((cell) => cell.unpredictable > 0 && hasMoved(cell));
  }

  /** Returns why the cell isn't refreshed. */
  function reasonOf(cell: RefreshCell): InvError {
    const invCell = entryOf(cell);
    const because = refusal ?? (invCell && cells.unansweredBecause(invCell)) ?? firstReason(cell.queries);
    return refused.get(cell) ?? because ?? (isStopped ? stoppedBefore : notCalculated);
  }

  /** Returns whether the cell's queries couldn't be predicted, and there are none. */
  function turnedOutEmpty(cell: RefreshCell): boolean {
    const invCell = cell.unpredictable === 0 ? undefined : entryOf(cell);
    return invCell !== undefined && invCell.state !== "waiting" && !needsAnswers(invCell);
  }

  function firstReason(queries: readonly Query[]): InvError | null {
    const reasons = queries.map((query) => reasonFor(queryKey(query)));
    return reasons.find((reason) => reason !== null) ?? null;
  }

  /** Returns why the query has no new answer, or the whole history that it needs. */
  function reasonFor(key: string): InvError | null {
    const outcome = outcomes.get(wholes.get(key) ?? key);
    return outcome === undefined ? null : reasonIn(outcome);
  }

  return {
    end: perform(),
    isRequested: () => isRequested,
    stop() {
      isStopped = true;
      wake();
    },
  };
}
