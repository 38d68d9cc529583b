/**
 * Histories on their way and histories known: one job per query that somebody waits for, and a bounded
 * memory of answers (weighed by their events). Settles jobs with their answer, the last known one, or the
 * reason; a whole history settles the queries for single event types that hang on it.
 * Invariant: a job settles once; a history overtaken by a refresh never replaces a newer one.
 */
import { LRUCache } from "lru-cache";
import type { HistoryQuery } from "../../domain/records";
import type { InvError } from "../../domain/errors";
import { historyKey, partOf, wholeHistoryKey } from "./history-key";
import type { ProgressBoard } from "../progress";
import { cellsPerPromise, refusal, type Resolve, type Settler } from "../settler";
import type { EngineSettings, HistoryAnswer, StaleEntry } from "../types";

export interface Job {
  readonly key: string;
  readonly query: HistoryQuery;
  promise: Promise<HistoryAnswer> | null;
  readonly hanging: { resolve: Resolve<HistoryAnswer>; cells: number }[];
  cells: number;
  /** In line, in a call, or hanging on the whole history. */
  place: "line" | "call" | "whole";
  /** Queries for one event type that take their part of this one's answer. */
  readonly parts: Job[];
  /** A refresh began after its first page was asked for. */
  isOvertaken: boolean;
  /** The last known answer when it was asked for. */
  readonly before: HistoryAnswer | undefined;
  /** Its whole history could not be read: it goes with its filter. */
  goesAlone: boolean;
  /** Bits of the sheets that wait for it. */
  sheets: number;
  readonly proof: ((error: InvError | null) => void) | undefined;
}

interface Known {
  readonly query: HistoryQuery;
  readonly answer: HistoryAnswer;
  readonly isOutdated: boolean;
}

export interface HistoryJobs {
  find(key: string): Job | undefined;
  create(query: HistoryQuery, proof?: Job["proof"]): Job;
  /** One more cell waits for the job. */
  hang(job: Job): Promise<HistoryAnswer>;
  /** The fresh answer to a query, its own or its part of a whole one. */
  fresh(query: HistoryQuery): HistoryAnswer | undefined;
  /** The newest known answer to a query, own or part of a whole one, however old. */
  lastKnown(query: HistoryQuery): HistoryAnswer | undefined;
  answered(job: Job, answer: HistoryAnswer): void;
  unanswered(job: Job, error: InvError): void;
  /** No known answer to it is fresh from now on, except the one just asked for anew. */
  outdate(query: HistoryQuery, newKey: string | null): void;
  /** All but the one just asked for anew. */
  outdateAll(newKey: string | null): void;
  known(): Iterable<HistoryQuery>;
  stale(): readonly StaleEntry[];
  clear(): void;
}

interface Options {
  readonly now: () => number;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly settings: () => EngineSettings;
}

const eventsHeld = 200_000;

