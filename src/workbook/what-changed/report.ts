/** The result of a comparison: what a refresh has changed, and what couldn't be compared. */
import type { CellContent, CellRef } from "../port";
import type { RefreshScope } from "../refresh/targets";

export interface CellChange extends CellRef {
  /** The requested store and item; "" if there are several, or if INV doesn't know. */
  readonly store: string;
  readonly item: string;
  readonly before: CellContent;
  readonly after: CellContent;
  /** After minus before; null for texts, times and errors. */
  readonly difference: number | null;
  /** Whether the numbers are times, as Excel's serials. */
  readonly isTime: boolean;
}

/** `edited`: an edit touched or moved the cell, or one to which it refers. `other-query`: the cell now makes another query. */
export interface NotCompared {
  readonly cell: CellRef;
  readonly reason: "edited" | "other-query";
}

export interface ChangeReport {
  readonly scope: RefreshScope;
  /** When the refresh started, and when its results were read. */
  readonly fromMs: number;
  readonly atMs: number;
  /** Number of places with a value before and an answer now. */
  readonly compared: number;
  /** Begins with the largest difference. Changes without one follow, in the order of the sheet. */
  readonly changes: readonly CellChange[];
  readonly toZero: number;
  readonly fromZero: number;
  /** Number of places with a value before and no answer now. */
  readonly notAnswered: number;
  /** Number of places without a value before or now, except those that were and are blank. */
  readonly withoutValue: number;
  readonly notCompared: readonly NotCompared[];
  /** Whether the refresh had more than 200,000 places, of which none was compared. */
  readonly isTooLarge: boolean;
}

export function largestFirst(changes: readonly CellChange[]): readonly CellChange[] {
  const sizeOf = ({ difference }: CellChange): number => (difference === null ? -1 : Math.abs(difference));
  return [...changes].sort((one, other) => sizeOf(other) - sizeOf(one));
}

export interface ItemChanges {
  readonly store: string;
  readonly item: string;
  readonly changes: readonly [CellChange, ...CellChange[]];
}

/**
 * Groups changes by store and item, in the order of each group's first change. Each change of an unknown item is its own group.
 */
export function byItem(changes: readonly CellChange[]): readonly ItemChanges[] {
  const groups = new Map<string | CellChange, [CellChange, ...CellChange[]]>();
  for (const change of changes) {
    const { store, item } = change;
    const key = store === "" || item === "" ? change : `${store}|${item}`;
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return Array.from(groups.values(), (group) => ({
    store: group[0].store,
    item: group[0].item,
    changes: group,
  }));
}

export type ChangeFilter = "all" | "to-zero" | "from-zero";

export function filterChanges(changes: readonly CellChange[], filter: ChangeFilter): readonly CellChange[] {
  if (filter === "all") return changes;
  return changes.filter(
    ({ before, after, difference }) => difference !== null && (filter === "to-zero" ? after : before) === 0,
  );
}
