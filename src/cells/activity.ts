/**
 * The activity list: the last 500 requests that ended without a value, and the cells that show each reason. The cell register
 * writes it. The pane shows it, because Excel often hides the text of an error.
 * Invariant: a cell counts once, however many values its formula fills, and only while the register counts it as a problem.
 */
import { errorTable, type InvError } from "../domain/errors";
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "../engine/clock";

export interface Problem {
  readonly atMs: number;
  /** Address of the value, which the formula may have spilled; null if the host doesn't provide it. */
  readonly cell: string | null;
  /** Store and item as they were entered, even if they are wrong. Empty if blank. */
  readonly store: string;
  readonly item: string;
  readonly error: InvError;
}

export interface ProblemGroup {
  readonly code: InvError["code"];
  readonly reason: string;
  /** Number of cells that show this reason. Each problem without an address counts as one. */
  readonly count: number;
  /** Those of its cells that have problems among the last 500, newest first. */
  readonly cells: readonly ProblemCell[];
}

export interface ProblemCell {
  /** The address of the formula; null if the host doesn't provide it. */
  readonly address: string | null;
  /** Number of its values that are missing. */
  readonly missing: number;
  /** Those of them among the last 500 problems, in the order in which they were reported. */
  readonly problems: readonly [Problem, ...Problem[]];
}

/** A cell of the register, as this list sees it. */
export interface FailedCell {
  readonly address: string;
  readonly recalculation: number;
  readonly problem: { readonly cells: ReadonlySet<string> | null } | null;
}

export type Activity = Pick<
  ReturnType<typeof createActivity>,
  "recent" | "groups" | "forgetUnplaced" | "subscribe"
>;

const keptProblems = 500;

/** Creates an empty list. The last 500 problems are kept in their order, whether resolved or not. */
export function createActivity(options: { readonly clock: Clock }) {
  const notices = createChangeNotices(options.clock);
  const groups = new Map<string, Group>();
  const groupOfCell = new Map<FailedCell, Group>();
  let entries: Entry[] = [];
  /**
   * The group of the last error. An outage or a missing connection gives 100,000 cells the same error, so
   * this saves lookups.
   */
  let last: { readonly error: InvError; readonly group: Group } | null = null;

  function countIn(error: InvError): Group {
    let group = last?.group;
    if (last?.error !== error || group === undefined || groups.get(group.key) !== group) {
      group = enter(groups, error);
      last = { error, group };
    }
    group.count++;
    notices.changed();
    return group;
  }

  function dropIfEmpty(group: Group): void {
    if (group.count === 0) groups.delete(group.key);
  }

  /** Returns the group of a problem that a cell shows now. */
  function groupOf({ of, recalculation, unplaced }: Entry): Group | undefined {
    if (of === null) return unplaced !== null && groups.get(unplaced.key) === unplaced ? unplaced : undefined;
    return of.recalculation === recalculation ? groupOfCell.get(of) : undefined;
  }

  return {
    /** @param of the cell of the formula; null if the host doesn't provide it, so the problem counts for itself */
    record(problem: Problem, of: FailedCell | null): void {
      const unplaced = of === null ? countIn(problem.error) : null;
      if (unplaced !== null) unplaced.unplaced++;
      entries.push({ problem, of, recalculation: of?.recalculation ?? 0, unplaced });
      if (entries.length >= 2 * keptProblems) entries = entries.slice(-keptProblems);
      notices.changed();
    },
    add(cell: FailedCell, error: InvError): void {
      groupOfCell.set(cell, countIn(error));
    },
    remove(cell: FailedCell): void {
      const group = groupOfCell.get(cell);
      if (group === undefined) return;
      groupOfCell.delete(cell);
      group.count--;
      dropIfEmpty(group);
      notices.changed();
    },
    /** Writes the problems' addresses anew. The cells themselves have their new ones. */
    respellAddresses(spell: (cell: string) => string): void {
      entries = entries.map((entry) => {
        const { problem } = entry;
        return problem.cell === null
          ? entry
          : { ...entry, problem: { ...problem, cell: spell(problem.cell) } };
      });
      notices.changed();
    },
    /** Returns the last 500 problems, newest first. */
    recent: (): readonly Problem[] => lastEntries(entries).map(({ problem }) => problem),
    /** Returns the groups, largest first. */
    groups(): readonly ProblemGroup[] {
      const cellsOf = new Map<Group, ProblemCell[]>();
      const problemsOf = new Map<FailedCell, [Problem, ...Problem[]]>();
      for (const entry of lastEntries(entries)) {
        const { problem, of } = entry;
        const group = groupOf(entry);
        if (group === undefined) continue;
        const known = of === null ? undefined : problemsOf.get(of);
        if (known !== undefined) {
          // Two functions of one formula may fail.
          if (!known.some(({ cell }) => cell === problem.cell)) known.unshift(problem);
          continue;
        }
        const problems: [Problem, ...Problem[]] = [problem];
        if (of !== null) problemsOf.set(of, problems);
        const cell = { address: of?.address ?? null, missing: of?.problem?.cells?.size ?? 1, problems };
        const list = cellsOf.get(group);
        if (list === undefined) cellsOf.set(group, [cell]);
        else list.push(cell);
      }
      return [...groups.values()]
        .map((group) => ({
          code: group.code,
          reason: group.reason,
          count: group.count,
          cells: cellsOf.get(group) ?? [],
        }))
        .sort((a, b) => b.count - a.count);
    },
    /** Removes the problems without an address. Nothing tells when they end. */
    forgetUnplaced(): void {
      for (const group of groups.values()) {
        group.count -= group.unplaced;
        group.unplaced = 0;
        dropIfEmpty(group);
      }
      entries = entries.filter(({ of }) => of !== null);
      notices.changed();
    },
    /** Calls the listener after changes, at most about ten times a second. Returns the unsubscribe function. */
    subscribe: (listener: () => void) => notices.subscribe(listener),
  };
}

interface Group {
  readonly key: string;
  readonly code: InvError["code"];
  /**
   * The most specific text that is true for the whole group: the message, the message without the received
   * value, or the title.
   */
  reason: string;
  /** Number of cells that show this reason now, and of problems without an address. */
  count: number;
  unplaced: number;
}

interface Entry {
  readonly problem: Problem;
  readonly of: FailedCell | null;
  /** The cell's recalculation that had this problem. */
  readonly recalculation: number;
  /** The group of a problem without an address. */
  readonly unplaced: Group | null;
}

/**
 * Finds or creates the group of an error. Messages that differ only in numbers and quoted values share a
 * group.
 */
function enter(groups: Map<string, Group>, error: InvError): Group {
  const unquoted = error.message.replace(/"[^"]*"/gu, '"…"');
  const key = `${error.code} ${unquoted.replace(/\d+/g, "#")}`;
  const group = groups.get(key);
  if (group === undefined) {
    const first = { key, code: error.code, reason: error.message, count: 0, unplaced: 0 };
    groups.set(key, first);
    return first;
  }
  if (group.reason !== error.message && group.reason !== unquoted) {
    const isSameUnquoted = group.reason.replace(/"[^"]*"/gu, '"…"') === unquoted;
    group.reason = isSameUnquoted ? unquoted : errorTable[error.code].text;
  }
  return group;
}

function lastEntries(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(-keptProblems).reverse();
}
