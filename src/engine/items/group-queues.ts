/**
 * The order in which groups send: the groups that wait, in five queues of first come, first served.
 * Edits go first; then the preferred sheet's groups before the others; a group that holds a full call may
 * go while cells still arrive, one that does not may have to wait. A queue is a Set, so that joining,
 * leaving and changing queues cost the same however many wait.
 *
 * Nothing starves: a group that sent and still has items goes to the end of its queue, and every eighth
 * choice is made from the other sheets' queues, full and part-filled ones first in turn, so that these
 * groups move on while the preferred sheet keeps asking.
 */
import type { Group } from "./groups";
import { choicesPerTurnOfTheOthers } from "../sheets";

/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

/**
 * Which part-filled groups may go: `all` once cells have stopped arriving, `after-full` when one may and no
 * full one waits, else `none`.
 */
export type PartFilled = "all" | "after-full" | "none";

export interface GroupQueues {
  /** Puts the group where it belongs now; `atEnd` also when that is the queue it stands in already. */
  place(group: Group, atEnd?: boolean): void;
  /** The group to send next because somebody edits; it stays in its queue until placed again. */
  edited(): Group | undefined;
  /** The group to send next. */
  next(partFilled: PartFilled): Group | undefined;
  /** Orders all groups anew, after the preferred sheet changed. */
  reorder(): void;
  all(): Iterable<Group>;
  isWaiting(): boolean;
}

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

export function createGroupQueues(preferred: () => number): GroupQueues {
  const queues: readonly Set<Group>[] = Array.from({ length: 5 }, () => new Set<Group>());
  let choices = 0;

  function queueOf(group: Group): number {
    const waiting = group.waiting.length + (group.edited?.length ?? 0);
    if (waiting === 0) return -1;
    if (group.edited !== null) return edits;
    const isPreferred = (group.sheets & preferred()) !== 0;
    if (waiting >= itemsPerCall) return isPreferred ? fullPreferred : fullOther;
    return isPreferred ? partPreferred : partOther;
  }

  function place(group: Group, atEnd = false): void {
    const queue = queueOf(group);
    if (queue === group.queue && !atEnd) return;
    queues[group.queue]?.delete(group);
    group.queue = queue;
    queues[queue]?.add(group);
  }

  function first(queue: number): Group | undefined {
    for (const group of queues[queue] ?? []) return group;
    return undefined;
  }

  function next(partFilled: PartFilled): Group | undefined {
    choices += 1;
    const allowed = orders[partFilled];
    const isTurnOfTheOthers = choices % choicesPerTurnOfTheOthers === 0 && partFilled !== "after-full";
    const turn = (choices / choicesPerTurnOfTheOthers) % othersFirst.length;
    const order = (isTurnOfTheOthers ? othersFirst[turn] : undefined) ?? allowed;
    for (const queue of order) {
      const group = allowed.includes(queue) ? first(queue) : undefined;
      if (group !== undefined) return group;
    }
    return undefined;
  }

  function* all(): Iterable<Group> {
    for (const queue of queues) yield* queue;
  }

  return {
    place,
    edited: () => first(edits),
    next,
    all,
    isWaiting: () => queues.some((queue) => queue.size > 0),
    reorder: () => [...all()].forEach((group) => place(group)),
  };
}
