/**
 * An entry for each query (an item or a history), and the calls that carry entries. `cache.ts` keeps entries, `queue.ts` those that wait for
 * a call.
 *
 * - An entry has the query's cached answer and its waiters: the cells that wait for it. It is one small object, because a workbook
 *   may have hundreds of thousands.
 * - A group contains the entries that one call can request together.
 * - A batch is what a planner takes from a group's queue. A call is one request to the service; it begins with a batch.
 * - A continuation is a call that continues an earlier one: the next page of a history, the next part of a bisection.
 * - The epoch is a number that each refresh and each clear increments. A call gets the current epoch when it is sent, and so does
 *   its answer. A waiter gets the epoch that its entry wants at that time. An answer settles the waiters of its own epoch and of
 *   earlier ones. So a late answer never settles a cell that wants a newer one.
 */
import type { Answer, Waiter } from "./types";
import type { InvError } from "../domain/errors";

export type CachedAnswer<T> = Answer<T> & { readonly sentAt: Stamp };

export interface Entry<Query, T> {
  /** Unique in its group: an item's identifier, or an event type ("" for the whole history). */
  readonly value: string;
  readonly group: Group<Query, T>;
  /** The cached answer, fresh or stale. */
  answer: CachedAnswer<T> | null;
  /** The epoch of the latest refresh that asked for this entry, or of the latest clear. No answer of an older epoch will do. */
  minimumEpoch: number;
  /** Its waiters, in the order of their requests. Nearly always none or one. */
  waiters: Waiter<T> | Waiter<T>[] | null;
  /** Whether it is in its group's queue. */
  isQueued: boolean;
  /** The calls that carry it, in flight or about to be sent again. Nearly always one. */
  carryingCalls: Call<Query, T> | Call<Query, T>[] | null;
}

/** Entries that one call can carry together, or that one answer can serve. */
export interface Group<Query, T> {
  readonly key: number | string;
  /** What its entries share: a query without its value or event type. */
  readonly query: Query;
  readonly entries: Map<string, Entry<Query, T>>;
  /** The cache weight of its answers, and when they were last used (a count of uses). */
  weight: number;
  lastUse: number;
  /** Its queued entries: first those for edits, then the others in order of arrival. */
  readonly queued: Entry<Query, T>[];
  /** How many entries at the head of `queued` are for edits. */
  edits: number;
  /** The worksheets whose cells wait for it. */
  readonly sheets: Set<string>;
  /** The queue that it is in; null if it has none. */
  queue: Set<Group<Query, T>> | null;
  /** Whether its queued entries fill a call, and how many calls they need. */
  isFull: boolean;
  callsNeeded: number;
}

/** The epoch of the newest expected answer: Infinity if its call isn't sent yet, -1 if no answer is expected. */
export function expectedEpoch<Query, T>(entry: Entry<Query, T>): number {
  const { carryingCalls } = entry;
  if (entry.isQueued) return Infinity;
  if (carryingCalls === null) return -1;
  if (!Array.isArray(carryingCalls)) return epochOf(carryingCalls, entry);
  return Math.max(...carryingCalls.map((call) => epochOf(call, entry)));
}

/** Whether the entry must be queued, because no call will bring an answer of the epoch that it wants. */
export function needsCall<Query, T>(entry: Entry<Query, T>): boolean {
  return expectedEpoch(entry) < entry.minimumEpoch;
}

export function carryingCallsOf<Query, T>({ carryingCalls }: Entry<Query, T>): readonly Call<Query, T>[] {
  if (carryingCalls === null) return [];
  return Array.isArray(carryingCalls) ? carryingCalls : [carryingCalls];
}

export function attach<Query, T>(entry: Entry<Query, T>, call: Call<Query, T>): void {
  entry.carryingCalls = entry.carryingCalls === null ? call : [...carryingCallsOf(entry), call];
}

