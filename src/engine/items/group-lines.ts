/**
 * The order in which groups send: the groups that wait, in five lines of first come, first served.
 * Edits go first; then the preferred sheet's groups before the others; a group that holds a full call may
 * go while cells still arrive, one that does not may have to wait. A line is a Set, so that joining,
 * leaving and changing lines cost the same however many wait.
 *
 * Nothing starves: a group that sent and still has items goes to the end of its line, and every eighth
 * choice is made from the other sheets' lines, full and part-filled ones first in turn, so that these
 * groups move on while the preferred sheet keeps asking.
 */
import type { Group } from "./groups";

/** Items of one call, as the service documents. */
export const itemsPerCall = 100;

/**
 * Which part-filled groups may go: `all` once cells have stopped arriving, `after-full` when one may and no
 * full one waits, else `none`.
 */
export type PartFilled = "all" | "after-full" | "none";

export interface GroupLines {
  /** Puts the group where it belongs now; `atEnd` also when that is the line it stands in already. */
  place(group: Group, atEnd?: boolean): void;
  /** The group to send next because somebody edits; it stays in line until placed again. */
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
const choicesPerTurnOfTheOthers = 8;
const othersFirst: readonly (readonly number[])[] = [
  [fullOther, partOther, partPreferred, fullPreferred],
  [partOther, fullOther, partPreferred, fullPreferred],
];

export function createGroupLines(preferred: () => number): GroupLines {
  const lines: readonly Set<Group>[] = Array.from({ length: 5 }, () => new Set<Group>());
  let choices = 0;

  function lineOf(group: Group): number {
    const waiting = group.waiting.length + (group.edited?.length ?? 0);
    if (waiting === 0) return -1;
    if (group.edited !== null) return edits;
    const isPreferred = (group.sheets & preferred()) !== 0;
    if (waiting >= itemsPerCall) return isPreferred ? fullPreferred : fullOther;
    return isPreferred ? partPreferred : partOther;
  }

  function place(group: Group, atEnd = false): void {
    const line = lineOf(group);
    if (line === group.line && !atEnd) return;
    lines[group.line]?.delete(group);
    group.line = line;
    lines[line]?.add(group);
  }

  function first(line: number): Group | undefined {
    for (const group of lines[line] ?? []) return group;
    return undefined;
  }

  function next(partFilled: PartFilled): Group | undefined {
    choices += 1;
    const allowed = orders[partFilled];
    const isTurnOfTheOthers = choices % choicesPerTurnOfTheOthers === 0 && partFilled !== "after-full";
    const turn = (choices / choicesPerTurnOfTheOthers) % othersFirst.length;
    const order = (isTurnOfTheOthers ? othersFirst[turn] : undefined) ?? allowed;
    for (const line of order) {
      const group = allowed.includes(line) ? first(line) : undefined;
      if (group !== undefined) return group;
    }
    return undefined;
  }

  function* all(): Iterable<Group> {
    for (const line of lines) yield* line;
  }

  return {
    place,
    edited: () => first(edits),
    next,
    all,
    isWaiting: () => lines.some((line) => line.size > 0),
    reorder: () => [...all()].forEach((group) => place(group)),
  };
}
