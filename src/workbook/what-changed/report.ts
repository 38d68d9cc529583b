/** What a refresh has changed, as a value: what was compared, what came of it, and what could not be compared. */
import type { CellContent, CellRef } from "../port";
import type { RefreshScope } from "../refresh/targets";

/** One place whose value is another. */
export interface CellChange extends CellRef {
  /** What it asks for; "" where it asks for several, or INV does not know. */
  readonly store: string;
  readonly item: string;
  readonly before: CellContent;
  readonly after: CellContent;
  /** Null where it tells nothing: texts, times, errors. */
  readonly difference: number | null;
  /** Its numbers are times, as Excel counts days. */
  readonly isTime: boolean;
}

/** `edited`: an edit touched or moved the cell or what it refers to. `asks-else`: another question than before. */
export interface NotCompared {
  readonly cell: CellRef;
  readonly reason: "edited" | "asks-else";
}

export interface ChangeReport {
  readonly scope: RefreshScope;
  /** When the refresh began and when what it brought was read. */
  readonly fromMs: number;
  readonly atMs: number;
  /** Places that had a value before and were answered with one now. */
  readonly compared: number;
  /** The largest difference first, then those without one, in the order of the sheet. */
  readonly changes: readonly CellChange[];
  readonly toZero: number;
  readonly fromZero: number;
  /** Places that had a value before and were not answered now, so that nothing is known of a change. */
  readonly notAnswered: number;
  /** Places that showed no value, before or now, but for those that were and are blank. */
  readonly withoutValue: number;
  readonly notCompared: readonly NotCompared[];
  /** Set where there were too many places: the one sheet that was compared. */
  readonly onlySheet: string | null;
  /** Only the first places of it. */
  readonly isCut: boolean;
}

/** In the order of a report; the given order stays among equals. */
export function largestFirst(changes: readonly CellChange[]): readonly CellChange[] {
  const groups = new Map<number, CellChange[]>();
  for (const change of changes) {
    const size = change.difference === null ? -1 : Math.abs(change.difference);
    const group = groups.get(size);
    if (group) group.push(change);
    else groups.set(size, [change]);
  }
  // Numbers alone are sorted: 200,000 changes compared by a function would hold the page up.
  const sizes = Float64Array.from(groups.keys()).sort().reverse();
  return [...sizes].flatMap((size) => groups.get(size) ?? []);
}

/** What changed of one item at one store. */
export interface ItemChanges {
  readonly store: string;
  readonly item: string;
  readonly changes: readonly [CellChange, ...CellChange[]];
}

/** The changes by store and item, in the order of the first of each. A change whose item is not known stands alone. */
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

export type ChangeFilter =
  | { readonly kind: "all" }
  | { readonly kind: "to-zero" }
  | { readonly kind: "from-zero" }
  /** Differences of more than this, up or down. */
  | { readonly kind: "more-than"; readonly amount: number }
  /** The same in per cent of the value before; what was 0 has changed by more than any. */
  | { readonly kind: "more-than-percent"; readonly percent: number };

export function filterChanges(changes: readonly CellChange[], filter: ChangeFilter): readonly CellChange[] {
  return filter.kind === "all" ? changes : changes.filter((change) => passes(change, filter));
}

function passes({ before, after, difference }: CellChange, filter: ChangeFilter): boolean {
  if (filter.kind === "all") return true;
  if (difference === null) return false;
  if (filter.kind === "to-zero") return after === 0;
  if (filter.kind === "from-zero") return before === 0;
  const size = Math.abs(difference);
  if (filter.kind === "more-than") return size > filter.amount;
  return size * 100 > filter.percent * Math.abs(Number(before));
}
