/**
 * What the engine holds, as plain data: an entry for each query, an item or a history, and the calls that hold entries.
 * Hundred thousands of entries are alive, so one is a few words: no object or closure per cell. Neither decides anything:
 * which calls are made up, and what becomes of them, is the `lane`'s; what they say and hear, the wire's.
 *
 * The epoch is a number that each refresh counts up. A call has the epoch in which it was sent, an answer that of its call,
 * a waiting cell the one that was wanted when it asked. So an answer settles exactly the cells whose epoch is not above its
 * call's, and whatever comes late can be told from what is newer.
 */
import type { Answer, Waiter } from "./answer";
import type { InvError } from "../domain/errors";

export type CachedAnswer<T> = Answer<T> & { readonly sentAt: Stamp };

/** Cells that wait, one behind the other, for an answer of one epoch or a later one. */
export interface WaitList<T> {
  wantedEpoch: number;
  first: Waiter<T> | null;
  last: Waiter<T> | null;
  cells: number;
}

/** Its own line is of those who want what the latest refresh wants. */
export interface Entry<T, Scope = unknown> extends WaitList<T> {
  /** What tells it from the others of its group: an item's identifier; an event type, "" for a whole history. */
  readonly value: string;
  readonly group: Group<T, Scope>;
  /** The last known answer, fresh or not. */
  answer: CachedAnswer<T> | null;
  /** It waits in its group to be taken by a call. */
  isQueued: boolean;
  /** The calls that hold it, under way or waiting to be sent again; nearly always one. */
  calls: Call | Call[] | null;
  /** Those who asked before the latest refresh, and may be answered by what was sent before it. */
  olderWaiters: WaitList<T>[] | null;
}

/** Entries that may travel together, or be answered by one another. */
export interface Group<T, Scope = unknown> {
  readonly key: number | string;
  /** What they have in common: the store and item type of items, the history that event types are of. */
  readonly scope: Scope;
  readonly entries: Map<string, Entry<T, Scope>>;
  /** Of its answers. */
  weight: number;
  /** First come first, after those that an edit waits for. */
  waiting: Entry<T, Scope>[];
  /** How many at its head an edit waits for. */
  edits: number;
  /** Bits of the sheets that wait for it. */
  sheets: number;
  /** Which of the queues it stands in; -1 for none. */
  queue: number;
  /** Calls that it was last counted with. */
  calls: number;
}

export function newGroup<T, Scope>(key: number | string, scope: Scope): Group<T, Scope> {
  return { key, scope, entries: new Map(), weight: 0, waiting: [], edits: 0, sheets: 0, queue: -1, calls: 0 };
}

/** One more in this group. */
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

/** Nobody waits for it and nothing brings it. */
export function isIdle(entry: Entry<unknown>): boolean {
  return !entry.isQueued && entry.calls === null && !hasWaiting(entry);
}

/** The newest epoch of what is still to come; Infinity for what will be sent in the newest, -1 for nothing. */
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

/** Whether a refresh wants more than is known of it. */
export function isUnanswered({ wantedEpoch }: Entry<unknown>, known: CachedAnswer<unknown> | null): boolean {
  return wantedEpoch > 0 && (known === null || known.sentAt.epoch < wantedEpoch);
}

/** When a call was sent. */
export interface Stamp {
  readonly epoch: number;
  /** Counts the calls of a session as they leave: the order of two that left in one moment, too. */
  readonly number: number;
  /** By the steady clock; earlier than the call where a colleague's answer is given. */
  readonly atMs: number;
}

/** What hears from a call whether the service answers at all; see `canary`. */
export interface Probe {
  /** Of a connection, else of a refresh. */
  readonly isTest: boolean;
  /** Resolves when the service has answered; rejects with the reason why it has not. */
  readonly ended: Promise<void>;
  readonly isOver: boolean;
  end(error: InvError | null): void;
}

/** `E` is what it holds, an item or a history; `P` what goes on from one call to the next. */
export interface Call<E = unknown, P = unknown> {
  /** What it asks for. Of a whole history first itself, then its parts, which are answered along with it. */
  readonly entries: E[];
  /** All that it holds: that list, and in a longer one what waits for the calls that follow it. */
  readonly reserved: readonly E[];
  /** What the calls before it have brought, when it goes on from them: it cannot be made up anew. */
  readonly continuation: P | null;
  readonly isEdit: boolean;
  /** More of its store may have been under way when it left. */
  readonly isPartFilled: boolean;
  /** Set while somebody wants to know from it whether the service answers at all. */
  probe: Probe | null;
  /** When the first call of its history left, which says how new the history is; null where it is the first. */
  readonly startedAt: Stamp | null;
  /** When it last left; null until it leaves (again), which will be in the newest epoch. */
  sentAt: Stamp | null;
  /** With which token it last left, and in which round of the circuit. */
  token: string;
  round: number;
  /** Times it failed. */
  attempts: number;
  firstSentAtMs: number | null;
  notBeforeMs: number;
  /** Its token was refused once and has been renewed. */
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

/** When what it brings was asked for; of a call that an answer has come to. */
export function sentAtOf({ startedAt, sentAt }: Call): Stamp {
  const since = startedAt ?? sentAt;
  if (since === null) throw new Error("An answer came to a call that was not sent.");
  return since;
}

/** The epoch of what it will bring for this entry; Infinity where that will be asked for in the newest. */
export function epochOf(call: Call, entry: unknown): number {
  const since = call.startedAt ?? call.sentAt;
  const isOfThisCall = call.reserved === call.entries || call.entries.includes(entry);
  return since !== null && isOfThisCall ? since.epoch : Infinity;
}

export function isNewer(asked: Stamp, other: Stamp): boolean {
  if (asked.epoch !== other.epoch) return asked.epoch > other.epoch;
  return asked.atMs === other.atMs ? asked.number > other.number : asked.atMs > other.atMs;
}
