/**
 * What the engine offers to the functions, the pane and the refresh: item and history requests in,
 * answers with their age out, and everything a person may want to know while they wait.
 * Cell addresses are opaque text here; the engine never touches a workbook.
 */
import type { Transport } from "../api/transport";
import type { Credentials, Environment, Operation } from "../domain/environment";
import type { InvError } from "../domain/errors";
import type { HistoryQuery, ItemQuery, ItemRecord, Query } from "../domain/records";
import type { Clock } from "./clock";
import type { HistoryAnswer, ItemAnswer, Outcome, Waiter } from "./answer";

/** Where values come from now. Without credentials every request fails with `not-connected`. */
export interface Connection {
  readonly environment: Environment;
  readonly credentials: Credentials | null;
  /** There are credentials, and the person has not yet allowed this workbook to use them: the reason says so. */
  readonly awaitsConsent?: boolean;
}

export interface EngineSettings {
  /** How old a value may be before it is asked for again. */
  readonly freshnessMs: number;
  /** How old a colleague's answer may be that a refresh takes; 0 asks the service for each. */
  readonly refreshAgeMs: number;
  /** What a cell gets when the service cannot answer: its last known value, or the error. */
  readonly whenUnanswered: "last-known" | "error";
  /** How many calls a burst of cells may send before a person is asked; 0 asks never. Not for the demo. */
  readonly askAboveCalls: number;
  /** Nothing is sent; what is asked gets its last known value or the `offline` error. */
  readonly offline: boolean;
}

export interface EngineOptions {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly settings?: Partial<EngineSettings>;
  /** Calls in flight at once (default 6). */
  readonly connections?: number;
  /** Largest answer read (default 2 MB). */
  readonly maxAnswerBytes?: number;
  /** A cancel begins: whoever holds requests back asks for them now, so that they end with the others. */
  readonly onCancel?: () => void;
  /** Queries of a refresh that are put in the queue in one turn of the event loop (default 10,000). */
  readonly queuedPerTurn?: number;
}

/** Items and histories about to be asked for, each once. */
export interface Work {
  readonly items: readonly ItemQuery[];
  readonly histories: readonly HistoryQuery[];
}

/** What a refresh will cost, before it is begun. */
export interface Price {
  /** Exact, when nothing fails. */
  readonly searchCalls: number;
  /** With the pages that histories were last seen to have; a lower bound where they were not seen yet or have grown. */
  readonly eventCallsAtLeast: number;
  /** Part of a minute's quota, for the operation that needs the larger part (1 is a whole minute's). */
  readonly quotaShare: number;
  /** How long it will take from now, quota already used included. */
  readonly durationMs: number;
}

export interface QuotaUse {
  /** Calls this engine sent in the last 60 seconds. */
  readonly used: number;
  readonly limit: number;
  /** When sending goes on, while it is paused by a 429 or a spent quota; else null. */
  readonly resumesAtMs: number | null;
  /** It is paused because the team's server cannot ask for what it shares with others. */
  readonly awaitsMemory?: boolean;
}

/** Why nothing is sent to an operation until credentials change or the user tries again. */
export interface Fault {
  readonly scope: "credentials" | Operation;
  readonly error: InvError;
}

/** A snapshot, new at every change; counts are of the work since the engine was last idle. */
export interface Progress {
  readonly busy: boolean;
  /** Cells, not items: ten cells that want one item count ten. */
  readonly cells: {
    readonly asked: number;
    readonly waiting: number;
    readonly inFlight: number;
    readonly done: number;
    readonly failed: number;
  };
  readonly calls: {
    readonly sent: number;
    /** Requests answered from a fresh value or a shared one, without a call of their own. */
    readonly savedRequests: number;
  };
  readonly quota: Readonly<Record<Operation, QuotaUse>>;
  /** Estimated time until nothing waits; null when it cannot be told (a fault, an outage). */
  readonly remainingMs: number | null;
  readonly faults: readonly Fault[];
}

/** Formulas want more calls than may go unasked: what to ask a person. */
export interface SpendingQuestion {
  /** Calls held back until there is an answer. */
  readonly calls: Readonly<Record<Operation, number>>;
  /** Part of a minute's quota they would take (1 is a whole minute's). */
  readonly quotaShare: number;
  /** What colleagues' calls have just brought costs none of them: a team's server answers it. */
  readonly isAtMost: boolean;
  /** How long they would take, were they let go now. */
  readonly durationMs: number;
  /** Without an answer they go on then, at half the quota's pace; in the system's time. */
  readonly goesOnAtMs: number;
}

export interface Engine {
  /**
   * One item at one store. Settles always: with an answer, or rejected with an InvError when nobody
   * answered and no last known answer may be shown. Equal requests share one call. `cell` is the
   * address of the asking cell where the host told it; it serves the order of calls only.
   */
  item(query: ItemQuery, cell?: string): Promise<ItemAnswer>;
  /** One history, all pages. Settles always, as `item` does. */
  history(query: HistoryQuery, cell?: string): Promise<HistoryAnswer>;
  /**
   * The same as `item` for cells, of which there are many: without a promise.
   * @returns the outcome, where it is known and this turn has room; else null, and the waiter is told it later
   */
  ask(query: ItemQuery, waiter: Waiter<ItemRecord>, cell?: string): Outcome<ItemRecord> | null;
  /** What is known of an item, asking nothing, however old. */
  cachedItem(query: ItemQuery): ItemAnswer | undefined;
  /** The same of a history; of one event type also where the whole history is known. */
  cachedHistory(query: HistoryQuery): HistoryAnswer | undefined;

  /** Whether a request for this item is on its way, so that asking now joins it and costs no call. */
  isComing(query: ItemQuery): boolean;

  /** Changes environment or credentials and starts clean: no value of the old ones is used again. */
  connect(connection: Connection | null): void;
  readonly connection: Connection | null;
  configure(settings: Partial<EngineSettings>): void;
  readonly settings: EngineSettings;
  /** More is about to be asked for until then: calls that are not full wait for it. */
  gather(until: Promise<void>): void;
  /** Cells of this sheet go first from now on. */
  preferSheet(sheet: string | null): void;

  /** Requests a token and sends one probe; rejects with the InvError that says what is wrong. */
  testConnection(): Promise<void>;
  /** Lifts faults, so that what they stopped is sent again. */
  tryAgain(): void;

  price(work: Work): Price;
  /** What a person is to be asked about cells that wait now; null while there is nothing to ask. */
  spendingQuestion(): SpendingQuestion | null;
  /** The answer "fetch all": nothing of this burst is held back any more. `cancel` is the other one. */
  approveSpending(): void;
  /**
   * Begins a new epoch for this work and makes sure of one successful call.
   * Resolves when cells may be marked dirty; rejects with the reason, and then nothing has changed.
   * Answers fetched for it are used by the cells that ask next; answers of older epochs never overwrite them.
   */
  refresh(work: Work): Promise<void>;
  /** Aborts at the next cancel, with its error as the reason: for work that asks in several steps. */
  readonly cancelSignal: AbortSignal;
  /** Settles all that waits (error `cancelled`, or last known values) within 100 ms. */
  cancel(): void;
  /** Forgets all cached answers. */
  clear(): void;

  /** Whether this query's answer is fresh, so that asking costs no call. */
  isFresh(query: Query): boolean;
  progress(): Progress;
  /** Tells of changes, at most about ten times a second while busy and once at the end. Returns the way to stop. */
  subscribe(listener: (progress: Progress) => void): () => void;
}
