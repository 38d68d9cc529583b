/**
 * An entry for each query (an item or a history), the calls that carry entries, the cache of their answers, and the queue in which
 * they wait for a call.
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
  wantedEpoch: number;
  /** Its waiters in the order of their requests, so that their epochs ascend. */
  firstWaiter: Waiter<T> | null;
  lastWaiter: Waiter<T> | null;
  waiterCount: number;
  /** Whether it is in its group's queue. */
  isQueued: boolean;
  /** The calls that carry it, in flight or about to be sent again. Nearly always one. */
  carriers: Call<Query, T> | Call<Query, T>[] | null;
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
  queued: Entry<Query, T>[];
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

function newGroup<Query, T>(key: number | string, query: Query): Group<Query, T> {
  return {
    key,
    query,
    entries: new Map(),
    weight: 0,
    lastUse: 0,
    queued: [],
    edits: 0,
    sheets: new Set(),
    queue: null,
    isFull: false,
    callsNeeded: 0,
  };
}

function newEntry<Query, T>(group: Group<Query, T>, value: string, wantedEpoch: number): Entry<Query, T> {
  const entry: Entry<Query, T> = {
    value,
    group,
    answer: null,
    wantedEpoch,
    firstWaiter: null,
    lastWaiter: null,
    waiterCount: 0,
    isQueued: false,
    carriers: null,
  };
  group.entries.set(value, entry);
  return entry;
}

/** Whether it has no waiter and no call brings it. */
function isIdle<Query, T>(entry: Entry<Query, T>): boolean {
  return !entry.isQueued && entry.carriers === null && entry.waiterCount === 0;
}

/** The epoch of the newest expected answer: Infinity if its call isn't sent yet, -1 if no answer is expected. */
export function expectedEpoch<Query, T>(entry: Entry<Query, T>): number {
  const { carriers } = entry;
  if (entry.isQueued) return Infinity;
  if (carriers === null) return -1;
  if (!Array.isArray(carriers)) return epochOf(carriers, entry);
  return Math.max(...carriers.map((call) => epochOf(call, entry)));
}

/** Whether the entry must be queued, because no call will bring an answer of the epoch that it wants. */
export function needsCall<Query, T>(entry: Entry<Query, T>): boolean {
  return expectedEpoch(entry) < entry.wantedEpoch;
}

export function carriersOf<Query, T>({ carriers }: Entry<Query, T>): readonly Call<Query, T>[] {
  if (carriers === null) return [];
  return Array.isArray(carriers) ? carriers : [carriers];
}

export function attach<Query, T>(entry: Entry<Query, T>, call: Call<Query, T>): void {
  entry.carriers = entry.carriers === null ? call : [...carriersOf(entry), call];
}