export function detach<Query, T>(entry: Entry<Query, T>, call: Call<Query, T>): void {
  const rest = carryingCallsOf(entry).filter((other) => other !== call);
  entry.carryingCalls = rest.length > 1 ? rest : (rest[0] ?? null);
}

/** When a call was sent, comparable with others (`isNewer`). */
export interface Stamp {
  readonly epoch: number;
  /** Counts the calls of a connection, so that two calls of one moment have an order, too. */
  readonly number: number;
  /** By the steady clock. For a colleague's answer from the team's server: when the colleague's call was sent. */
  readonly atMs: number;
}

export interface Call<Query, T> {
  /** What it requests. In a call for a whole history, the first entry is the history. The others are event types that it answers too. */
  readonly entries: Entry<Query, T>[];
  /** `entries`. In a bisection also the entries that its next calls will carry. */
  readonly entriesToSettle: readonly Entry<Query, T>[];
  readonly isEdit: boolean;
  /** Whether it had room for more entries when it was assembled. */
  readonly isPartFilled: boolean;
  /** `bisection` or `pages` is set if this call continues an earlier one. The queue can't assemble such a call again. */
  readonly bisection: Bisection<Query, T> | null;
  readonly pages: Pages<T> | null;
  /** When the first page of its history was requested. The whole history counts as that old. Null for the first page. */
  readonly startedAt: Stamp | null;
  /** When it was sent; null before that, and after it was put back to be sent again. */
  sentAt: Stamp | null;
  /** How often it failed because the service was unavailable. */
  failures: number;
  notBeforeMs: number;
  /** Whether its token was refused once and has been renewed. */
  hadTokenRefused: boolean;
  /** How often it was sent again with a new token that had been refused. */
  secondTries: number;
}

/** The search for the item that a 400 doesn't name. Contains the items that this call doesn't send. */
export interface Bisection<Query, T> {
  readonly suspects: readonly Entry<Query, T>[];
  /** No longer suspects: requested in one call at the end. */
  readonly deferred: readonly Entry<Query, T>[];
  /** Calls of the search so far, including this one, without the call that it began with. */
  readonly calls: number;
  /** The service's error. */
  readonly error: InvError;
}

/** What the earlier pages of a history brought. */
interface Pages<T> {
  readonly pageToken: string;
  /** The number of the requested page, from 2 on. */
  readonly number: number;
  readonly events: T;
  readonly pageTokens: ReadonlySet<string>;
}

const unsent = {
  bisection: null,
  pages: null,
  startedAt: null,
  sentAt: null,
  failures: 0,
  notBeforeMs: 0,
  hadTokenRefused: false,
  secondTries: 0,
};

export function newCall<Query, T>(
  load: Pick<Call<Query, T>, "entries" | "isEdit" | "isPartFilled"> & Partial<Call<Query, T>>,
): Call<Query, T> {
  return { ...unsent, entriesToSettle: load.entries, ...load };
}

export function isContinuation({ bisection, pages }: Call<unknown, unknown>): boolean {
  return bisection !== null || pages !== null;
}

/** When the answer that it brings was requested. Throws for a call that was never sent. */
export function sentAtOf({ startedAt, sentAt }: Pick<Call<unknown, unknown>, "startedAt" | "sentAt">): Stamp {
  const since = startedAt ?? sentAt;
  if (since === null) throw new Error("Received an answer to a call that was not sent.");
  return since;
}

/** The epoch of the answer that the call will bring for this entry; Infinity if a later call will request it. */
export function epochOf<Query, T>(call: Call<Query, T>, entry: Entry<Query, T>): number {
  const since = call.startedAt ?? call.sentAt;
  const isInThisCall = call.entriesToSettle === call.entries || call.entries.includes(entry);
  return since !== null && isInThisCall ? since.epoch : Infinity;
}

export function isNewer(stamp: Stamp, other: Stamp): boolean {
  if (stamp.epoch !== other.epoch) return stamp.epoch > other.epoch;
  return stamp.atMs === other.atMs ? stamp.number > other.number : stamp.atMs > other.atMs;
}
