/**
 * The engine's plain data: an entry for each query (an item or a history), and the calls that carry entries. Hundreds of
 * thousands of entries are alive, so an entry is a few words: no object or closure per cell. Nothing here decides anything.
 *
 * The epoch is a number that each refresh increments. A call has the epoch in which it was sent, an answer that of its call,
 * a waiting cell the one that was wanted when it asked. So an answer settles exactly the cells whose epoch is not above its
 * call's, and late answers can be told from newer ones.
 */
import type { Answer, Waiter } from "./answer";
import type { InvError } from "../domain/errors";

export type CachedAnswer<T> = Answer<T> & { readonly sentAt: Stamp };

/** A linked list of cells that wait for an answer of `wantedEpoch` or later. */
export interface WaitList<T> {
  wantedEpoch: number;
  first: Waiter<T> | null;
  last: Waiter<T> | null;
  cells: number;
}

/** As a wait list, the entry contains the cells that want what the latest refresh wants. */
export interface Entry<T, Scope = unknown> extends WaitList<T> {
  /** Unique in its group: an item's identifier, or an event type ("" for the whole history). */
  readonly value: string;
  readonly group: Group<T, Scope>;
  /** The cached answer, fresh or stale. */
  answer: CachedAnswer<T> | null;
  /** Whether it is in its group's queue. */
  isQueued: boolean;
  /** The calls that carry it, in flight or waiting to be sent again; nearly always one. */
  calls: Call | Call[] | null;
  /** Cells that asked before the latest refresh, which an older answer may settle. */
  olderWaiters: WaitList<T>[] | null;
}

/** Entries that one call can carry together, or that one answer can serve. */
export interface Group<T, Scope = unknown> {
  readonly key: number | string;
  /** What its entries share: the store and item type of items, or the whole history of event types. */
  readonly scope: Scope;
  readonly entries: Map<string, Entry<T, Scope>>;
  /** The cache weight of its answers. */
  weight: number;
  /** The queue: first those that an edit waits for, then in order of arrival. */
  waiting: Entry<T, Scope>[];
  /** How many entries at the head of `waiting` an edit waits for. */
  edits: number;
  /** Bits of the worksheets whose cells wait for it. */
  sheets: number;
  /** Index of the queue it is in, or -1. */
  queue: number;
  /** The number of calls it last contributed to the count of waiting calls. */
  calls: number;
}

export function newGroup<T, Scope>(key: number | string, scope: Scope): Group<T, Scope> {
  return { key, scope, entries: new Map(), weight: 0, waiting: [], edits: 0, sheets: 0, queue: -1, calls: 0 };
}

export function newEntry<T, Scope>(group: Group<T, Scope>, value: string): Entry<T, Scope> {
  const entry: Entry<T, Scope> = {
    value,
    group,
    answer: null,
    wantedEpoch: 0,
    first: null,
    last: null,
    cells: 0,
    isQueued: false,
    calls: null,
    olderWaiters: null,
  };
  group.entries.set(value, entry);
  return entry;
}

export function hasWaiting({ cells, olderWaiters }: Entry<unknown>): boolean {
  return cells > 0 || olderWaiters !== null;
}

/** Whether no cell waits for it and no call brings it. */
export function isIdle(entry: Entry<unknown>): boolean {
  return !entry.isQueued && entry.calls === null && !hasWaiting(entry);
}

/** The newest epoch that is still to arrive for it: Infinity if it will be sent in the newest epoch, -1 if nothing will arrive. */
export function expectedEpoch(entry: Entry<unknown>): number {
  const { calls } = entry;
  if (entry.isQueued) return Infinity;
  if (calls === null) return -1;
  if (!Array.isArray(calls)) return epochOf(calls, entry);
  return Math.max(...calls.map((call) => epochOf(call, entry)));
}

export function callsOf({ calls }: Entry<unknown>): readonly Call[] {
  if (calls === null) return [];
  return Array.isArray(calls) ? calls : [calls];
}

