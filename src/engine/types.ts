/**
 * The engine's interface for the functions, the pane and the refresh. It has requests for items and histories, answers with their
 * age, and the progress for a person who waits. The engine treats cell addresses as opaque text and never touches a workbook.
 */
import type { Transport } from "../api/transport";
import type { Credentials, Environment, Operation } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord, Query } from "../domain/records";
import type { Clock } from "./clock";
import type { UnansweredQueries } from "./unanswered";

/** Where values come from. Without credentials, every request fails with `not-connected`. */
export interface Connection {
  readonly environment: Environment;
  readonly credentials: Credentials | null;
  /** Whether credentials exist that the person hasn't yet allowed this workbook to use. The error then says so. */
  readonly awaitsConsent?: boolean;
}

export interface EngineSettings {
  /** How old a value may be before it is requested again. */
  readonly freshnessMs: number;
  /** Greatest age of an answer, of this page or a colleague, that a refresh accepts. At 0 every value comes from the service. */
  readonly refreshAgeMs: number;
  /** Whether a cell shows its last known value or the error when the service can't answer. */
  readonly whenUnanswered: "last-known" | "error";
  /** How many calls a burst of cells may send before a person is asked; 0 never asks. The demo never asks. */
  readonly askAboveCalls: number;
}

/** Either may throw. */
export interface CallMemory {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

export interface EngineOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly settings?: Partial<EngineSettings>;
  /** Keeps the times of calls while the page is loaded again, for a quota that the page paces. Null if there is no storage. */
  readonly callMemory?: CallMemory | null;
  /** Calls in flight at once (default 6). */
  readonly connections?: number;
  /** Largest response body that is read, in bytes (default 2 MB). */
  readonly maxAnswerBytes?: number;
}

/** What the service answered, now or earlier. */
export type Answer<T> = (
  | { readonly found: true; readonly value: T }
  /** The service said no: not mapped, no data, or a value that it refuses. INV caches this like a value. */
  | { readonly found: false; readonly error: InvError }
) & {
  /** When INV fetched it, milliseconds UTC. */
  readonly fetchedAtMs: number;
  /** Set when this is the last known answer: why there is no newer one. */
  readonly staleBecause?: InvError;
};

export type ItemAnswer = Answer<ItemRecord>;
/** The events of all pages, sorted by time. */
export type HistoryAnswer = Answer<readonly HistoryEvent[]>;

/** What a waiting cell is settled with: the answer, or the reason why it isn't answered. */
export type Outcome<T> = Answer<T> | InvError;

/** A waiting cell: a small record instead of a promise, because a sheet may create 100,000 at once. */
export interface Waiter<T> {
  /** The epoch that the entry wanted when this waiter was added. Only the engine uses it. */
  epoch: number;
  /** Called once, after the request has been made. It must not throw. */
  settle(outcome: Outcome<T>): void;
}

/**
 * Whether the service answered, even if it has no such value.
 * @example
 * const outcome = engine.requestItem(query, waiter);
 * if (outcome !== null && isAnswered(outcome) && outcome.found) show(outcome.value);
 */
export function isAnswered<T>(outcome: Outcome<T>): outcome is Answer<T> {
  return "found" in outcome;
}

/** Items and histories to request, each once. */
export interface Work {
  readonly items: readonly ItemQuery[];
  readonly histories: readonly HistoryQuery[];
}

export interface RefreshOptions {
  /**
   * Whether a mark of the refresh has caused the cell's calculation. Its requests take the refresh's answers, and the last known one if
   * there is none (`engine-refresh.ts`).
   */
  isMarked?(cell: string): boolean;
  /** Whether such a cell wants a new answer also for queries that the work didn't contain. */
  isLastStage?(): boolean;
  /** Whether the marked cell's requests are sent even after a cancel, because INV knows no value that it could keep. */
  asksAnyway?(cell: string): boolean;
  /** How old an answer may be at the start; by default `refreshAgeMs`, and 0 in the demo. */
  readonly ageMs?: number;
  /** Whether it continues the latest refresh, whose answers then count as new. */
  readonly continues?: boolean;
  /** Called once for each query. It must not throw. */
  settled?(query: Query, outcome: Outcome<unknown>): void;
  /** Returns a history that the refresh also needs because of this outcome; called before `settled`. */
  alsoNeeds?(query: Query, outcome: Outcome<unknown>): HistoryQuery | null;
}

