/**
 * Histories, from a cell's request to the calls that carry it. There is no batch call, so calls are saved by
 * sharing: equal queries share one history, and a query for one event type takes its part of the whole
 * history when that is fresh, on its way, or wanted in the same gathering. On its own it goes with its
 * filter, because a busy item's sales would cost many pages when only its receipts are wanted.
 * Invariant: a job in line is either sent or hung on another that is.
 */
import type { InvError } from "../../domain/errors";
import type { HistoryQuery } from "../../domain/records";
import { type Arrivals, requestsOfAnEdit } from "../send/arrivals";
import type { Call, Lane } from "../send/call";
import type { PartFilled } from "../items/group-lines";
import { createPageCall, type PageTools } from "./history-call";
import type { HistoryJobs, Job } from "./history-jobs";
import { historyKey, wholeHistoryKey } from "./history-key";
import type { ProgressBoard } from "../progress";
import type { Settler } from "../settler";
import type { Sheets } from "../items/sheets";
import type { HistoryAnswer } from "../types";
import type { Clock } from "../clock";

export interface HistoryLane extends Lane {
  ask(query: HistoryQuery, cell: string | undefined): Promise<HistoryAnswer>;
  /** The turn is over; when its requests were an edit, they go first. */
  endTurn(isEdit: boolean): void;
  /** Outdates these histories, but not the one just asked for anew, and puts them in line, cells or no cells. */
  refresh(queries: readonly HistoryQuery[], newKey: string | null): void;
  /** The first call of this history, asked for although a fresh one may be known. */
  probe(query: HistoryQuery, proof: (error: InvError | null) => void): Call;
}

export interface HistoryLaneOptions {
  readonly clock: Clock;
  readonly steady: Clock;
  readonly jobs: HistoryJobs;
  readonly pages: Omit<PageTools, "jobs" | "rejoin">;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly arrivals: Arrivals;
  readonly wake: () => void;
}

const choicesPerTurnOfTheOthers = 8;

export function createHistoryLane(options: HistoryLaneOptions): HistoryLane {
  const { steady, jobs, board, sheets, arrivals } = options;
  const { counts } = board;
  const tools: PageTools = { ...options.pages, jobs, rejoin };
  const line = new Set<Job>();
  const edits = new Set<Job>();
  let ofThisTurn: Job[] = [];
  let choices = 0;

  function ask(query: HistoryQuery, cell: string | undefined): Promise<HistoryAnswer> {
    const nowMs = steady.now();
    board.begin(nowMs);
    counts.asked += 1;
    const fresh = jobs.fresh(query);
    if (fresh !== undefined) return giveAgain(fresh);
    const known = jobs.find(historyKey(query));
    if (known !== undefined && known.cells > 0) counts.saved += 1;
    const job = known ?? joinLine(jobs.create(query));
    job.sheets |= sheets.bitOf(cell);
    if (job.place === "line") {
      arrivals.note(nowMs);
      if (ofThisTurn.length <= requestsOfAnEdit) ofThisTurn.push(job);
      options.wake();
    }
    return jobs.hang(job);
  }

  function giveAgain(answer: HistoryAnswer): Promise<HistoryAnswer> {
    counts.done += 1;
    counts.saved += 1;
    options.wake();
    return options.settler.answer(answer);
  }

  function joinLine(job: Job): Job {
    line.add(job);
    return job;
  }

  function rejoin(job: Job): void {
    moveTo(job, "line");
    // Before those that came later.
    const others = [...line];
    line.clear();
    for (const waiting of [job, ...others]) line.add(waiting);
  }

  function moveTo(job: Job, place: Job["place"]): void {
    if (job.place === place) return;
    if (job.place === "call") {
      counts.inFlight -= job.cells;
      counts.waiting += job.cells;
    } else if (place === "call") {
      counts.waiting -= job.cells;
      counts.inFlight += job.cells;
    }
    job.place = place;
  }

  function endTurn(isEdit: boolean): void {
    const requests = ofThisTurn;
    ofThisTurn = [];
    if (!isEdit) return;
    for (const job of requests) if (line.has(job)) edits.add(job);
  }

  /** A history of all types is as full as it can be; one of a single type may find its whole one later. */
  function take(partFilled: PartFilled): Call | null {
    choices += 1;
    const wantsPreferred = choices % choicesPerTurnOfTheOthers !== 0;
    let second: Job | null = null;
    for (const job of line) {
      if (partFilled === "none" && job.query.eventType !== undefined && !job.goesAlone) continue;
      const isPreferred = (job.sheets & sheets.preferred()) !== 0;
      const isFirstChoice = sheets.preferred() === 0 || isPreferred === wantsPreferred;
      if (!isFirstChoice && second !== null) continue;
      if (hangOnWhole(job)) continue;
      if (isFirstChoice) return send(job, false);
      second = job;
    }
    return second === null ? null : send(second, false);
  }

  function takeEdit(): Call | null {
    for (const job of edits) {
      edits.delete(job);
      if (line.has(job) && !hangOnWhole(job)) return send(job, true);
    }
    return null;
  }

  /** True when the job needs no call of its own. */
  function hangOnWhole(job: Job): boolean {
    const { eventType } = job.query;
    if (eventType === undefined || job.goesAlone) return false;
    const fresh = job.proof === undefined ? jobs.fresh(job.query) : undefined;
    const whole = jobs.find(wholeHistoryKey(job.query));
    if (fresh === undefined && whole === undefined) return false;
    line.delete(job);
    edits.delete(job);
    if (fresh !== undefined) jobs.answered(job, fresh);
    else {
      moveTo(job, "whole");
      whole?.parts.push(job);
    }
    return true;
  }

  function send(job: Job, isEdit: boolean): Call {
    line.delete(job);
    edits.delete(job);
    moveTo(job, "call");
    return createPageCall(tools, { job, isEdit, page: null });
  }

  function refresh(queries: readonly HistoryQuery[], newKey: string | null): void {
    for (const query of queries) jobs.outdate(query, newKey);
    for (const query of queries) {
      if (historyKey(query) === newKey) continue;
      if (jobs.find(historyKey(query)) === undefined) joinLine(jobs.create(query));
    }
    options.wake();
  }

  function probe(query: HistoryQuery, proof: (error: InvError | null) => void): Call {
    const waiting = jobs.find(historyKey(query));
    if (waiting !== undefined && waiting.place !== "line") waiting.isOvertaken = true;
    const job = jobs.create(query, proof);
    if (waiting !== undefined && line.delete(waiting)) {
      edits.delete(waiting);
      moveTo(waiting, "whole");
      job.parts.push(waiting);
    }
    return send(job, true);
  }

  function failAll(error: InvError): void {
    const waiting = [...line];
    line.clear();
    edits.clear();
    for (const job of waiting) jobs.unanswered(job, error);
  }

  return {
    ask,
    endTurn,
    refresh,
    probe,
    take,
    takeEdit,
    failAll,
    isWaiting: () => line.size > 0,
    callsWaiting: () => line.size,
  };
}