export function attach(entry: Entry<unknown>, call: Call): void {
  entry.calls = entry.calls === null ? call : [...callsOf(entry), call];
}

export function detach(entry: Entry<unknown>, call: Call): void {
  if (entry.calls === call) {
    entry.calls = null;
    return;
  }
  const left = callsOf(entry).filter((other) => other !== call);
  entry.calls = left.length > 1 ? left : (left[0] ?? null);
}

/** Whether a refresh wants a newer answer than the cached one. */
export function isUnanswered({ wantedEpoch }: Entry<unknown>, cached: CachedAnswer<unknown> | null): boolean {
  return wantedEpoch > 0 && (cached === null || cached.sentAt.epoch < wantedEpoch);
}

/** When a call was sent, comparable with others (`isNewer`). */
export interface Stamp {
  readonly epoch: number;
  /** Counts the calls of a session, so that two calls of one moment have an order, too. */
  readonly number: number;
  /** By the steady clock; earlier than the call if the server gave a colleague's answer. */
  readonly atMs: number;
}

/** Learns from a call whether the service answers at all; see `probe.ts`. */
export interface Probe {
  /** True for a connection test, false for a refresh. */
  readonly isTest: boolean;
  /** Resolves when the service has answered; rejects with the reason why it has not. */
  readonly ended: Promise<void>;
  readonly isOver: boolean;
  end(error: InvError | null): void;
}

/** `E` is the type of its entries, `P` that of its continuation. */
export interface Call<E = unknown, P = unknown> {
  /** What it asks for. For a whole history: first itself, then its parts, which the same answer serves. */
  readonly entries: E[];
  /** `entries`, and those that wait for the calls that follow this one. */
  readonly reserved: readonly E[];
  /** What earlier calls have brought if this one continues them; it can't be assembled again from the queue. */
  readonly continuation: P | null;
  readonly isEdit: boolean;
  /** More entries of its group could have been added when it was assembled. */
  readonly isPartFilled: boolean;
  /** Set while somebody waits to learn whether the service answers at all. */
  probe: Probe | null;
  /** When the first page of its history was requested, which is how new the history is; null for the first page. */
  readonly startedAt: Stamp | null;
  /** When it was last sent; null until it is sent (again), which will be in the newest epoch. */
  sentAt: Stamp | null;
  /** The token and the circuit breaker's round with which it was last sent. */
  token: string;
  round: number;
  attempts: number;
  firstSentAtMs: number | null;
  notBeforeMs: number;
  /** Whether its token was refused once and has been renewed. */
  isRenewed: boolean;
}

const unsent = {
  continuation: null,
  probe: null,
  startedAt: null,
  sentAt: null,
  token: "",
  round: 0,
  attempts: 0,
  firstSentAtMs: null,
  notBeforeMs: 0,
  isRenewed: false,
};

export function newCall<E, P>(
  load: Pick<Call<E, P>, "entries" | "isEdit" | "isPartFilled"> & Partial<Call<E, P>>,
): Call<E, P> {
  return { ...unsent, reserved: load.entries, ...load };
}

/** When the answer that it brings was requested. Throws for a call that was never sent. */
export function sentAtOf({ startedAt, sentAt }: Call): Stamp {
  const since = startedAt ?? sentAt;
  if (since === null) throw new Error("Received an answer to a call that was not sent.");
  return since;
}

/** The epoch of the answer it will bring for this entry; Infinity if it will be requested in the newest epoch. */
export function epochOf(call: Call, entry: unknown): number {
  const since = call.startedAt ?? call.sentAt;
  const isOfThisCall = call.reserved === call.entries || call.entries.includes(entry);
  return since !== null && isOfThisCall ? since.epoch : Infinity;
}

export function isNewer(stamp: Stamp, other: Stamp): boolean {
  if (stamp.epoch !== other.epoch) return stamp.epoch > other.epoch;
  return stamp.atMs === other.atMs ? stamp.number > other.number : stamp.atMs > other.atMs;
}
