/**
 * The order in which groups send: five first-in, first-out queues. Edits go first, then the preferred sheet's groups, then the
 * others. A group that fills a call may leave while cells still arrive; a part-filled one may have to wait. A queue is a Set, so
 * that joining, leaving and changing cost the same however many groups wait.
 *
 * Nothing starves: a group that sent and still has entries goes to the end of its queue. Every eighth choice is
 * from the other sheets' queues, full and part-filled ones in turn, so that the preferred sheet can't block them.
 */
import type { Entry, Group } from "./entry";

/**
 * Which part-filled groups may send: `all` once cells have stopped arriving, `after-full` if one may and no full group waits,
 * otherwise `none`.
 */
export type PartFilled = "all" | "after-full" | "none";

export type Queue<T, Scope> = ReturnType<typeof createQueue<T, Scope>>;

export interface QueueRules<T, Scope> {
  preferred(): number;
  /** Whether it fills a call. */
  isFull(group: Group<T, Scope>): boolean;
  /** How many calls its waiting entries need. */
  callsOf(group: Group<T, Scope>): number;
  /** Whether one more waiting entry can change either of these. */
  mayHaveChanged(group: Group<T, Scope>): boolean;
}

/** One in this many choices is for the other sheets. */
const choicesPerTurnOfTheOthers = 8;
const edits = 0;
const fullPreferred = 1;
const fullOther = 2;
const partPreferred = 3;
const partOther = 4;

const orders: Record<PartFilled, readonly number[]> = {
  all: [fullPreferred, partPreferred, fullOther, partOther],
  "after-full": [fullPreferred, fullOther, partPreferred, partOther],
  none: [fullPreferred, fullOther],
};
const othersFirst: readonly (readonly number[])[] = [
  [fullOther, partOther, partPreferred, fullPreferred],
  [partOther, fullOther, partPreferred, fullPreferred],
];

export function createQueue<T, Scope>(rules: QueueRules<T, Scope>) {
  type E = Entry<T, Scope>;
  type G = Group<T, Scope>;
  const queues: readonly Set<G>[] = Array.from({ length: 5 }, () => new Set<G>());
  let choices = 0;
  let calls = 0;

  function queueOf(group: G): number {
    if (group.waiting.length === 0) return -1;
    if (group.edits > 0) return edits;
    const isPreferred = (group.sheets & rules.preferred()) !== 0;
    if (rules.isFull(group)) return isPreferred ? fullPreferred : fullOther;
    return isPreferred ? partPreferred : partOther;
  }

  /** Moves the group to its queue; with `atEnd`, to the end even if it is in that queue already. */
  function place(group: G, atEnd = false): void {
    if (group.waiting.length === 0) group.sheets = group.edits = 0;
    const callsNow = group.waiting.length === 0 ? 0 : rules.callsOf(group);
    calls += callsNow - group.calls;
    group.calls = callsNow;
    const queue = queueOf(group);
    if (queue === group.queue && !atEnd) return;
    queues[group.queue]?.delete(group);
    group.queue = queue;
    queues[queue]?.add(group);
  }

  function first(queue: number): G | undefined {
    for (const group of queues[queue] ?? []) return group;
    return undefined;
  }

  /** Returns the group that sends next. */
  function nextGroup(kind: "edit" | PartFilled): G | undefined {
    if (kind === "edit") return first(edits);
    choices += 1;
    const allowed = orders[kind];
    const isTurnOfTheOthers = choices % choicesPerTurnOfTheOthers === 0 && kind !== "after-full";
    const turn = (choices / choicesPerTurnOfTheOthers) % othersFirst.length;
    const order = (isTurnOfTheOthers ? othersFirst[turn] : undefined) ?? allowed;
    for (const queue of order) {
      const group = allowed.includes(queue) ? first(queue) : undefined;
      if (group !== undefined) return group;
    }
    return undefined;
  }

  function remove(entries: readonly E[]): void {
    const gone = new Set(entries);
    for (const group of new Set(entries.map((entry) => entry.group))) {
      const edited = group.waiting.slice(0, group.edits).filter((entry) => !gone.has(entry));
      group.waiting = group.waiting.filter((entry) => !gone.has(entry));
      group.edits = edited.length;
      place(group);
    }
  }

  function* all(): Iterable<G> {
    for (const queue of queues) yield* queue;
  }

  return {
    enqueue(entry: E): void {
      const { group } = entry;
      group.waiting.push(entry);
      if (rules.mayHaveChanged(group)) place(group);
    },
    /** Queues entries of one group again, before those that came later. */
    requeue(back: readonly E[]): void {
      const [first] = back;
      if (first === undefined) return;
      first.group.waiting.splice(first.group.edits, 0, ...back);
      place(first.group);
    },
    remove,
    /** Moves the entry to the front, because an edit waits for it. */
    prioritize(entry: E): void {
      const { group } = entry;
      const at = group.waiting.lastIndexOf(entry);
      if (at < group.edits) return;
      group.waiting.splice(at, 1);
      group.waiting.splice(group.edits, 0, entry);
      group.edits += 1;
      place(group);
    },
    /** Records that cells of these sheets (bits) wait for the entry. */
    noteSheets({ group }: E, bits: number): void {
      if ((group.sheets & bits) === bits) return;
      group.sheets |= bits;
      place(group);
    },
    nextGroup,
    /** Takes entries from the group's head and moves the group to the end of its queue. */
    takeFrom(group: G, count: number): E[] {
      const taken = group.waiting.splice(0, count);
      group.edits = Math.max(0, group.edits - taken.length);
      place(group, true);
      return taken;
    },
    /** Sorts all groups again after the preferred sheet changed. */
    reorder: () => [...all()].forEach((group) => place(group)),
    waiting: () => [...all()].flatMap((group) => group.waiting),
    isWaiting: () => queues.some((queue) => queue.size > 0),
    /** Returns how many calls the waiting entries need, as far as known. */
    callsWaiting: () => calls,
  };
}
