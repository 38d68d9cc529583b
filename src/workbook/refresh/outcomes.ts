/**
 * Asks the engine for what a refresh needs, and knows how that ended, by query. The engine keeps the outcomes. With the
 * register, which knows what the last calculation of a cell used, they tell whether a cell is refreshed, whether it may be marked, and why not.
 */
import { queriesOf } from "../../cells/cell-record";
import type { InvCell } from "../../cells/cell-register";
import { type InvError, isUnanswered, toInvError } from "../../domain/errors";
import { isHistory, queryKey, undatedQuery, wholeQuery } from "../../domain/query-keys";
import type { HistoryQuery, Query } from "../../domain/records";
import { isAnswered, type Outcome, type RefreshOptions, type Work } from "../../engine/types";
import { inTimeSlices } from "../in-time-slices";
import { createWorkList } from "../work-list";
import { invCellOf, type RefreshCell, type RefreshContext } from "./scopes";

type Stage = "before" | "asking" | "asked" | "last";

export type Outcomes = ReturnType<typeof createOutcomes>;

export function createOutcomes(
  options: Pick<RefreshContext, "engine" | "cells" | "clock"> & {
    readonly request: Pick<RefreshOptions, "ageMs" | "continues">;
  },
) {
  const { engine, cells, clock, request } = options;
  const calculatedBefore = cells.lastRecalculation();
  /** Queries of sums, and the whole history that is asked for because the query has found nothing. */
  const sums = new Set<string>();
  const wholes = new Map<string, HistoryQuery>();
  /** Keys of all queries that the engine was asked for, how many were answered, and why others weren't. */
  const requestedKeys = new Set<string>();
  const tally = { answered: 0, failures: [] as InvError[] };
  /** Why the engine has refused the whole request, such as without a connection. */
  let refusal: InvError | null = null;
  let stage: Stage = "before";

  const entryOf = (cell: RefreshCell): InvCell | undefined => invCellOf(cells, cell);

  /** Returns whether the cached answer for a query is new. Before the request, the engine would speak of the last refresh. */
  function isNew(query: Query): boolean {
    if (stage !== "before" || request.continues === true) return engine.hasNewAnswer(query);
    return request.ageMs === undefined ? engine.isNewEnough(query) : engine.isFresh(query);
  }

  /** Returns whether the cell's last calculation used new answers only. */
  function isRefreshed(cell: RefreshCell): boolean {
    const invCell = entryOf(cell);
    if (invCell === undefined || invCell.state === "waiting" || invCell.isUnanswered) return false;
    if (invCell.environmentId !== (engine.connection?.environment.id ?? null)) return false;
    // A date may have changed since, and Excel may begin the second call in a later turn.
    if (cell.isReadFromText && !cell.queries.every(isNew)) return false;
    const queries = queriesOf(invCell);
    let oldestMs = Infinity;
    for (const query of queries) {
      if (!isNew(query)) return false;
      const answer = isHistory(query) ? engine.cachedHistory(query) : engine.cachedItem(query);
      oldestMs = Math.min(oldestMs, answer?.fetchedAtMs ?? Infinity);
    }
    return queries.length === 0 || (invCell.oldestMs ?? -Infinity) >= oldestMs;
  }

  /** Returns how the refresh's request for a query has ended; null if it hasn't asked, or waits. */
  function outcomeOf(query: Query): "new" | InvError | null {
    if (stage === "before") return null;
    const whole = wholes.size === 0 ? undefined : wholes.get(queryKey(query));
    return engine.refreshOutcome(whole ?? query);
  }

  /** Returns why the cell has no new answer; null if there is no such reason. */
  function failureOf(cell: RefreshCell): InvError | null {
    const invCell = entryOf(cell);
    const isKnown = invCell !== undefined && invCell.state !== "waiting" && invCell.queries !== null;
    for (const query of isKnown ? queriesOf(invCell) : cell.queries) {
      const outcome = outcomeOf(query);
      if (outcome !== null && outcome !== "new") return engine.unanswered.because(query) ?? outcome;
    }
    const isNow = invCell !== undefined && invCell.recalculation > calculatedBefore;
    return isNow && invCell.isUnanswered ? cells.unansweredBecause(invCell) : null;
  }

  /** Whether all outcomes of a cell are there, and it would show something new and lose nothing. */
  function isReady(cell: RefreshCell): boolean {
    if (cell.unpredictable > 0) return false;
    let isAnyNew = cell.isRefused;
    for (const query of cell.queries) {
      const outcome = outcomeOf(query);
      if (outcome === null) return false;
      if (outcome === "new") isAnyNew = true;
      else if (wouldBeLost(query)) return false;
    }
    return isAnyNew && entryOf(cell)?.state !== "waiting" && !isRefreshed(cell);
  }

  function wouldBeLost(query: Query): boolean {
    if (wholes.has(queryKey(query))) return true;
    return (isHistory(query) ? engine.cachedHistory(query) : engine.cachedItem(query)) === undefined;
  }

  /** A sum that finds no event is 0 if the item has a history of other days or types. So that is needed too, unless it is known. */
  function wholeFor(query: Query, outcome: Outcome<unknown>): HistoryQuery | null {
    const key = queryKey(query);
    if (!isHistory(query) || !sums.has(key) || !isAnswered(outcome) || outcome.found) return null;
    if (outcome.error.code !== "no-data" || outcome.staleBecause !== undefined) return null;
    const whole = undatedQuery(wholeQuery(query));
    if (engine.cachedHistory(whole)?.found === true) return null;
    wholes.set(key, whole);
    if (requestedKeys.has(queryKey(whole))) return null;
    requestedKeys.add(queryKey(whole));
    return whole;
  }

  function count(_query: Query, outcome: Outcome<unknown>): void {
    const because = isAnswered(outcome) ? outcome.staleBecause : outcome;
    if (because === undefined) tally.answered += 1;
    // A refused value says nothing about the service.
    else if (isUnanswered(because.code)) tally.failures.push(because);
  }

  return {
    isRefreshed,
    failureOf,
    isReady,
    stage: () => stage,
    refusal: () => refusal,
    hasAsked: (query: Query): boolean => requestedKeys.has(queryKey(query)),
    /** Returns the reason if at least half of the queries had no answer. */
    outage: (): InvError | null =>
      tally.failures.length >= tally.answered ? (tally.failures[0] ?? null) : null,
    noteSums(cell: RefreshCell): void {
      for (const query of cell.sums) sums.add(queryKey(query));
    },
    async workOf(list: readonly RefreshCell[]): Promise<Work> {
      const found = createWorkList();
      await inTimeSlices(clock, list, ({ queries }) => {
        for (const query of queries) {
          found.add(query);
          requestedKeys.add(queryKey(query));
        }
      });
      return found.work;
    },
    /** Asks the engine. Resolves when each query has its outcome. */
    async ask(work: Work, marks: Required<Pick<RefreshOptions, "isMarked" | "asksAnyway">>): Promise<void> {
      const { isMarked, asksAnyway } = marks;
      const isLastStage = (): boolean => stage === "last";
      const callbacks = { isMarked, asksAnyway, isLastStage, settled: count, alsoNeeds: wholeFor };
      const asking = engine.refresh(work, { ...request, ...callbacks });
      stage = "asking";
      await asking.catch((error: unknown) => {
        // Otherwise each query has its own reason.
        if (!engine.hasRefresh) refusal = toInvError(error);
      });
      stage = "asked";
    },
    enterLastStage(): void {
      stage = "last";
    },
  };
}
