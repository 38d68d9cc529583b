/**
 * The cells whose latest request had no answer, whoever asked. The register knows what each cell asks for, and the engine why a query
 * has no answer. Nothing else is kept, so that whoever asks gets the same reason.
 * Invariant: looks at all cells only if some query has no answer, and only once after each change, because views ask many times a second.
 */
import { InvError, isUnanswered } from "../domain/errors";
import type { Query } from "../domain/records";
import { type InvCell, queriesOf } from "./cell-record";

/** The engine's reasons, as the register needs them. */
export interface ReasonsByQuery {
  because(query: Query, environmentId?: string | null): InvError | null;
  readonly size: number;
  readonly version: number;
}

/** A cell that keeps its last known answer. */
export interface StaleCell {
  readonly address: string;
  readonly because: InvError;
  /** Null if this session hasn't calculated the cell: it shows the file's value. */
  readonly invCell: InvCell | null;
}

/** The reason of a cell that got no answer, where another cell's request has got one since. */
const answeredSince = new InvError(
  "cancelled",
  "There was no answer when the cell was calculated. A newer one is there now. Refresh to show it.",
);

export function createUnansweredCells(options: {
  readonly reasons?: ReasonsByQuery;
  cells(): Iterable<InvCell>;
  uncalculated(): ReadonlyMap<string, readonly Query[]> | null;
  /** Whether the latest calculation of any cell got no answer. */
  hasUnanswered(): boolean;
  /** Grows with each change of the cells. */
  changes(): number;
}) {
  const { reasons } = options;
  let found = { key: "", count: 0, stale: [] as readonly StaleCell[] };

  function reasonIn(queries: readonly Query[], environmentId?: string | null): InvError | null {
    if (reasons === undefined || reasons.size === 0) return null;
    for (const query of queries) {
      const because = reasons.because(query, environmentId);
      if (because !== null) return because;
    }
    return null;
  }

  function because(cell: InvCell): InvError | null {
    if (cell.state === "waiting" || cell.isAgeCell) return null;
    const reason = reasonIn(queriesOf(cell), cell.environmentId);
    if (reason !== null || !cell.isUnanswered) return reason;
    return cell.error !== null && isUnanswered(cell.error.code) ? cell.error : answeredSince;
  }

  function look(): typeof found {
    const key = `${options.changes()} ${reasons?.version ?? 0}`;
    if (found.key === key) return found;
    const stale: StaleCell[] = [];
    let count = 0;
    if (options.hasUnanswered() || (reasons?.size ?? 0) > 0) {
      for (const invCell of options.cells()) {
        const reason = because(invCell);
        if (reason === null) continue;
        count += 1;
        if (!showsReason(invCell)) stale.push({ address: invCell.address, because: reason, invCell });
      }
      for (const [address, queries] of options.uncalculated() ?? []) {
        const reason = reasonIn(queries);
        if (reason !== null) stale.push({ address, because: reason, invCell: null });
      }
    }
    return (found = { key, count, stale });
  }

  return {
    because,
    reasonIn,
    /** Returns the number of settled cells of the register without an answer, whatever they show. */
    count: () => look().count,
    stale: () => look().stale,
  };
}

function showsReason({ state, error }: InvCell): boolean {
  return state === "problem" && error !== null && isUnanswered(error.code);
}
