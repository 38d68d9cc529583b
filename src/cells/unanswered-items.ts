/**
 * Items and histories that cells show although their latest request wasn't answered, by environment, store
 * and item. An age cell (`INV.STATUS` with its last argument) reads them, so it needs no request.
 * Age cells aren't added: otherwise two of them would report each other.
 * Invariants: a cell is removed with the same values with which it was added. A reason and a time are those of cells that show the
 * item now.
 */
import { type InvError, isUnanswered } from "../domain/errors";
import { itemKey } from "../domain/query-keys";
import type { Query } from "../domain/records";
import { type InvCell, visitQueries } from "./cell-record";
import type { ProblemDetails } from "./problem-details";

export interface Unanswered {
  /** Fetch time of the oldest of the values. Null if no cell shows one. */
  readonly sinceMs: number | null;
  readonly because: InvError;
}

type UnansweredCell = Pick<InvCell, "queries" | "environmentId" | "oldestMs" | "unansweredBecause"> & {
  readonly problem: ProblemDetails | null;
};

export function createUnansweredItems() {
  /** The cells that show the item, by its key. What they have in common is computed when an age cell asks. */
  const found = new Map<string, { readonly cells: Set<UnansweredCell>; common: Unanswered | null }>();

  return {
    add(cell: UnansweredCell): void {
      for (const key of keysOf(cell)) {
        const entry = found.get(key) ?? { cells: new Set(), common: null };
        entry.cells.add(cell);
        entry.common = null;
        found.set(key, entry);
      }
    },
    remove(cell: UnansweredCell): void {
      for (const key of keysOf(cell)) {
        const entry = found.get(key);
        if (entry === undefined) continue;
        entry.cells.delete(cell);
        entry.common = null;
        if (entry.cells.size === 0) found.delete(key);
      }
    },
    /** Returns null if the latest request was answered, or no cell shows the item. */
    find(environmentId: string | null, query: Query): Unanswered | null {
      const entry = found.get(`${environmentId ?? ""}|${itemKey(query)}`);
      return entry === undefined ? null : (entry.common ??= commonOf(entry.cells));
    },
  };
}

function commonOf(cells: Iterable<UnansweredCell>): Unanswered | null {
  let sinceMs: number | null = null;
  let because: InvError | null = null;
  for (const { oldestMs, unansweredBecause } of cells) {
    sinceMs = sinceMs === null || oldestMs === null ? (sinceMs ?? oldestMs) : Math.min(sinceMs, oldestMs);
    because ??= unansweredBecause;
  }
  return because && { sinceMs, because };
}

/**
 * Returns the cells that keep their last answer because their latest request wasn't answered. Views ask about ten times a
 * second, so it looks at all cells only if some request wasn't answered.
 */
export function cellsWithLastAnswer(cells: {
  summary(): { readonly latestUnanswered: number };
  all(): Iterable<InvCell>;
}): readonly InvCell[] {
  return cells.summary().latestUnanswered === 0 ? [] : [...cells.all()].filter(keepsLastAnswer);
}

/** The answer may be a value or "not found". */
function keepsLastAnswer({ state, error, unansweredBecause, isAgeCell }: InvCell): boolean {
  const showsReason = state === "problem" && error !== null && isUnanswered(error.code);
  return unansweredBecause !== null && !showsReason && !isAgeCell;
}

function keysOf({ queries, environmentId, unansweredBecause, problem }: UnansweredCell): ReadonlySet<string> {
  const keys = new Set<string>();
  if (unansweredBecause === null) return keys;
  const add = (key: string): void => void keys.add(`${environmentId ?? ""}|${key}`);
  if (problem?.unansweredItems) problem.unansweredItems.forEach(add);
  else visitQueries({ queries }, (query) => add(itemKey(query)));
  return keys;
}
