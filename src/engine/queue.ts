/**
 * Decides which group gets the next call. Groups with an edit go first, then those of the worksheet in view, then the others, each
 * in order of arrival. While cells still arrive, groups that fill a call go before the others.
 * No group waits forever. A group that got a call and still has entries goes to the end of its queue. Every fourth call is for the
 * other worksheets.
 */
import type { Entry, Group } from "./entry";

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

  /** Takes entries from the group's head and moves the group to the end of its queue. */
  function takeFrom(group: G, count: number): E[] {
    const entries = group.queued.splice(0, count);
    group.edits = Math.max(0, group.edits - entries.length);
    moveToQueue(group, true);
    return entries;
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
    remove(entry: E): void {
      const { group } = entry;
      const at = group.queued.indexOf(entry);
      group.queued.splice(at, 1);
      if (at < group.edits) group.edits -= 1;
      moveToQueue(group);
    },
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
    takeFrom,
    takeAll: (): E[] => queuedGroups().flatMap((group) => takeFrom(group, group.queued.length)),
    /** Sorts the groups again, because another worksheet is in view. */
    reorder: () => queuedGroups().forEach((group) => moveToQueue(group)),
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