export function createHistoryJobs({ now, settler, board, settings }: Options): HistoryJobs {
  const { counts } = board;
  const jobs = new Map<string, Job>();
  const stales = new Map<string, StaleEntry>();
  const known = new LRUCache<string, Known>({
    maxSize: eventsHeld,
    sizeCalculation: ({ answer }) => (answer.found ? Math.min(answer.value.length + 1, eventsHeld) : 1),
  });

  function create(query: HistoryQuery, proof?: Job["proof"]): Job {
    const job: Job = {
      key: historyKey(query),
      query,
      promise: null,
      hanging: [],
      cells: 0,
      place: "line",
      parts: [],
      isOvertaken: false,
      before: known.peek(historyKey(query))?.answer,
      goesAlone: false,
      sheets: 0,
      proof,
    };
    jobs.set(job.key, job);
    return job;
  }

  function hang(job: Job): Promise<HistoryAnswer> {
    job.cells += 1;
    if (job.place === "call") counts.inFlight += 1;
    else counts.waiting += 1;
    const last = job.hanging[job.hanging.length - 1];
    if (job.promise !== null && last !== undefined && last.cells < cellsPerPromise) {
      last.cells += 1;
      return job.promise;
    }
    job.promise = new Promise<HistoryAnswer>((resolve) => job.hanging.push({ resolve, cells: 1 }));
    return job.promise;
  }

  function fresh(query: HistoryQuery): HistoryAnswer | undefined {
    const own = freshAt(historyKey(query));
    if (own !== undefined || query.eventType === undefined) return own;
    const whole = freshAt(wholeHistoryKey(query));
    return whole && partOf(whole, query.eventType);
  }

  function freshAt(key: string): HistoryAnswer | undefined {
    const found = known.get(key);
    if (found === undefined || found.isOutdated) return undefined;
    return now() - found.answer.fetchedAtMs < settings().freshnessMs ? found.answer : undefined;
  }

  function leave(job: Job): void {
    if (jobs.get(job.key) === job) jobs.delete(job.key);
    if (job.place === "call") counts.inFlight -= job.cells;
    else counts.waiting -= job.cells;
  }

  function answered(job: Job, answer: HistoryAnswer): void {
    leave(job);
    counts.done += job.cells;
    remember(job, answer);
    for (const { resolve, cells } of job.hanging) settler.settle(resolve, answer, cells);
    job.proof?.(null);
    for (const part of job.parts) answered(part, partOf(answer, part.query.eventType));
  }

  function remember(job: Job, answer: HistoryAnswer): void {
    const { key, query } = job;
    const older = known.get(key);
    // What a newer call was answered stays, outdated in its turn or not.
    if (job.isOvertaken && older?.answer !== job.before) return;
    stales.delete(key);
    known.set(key, { query, answer, isOutdated: job.isOvertaken && older?.isOutdated !== false });
  }

  function unanswered(job: Job, error: InvError): void {
    leave(job);
    const last = settings().whenUnanswered === "last-known" ? lastKnown(job.query) : undefined;
    if (job.cells > 0 && last !== undefined) {
      counts.done += job.cells;
      const { key, query } = job;
      if (!job.isOvertaken) stales.set(key, { query, fetchedAtMs: last.fetchedAtMs, because: error });
      for (const { resolve, cells } of job.hanging) {
        settler.settle(resolve, { ...last, staleBecause: error }, cells);
      }
    } else {
      counts.failed += job.cells;
      const refused = refusal(error);
      for (const { resolve, cells } of job.hanging) settler.settle(resolve, refused, cells);
    }
    job.proof?.(error);
    for (const part of job.parts) unanswered(part, error);
  }

  function lastKnown(query: HistoryQuery): HistoryAnswer | undefined {
    const own = known.get(historyKey(query))?.answer;
    const whole = known.get(wholeHistoryKey(query))?.answer;
    if (own !== undefined && (whole === undefined || whole.fetchedAtMs <= own.fetchedAtMs)) return own;
    return whole && partOf(whole, query.eventType);
  }

  /** The whole history too, or a query for one type would be answered from it. */
  function outdate(query: HistoryQuery, newKey: string | null): void {
    for (const key of new Set([historyKey(query), wholeHistoryKey(query)])) {
      if (key === newKey) continue;
      const found = known.get(key);
      if (found !== undefined) known.set(key, { ...found, isOutdated: true });
      overtake(key);
    }
  }

  function overtake(key: string): void {
    const job = jobs.get(key);
    if (job === undefined || job.place === "line") return;
    job.isOvertaken = true;
    jobs.delete(key);
  }

  return {
    find: (key) => jobs.get(key),
    create,
    hang,
    fresh,
    lastKnown,
    answered,
    unanswered,
    outdate,
    outdateAll(newKey) {
      for (const [key, found] of [...known.entries()]) {
        if (key !== newKey) known.set(key, { ...found, isOutdated: true });
      }
      for (const key of [...jobs.keys()]) overtake(key);
    },
    *known() {
      for (const { query } of known.values()) yield query;
    },
    stale: () => [...stales.values()],
    clear() {
      known.clear();
      stales.clear();
    },
  };
}