/** What a refresh would cost. */
export interface Price {
  /** Exact if nothing fails. */
  readonly searchCalls: number;
  /** Counts the pages that each history had last time, and one for a history that wasn't read yet. So it is a lower bound. */
  readonly eventCallsAtLeast: number;
  /** How long it takes from now, considering the quota that is already used. */
  readonly durationMs: number;
}

export interface QuotaUse {
  /** Calls in the last 60 seconds: this engine's, or the company's if the team's server reports them. */
  readonly used: number;
  /** Whether `used` counts the company's calls. */
  readonly isOfCompany?: boolean;
  readonly limit: number;
  /** When sending resumes after a 429 or a used-up quota; null if it isn't paused. */
  readonly resumesAtMs: number | null;
  /** Whether it is paused because the team's server can't reach the store that it shares with other servers. */
  readonly awaitsSharedStore?: boolean;
}

/** Why nothing is sent to an operation until the credentials change or a person tries again. */
export interface Fault {
  readonly scope: "credentials" | Operation;
  readonly error: InvError;
}

/** A snapshot. Its counts cover the work since the engine was last idle. */
export interface Progress {
  readonly busy: boolean;
  /** Counts cells, not items: ten cells that need one item count as ten. */
  readonly cells: {
    readonly requested: number;
    readonly waiting: number;
    readonly inFlight: number;
    readonly done: number;
    readonly failed: number;
  };
  readonly calls: {
    readonly sent: number;
    /** Requests that needed no call of their own: the cache or another cell's call answered them. */
    readonly savedRequests: number;
  };
  readonly quota: Readonly<Record<Operation, QuotaUse>>;
  /** Estimated time until nothing waits; null if it can't be estimated (a fault, an outage). */
  readonly remainingMs: number | null;
  readonly faults: readonly Fault[];
}

/** The question to a person when formulas need more calls than `askAboveCalls`. */
export interface SpendingQuestion {
  /** Calls that wait for the answer. */
  readonly calls: Readonly<Record<Operation, number>>;
  /** Whether they may cost less, because a team's server answers from its cache what colleagues have just requested. */
  readonly isAtMost: boolean;
  /** How long they would take if they were sent now. */
  readonly durationMs: number;
  /** When they continue without an answer, at half the quota's pace; milliseconds since 1970, UTC. */
  readonly continuesAtMs: number;
}

export interface Engine {
  /**
   * Requests one item of one store. The promise always settles: with an answer, or with an InvError if the service didn't answer
   * and no last known answer may be shown. Equal requests share one call. `cell` is the address of the cell, if the host
   * provides it. It affects the order of calls, and whether the request belongs to a refresh (`isMarked`).
   * @example
   * const answer = await engine.item({ storeNumber: 1234, itemType: "gtin", value: "00012345678905" });
   * if (answer.found) show(answer.value.locations);
   */
  item(query: ItemQuery, cell?: string): Promise<ItemAnswer>;
  /**
   * Requests all pages of one history. The promise always settles, as that of `item` does.
   * @example
   * const sales = await engine.history({ storeNumber: 1234, gtin: "00012345678905", eventType: "SALES" });
   * if (sales.found) show(sales.value.length);
   */
  history(query: HistoryQuery, cell?: string): Promise<HistoryAnswer>;
  /**
   * Does the same as `item` without a promise, because cells are many.
   * @returns the outcome if it is known; otherwise null, and the waiter is settled later
   * @example
   * const outcome = engine.requestItem(query, { epoch: 0, settle: show });
   * if (outcome !== null) show(outcome);
   */
  requestItem(query: ItemQuery, waiter: Waiter<ItemRecord>, cell?: string): Outcome<ItemRecord> | null;
  /**
   * Returns the cached answer for an item, however old. Sends nothing.
   * @example
   * const cached = engine.cachedItem(query);
   * if (cached !== undefined) showAge(now() - cached.fetchedAtMs);
   */
  cachedItem(query: ItemQuery): ItemAnswer | undefined;
  /**
   * Returns the cached answer for a history; for one event type also from the whole history. Sends nothing.
   * @example
   * const cached = engine.cachedHistory({ storeNumber: 1234, gtin: "00012345678905" });
   * const hasHistory = cached?.found ?? false;
   */
  cachedHistory(query: HistoryQuery): HistoryAnswer | undefined;

  /**
   * Whether a call for this item is queued or in flight, so that requesting it now costs no further call.
   * @example
   * // A mark beside a quantity waits for the quantity's call instead of sending one.
   * if (engine.isComing(query)) await engine.item(query);
   */
  isComing(query: ItemQuery): boolean;