export function detach<Query, T>(entry: Entry<Query, T>, call: Call<Query, T>): void {
  const rest = carriersOf(entry).filter((other) => other !== call);
  entry.carriers = rest.length > 1 ? rest : (rest[0] ?? null);
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

// The cache.

export type Cache<Query, T> = ReturnType<typeof createCache<Query, T>>;

export interface CacheRules<Query, T> {
  /** Equal for the entries of one group. */
  groupKeyOf(query: Query): number | string;
  /** What the entries of the group share. */
  sharedOf(query: Query): Query;
  /** Unique in the group. */
  valueOf(query: Query): string;
  weightOf(answer: CachedAnswer<T>): number;
}

/** The largest weight: items, or events of histories. */
const maxWeight = 200_000;
/** An eviction compares all groups, so it makes room for many answers at once. */
const weightAfterEviction = 0.9 * maxWeight;

/**
 * The cache of one operation: its entries in groups, with bounded memory for their answers. If it is full, it evicts the answers of
 * the least recently used groups. Single answers have no time of use, because there are too many. Entries with waiting cells are
 * never removed.
 */
export function createCache<Query, T>(rules: CacheRules<Query, T>) {
  type E = Entry<Query, T>;
  type G = Group<Query, T>;
  const groups = new Map<number | string, G>();
  let weight = 0;
  let uses = 0;
  /** The epoch of the latest clear. No answer of an earlier one is fresh, and no entry wants one. */
  let clearedEpoch = 0;
  /** The group of the last request. Sheets request the items of a store one after another, so it is often the next one, too. */
  let lastFound: G | null = null;

  /** Returns the query's entry, and creates it if there is none. */
  function entryOf(query: Query): E {
    const key = rules.groupKeyOf(query);
    if (lastFound?.key !== key) lastFound = groups.get(key) ?? add(newGroup(key, rules.sharedOf(query)));
    const value = rules.valueOf(query);
    return lastFound.entries.get(value) ?? newEntry(lastFound, value, clearedEpoch);
  }

  function add(group: G): G {
    groups.set(group.key, group);
    return group;
  }

  function addWeight(group: G, by: number): void {
    group.weight += by;
    weight += by;
  }

  function forget(entry: E): void {
    if (entry.answer === null) return;
    addWeight(entry.group, -rules.weightOf(entry.answer));
    entry.answer = null;
  }

  function drop({ group, value }: E): void {
    group.entries.delete(value);
    if (group.entries.size > 0) return;
    groups.delete(group.key);
    if (lastFound === group) lastFound = null;
  }

  function forgetAll(group: G): void {
    for (const entry of group.entries.values()) {
      forget(entry);
      if (isIdle(entry)) drop(entry);
    }
  }

  function markUsed(group: G): void {
    uses += 1;
    group.lastUse = uses;
  }

  return {
    entryOf,
    groupOf: (query: Query): G | undefined => groups.get(rules.groupKeyOf(query)),
    /** Caches an answer if it is newer than the cached one. Returns whether it was. */
    remember(entry: E, answer: CachedAnswer<T>): boolean {
      if (entry.answer !== null && !isNewer(answer.sentAt, entry.answer.sentAt)) return false;
      forget(entry);
      entry.answer = answer;
      addWeight(entry.group, rules.weightOf(answer));
      return true;
    },
    forget,
    markUsed,
    clearedEpoch: () => clearedEpoch,
    /** Makes room for the new answers of this group. */
    evict(group: G): void {
      markUsed(group);
      if (weight <= maxWeight) return;
      const evictable = [...groups.values()].filter((other) => other !== group && other.weight > 0);
      evictable.sort((one, other) => one.lastUse - other.lastUse);
      for (const other of evictable) if (weight > weightAfterEviction) forgetAll(other);
    },
    /** Removes the entry if nothing needs it. */
    dropIfIdle(entry: E): void {
      if (entry.answer === null && isIdle(entry)) drop(entry);
    },
    /** Removes every answer. Waiting cells keep waiting, but what was sent before this epoch isn't fresh. */
    clear(epoch: number): void {
      clearedEpoch = epoch;
      for (const group of groups.values()) {
        forgetAll(group);
        for (const entry of group.entries.values()) entry.wantedEpoch = epoch;
      }
    },
  };
}

// The queue.

/** Which calls may leave now. */
export type CallKind =
  /** Calls for an edit. */
  | "edit"
  /** Calls with as many entries as fit. */
  | "full"
  /** Full calls. If no group fills a call, one that is part-filled. */
  | "full-or-one-partial"
  /** All calls, except those for an edit. */
  | "any";

export type Queue<Query, T> = ReturnType<typeof createQueue<Query, T>>;

export interface QueueRules<Query, T> {
  /** The worksheet in view. */
  sheetInView(): string | null;
  /** Whether the group's waiting entries fill a call, and how many calls they need. */
  isFull(group: Group<Query, T>): boolean;
  callsNeededBy(group: Group<Query, T>): number;
}

const choicesPerOtherSheet = 4;

/**
 * Decides which group gets the next call. Groups with an edit go first, then those of the worksheet in view, then the others, each
 * in order of arrival. While cells still arrive, groups that fill a call go before the others.
 * No group waits forever. A group that got a call and still has entries goes to the end of its queue. Every fourth call is for the
 * other worksheets.
 */
export function createQueue<Query, T>(rules: QueueRules<Query, T>) {
  type E = Entry<Query, T>;
  type G = Group<Query, T>;
  const edits = new Set<G>();
  const inView = new Set<G>();
  const otherSheets = new Set<G>();
  const queues = [edits, inView, otherSheets];
  let choices = 0;
  let calls = 0;
  /** Groups that fill a call, without those of edits. */
  let fullGroups = 0;

  function queueOf(group: G): Set<G> | null {
    if (group.queued.length === 0) return null;
    if (group.edits > 0) return edits;
    return group.sheets.has(rules.sheetInView() ?? "") ? inView : otherSheets;
  }

  /** Moves the group to its queue. With `atEnd`, moves it to the end even if it is in that queue already. */
  function moveToQueue(group: G, atEnd = false): void {
    if (group.queued.length === 0) group.edits = 0;
    if (countsAsFull(group)) fullGroups -= 1;
    group.isFull = rules.isFull(group);
    calls -= group.callsNeeded;
    group.callsNeeded = rules.callsNeededBy(group);
    calls += group.callsNeeded;
    const queue = queueOf(group);
    if (queue !== group.queue || atEnd) {
      group.queue?.delete(group);
      group.queue = queue;
      queue?.add(group);
    }
    if (countsAsFull(group)) fullGroups += 1;
  }

  function countsAsFull({ isFull, queue }: G): boolean {
    return isFull && queue !== null && queue !== edits;
  }

  /** Whether `next` would return a group. */
  function has(kind: CallKind): boolean {
    if (kind === "edit") return edits.size > 0;
    return kind === "full" ? fullGroups > 0 : inView.size + otherSheets.size > 0;
  }

  function next(kind: CallKind): G | undefined {
    if (kind === "edit") return firstOf(edits);
    choices += 1;
    const order = choices % choicesPerOtherSheet === 0 ? [otherSheets, inView] : [inView, otherSheets];
    const full = kind === "any" ? undefined : order.map(firstFull).find((group) => group !== undefined);
    return full ?? (kind === "full" ? undefined : order.map(firstOf).find((group) => group !== undefined));
  }

  const queuedGroups = (): G[] => queues.flatMap((queue) => [...queue]);

  function remove(entries: readonly E[]): void {
    const removed = new Set(entries);
    for (const group of new Set(entries.map((entry) => entry.group))) {
      const stays = (entry: E): boolean => !removed.has(entry);
      group.edits = group.queued.slice(0, group.edits).filter(stays).length;
      group.queued = group.queued.filter(stays);
      moveToQueue(group);
    }
  }

  return {
    enqueue(entry: E): void {
      // Forget the sheets here, not when a call takes the entries: these may be queued again.
      if (entry.group.queued.length === 0) entry.group.sheets.clear();
      entry.group.queued.push(entry);
      moveToQueue(entry.group);
    },
    /** Queues entries of one group again, before those that came later. An edit stays an edit. */
    requeue(entries: readonly E[], isEdit: boolean): void {
      const group = entries[0]?.group;
      if (group === undefined) return;
      group.queued.splice(group.edits, 0, ...entries);
      if (isEdit) group.edits += entries.length;
      moveToQueue(group);
    },
    remove,
    /** Moves the entry to the front, because an edit waits for it. */
    prioritize(entry: E): void {
      const { group } = entry;
      const at = group.queued.lastIndexOf(entry);
      if (at < group.edits) return;
      group.queued.splice(at, 1);
      group.queued.splice(group.edits, 0, entry);
      group.edits += 1;
      moveToQueue(group);
    },
    /** Records that a cell of this worksheet waits for the group. */
    noteSheet(group: G, sheet: string | null): void {
      if (sheet === null || group.sheets.has(sheet)) return;
      group.sheets.add(sheet);
      moveToQueue(group);
    },
    has,
    next,
    /** Takes entries from the group's head and moves the group to the end of its queue. */
    takeFrom(group: G, count: number): E[] {
      const entries = group.queued.splice(0, count);
      group.edits = Math.max(0, group.edits - entries.length);
      moveToQueue(group, true);
      return entries;
    },
    /** Sorts the groups again, because another worksheet is in view. */
    reorder: () => queuedGroups().forEach((group) => moveToQueue(group)),
    queued: () => queuedGroups().flatMap((group) => group.queued),
    hasQueued: () => queues.some((queue) => queue.size > 0),
    /** Returns how many calls the waiting entries need, as far as known. */
    queuedCalls: () => calls,
  };
}

function firstOf<G>(queue: ReadonlySet<G>): G | undefined {
  for (const group of queue) return group;
  return undefined;
}

function firstFull<G extends { readonly isFull: boolean }>(queue: ReadonlySet<G>): G | undefined {
  for (const group of queue) if (group.isFull) return group;
  return undefined;
}

/** Returns the worksheet's name, as on its tab, of an address such as `Sheet1!A1` or `'My sheet'!A1`; null if it has none. */
export function sheetOf(cell: string | undefined): string | null {
  const end = cell?.lastIndexOf("!") ?? -1;
  if (cell === undefined || end <= 0) return null;
  const isQuoted = cell.startsWith("'") && cell[end - 1] === "'";
  return isQuoted ? cell.slice(1, end - 1).replaceAll("''", "'") : cell.slice(0, end);
}