  /**
   * Changes environment or credentials. No value of the old ones is used again.
   * @example
   * engine.connect({ environment, credentials: { consumerId, clientSecret } });
   * engine.connect(null); // settles everything that waits
   */
  connect(connection: Connection | null): void;
  readonly connection: Connection | null;
  /**
   * @example
   * engine.configure({ freshnessMs: 5 * 60_000 });
   */
  configure(settings: Partial<EngineSettings>): void;
  readonly settings: EngineSettings;
  /**
   * Requests cells of this sheet first from now on.
   * @example
   * engine.preferSheet("Plan");
   * engine.preferSheet(null); // all sheets alike
   */
  preferSheet(sheet: string | null): void;

  /**
   * Lifts faults, so that what they stopped is sent again.
   * @example
   * if (engine.progress().faults.length > 0) engine.tryAgain();
   * // Cells that ask from now on are sent again.
   */
  tryAgain(): void;
  /**
   * @example
   * const { searchCalls, durationMs } = engine.price({ items, histories: [] });
   * show(`Uses ${searchCalls} requests, about ${durationMs / 1_000} s`);
   */
  price(work: Work): Price;
  /**
   * Returns the question about the cells that wait now; null if there is none.
   * @example
   * const question = engine.spendingQuestion();
   * if (question !== null) ask(`Fetch all? ${question.calls.search} requests`);
   */
  spendingQuestion(): SpendingQuestion | null;
  /**
   * Answers the question with "fetch all". The other answer is `cancel`.
   * @example
   * if (await isConfirmed(engine.spendingQuestion())) engine.approveSpending();
   * else engine.cancel();
   */
  approveSpending(): void;
  /**
   * Requests all of this work again, in its order, except answers that are younger than `refreshAgeMs`. Resolves when each query has
   * its outcome. Rejects with the first reason if none of them was answered. Cells show nothing of it until they are marked.
   * @example
   * await engine.refresh({ items, histories: [] }, { isMarked: (cell) => marked.has(cell) });
   * mark(cells); // their requests take the new answers, and send nothing
   */
  refresh(work: Work, options?: RefreshOptions): Promise<void>;
  /**
   * Whether a refresh that starts now takes the cached answer for this query.
   * @example
   * const items = queries.filter((query) => !engine.isNewEnough(query));
   * show(engine.price({ items, histories: [] }));
   */
  isNewEnough(query: Query): boolean;
  /**
   * Returns how the latest refresh's request for this query has ended: a new answer, or the reason why there is none. Null if it
   * hasn't ended, or if the refresh hasn't asked, or if the connection is another one now.
   * @example
   * const outcome = engine.refreshOutcome(query);
   * if (outcome !== null && outcome !== "new") explain(outcome.message);
   */
  refreshOutcome(query: Query): "new" | InvError | null;
  /** Whether the latest refresh belongs to this connection. No answer of another one is used. */
  readonly hasRefresh: boolean;
  /**
   * Whether the cached answer for this query is one that the latest refresh has brought or taken.
   * @example
   * const missed = queries.filter((query) => !engine.hasNewAnswer(query));
   * if (missed.length > 0) await engine.refresh({ items: missed, histories: [] }, { continues: true });
   */
  hasNewAnswer(query: Query): boolean;
  /** Why queries have no answer. Cells, the pane and copies ask it, so that they agree. */
  readonly unanswered: UnansweredQueries;
  /** The worksheet whose cells are requested first. */
  readonly sheetInView: string | null;
  /** Aborts at the next cancel, with its error as the reason. Work that makes requests in several steps observes it. */
  readonly cancelSignal: AbortSignal;
  /**
   * Settles every waiting query soon, with its last known value or the error `cancelled`.
   * @example
   * engine.cancel();
   * // Within 100 ms every waiting cell shows its last known value, or why it has none.
   */
  cancel(): void;
  /**
   * Forgets all cached answers.
   * @example
   * engine.clear();
   * engine.cachedItem(query); // undefined
   */
  clear(): void;

  /**
   * Whether the cached answer for this query is fresh, so that requesting it costs no call.
   * @example
   * const work = { items: items.filter((query) => !engine.isFresh(query)), histories: [] };
   * show(engine.price(work));
   */
  isFresh(query: Query): boolean;
  /**
   * @example
   * const { busy, cells } = engine.progress();
   * if (busy) show(`${cells.done} of ${cells.requested}`);
   */
  progress(): Progress;
  /**
   * Calls the listener after changes, at most about ten times a second while busy and once at the end. Returns the unsubscribe function.
   * @example
   * const stop = engine.subscribe(({ cells }) => show(cells.done));
   * stop();
   */
  subscribe(listener: (progress: Progress) => void): () => void;
}
