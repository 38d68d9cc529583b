/**
 * The activity list: the last 500 requests that ended without a value, and the number of cells for each
 * reason. The cell register writes it. The pane shows it, because Excel often hides the text of an error.
 */
import { errorTable, type InvError } from "../domain/errors";
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "../engine/clock";

export interface Problem {
  readonly atMs: number;
  /** The cell's address, or null if the host doesn't provide it. */
  readonly cell: string | null;
  /** Store and item as they were entered, even if they are wrong. Empty if blank. */
  readonly store: string;
  readonly item: string;
  readonly error: InvError;
}

export interface ProblemGroup {
  readonly code: InvError["code"];
  readonly reason: string;
  /** Number of problems since the list was cleared. The same cell with the same reason counts once. */
  readonly count: number;
  /** The group's problems among the last 500, newest first. */
  readonly problems: readonly Problem[];
}

export type Activity = Pick<ReturnType<typeof createActivity>, "recent" | "groups" | "clear" | "subscribe">;

const keptProblems = 500;

/**
 * Creates an empty list. A cell counts for its latest unresolved reason. Each problem without an address
 * counts separately. The last 500 problems are kept in their order, whether resolved or not.
 */
export function createActivity(options: { readonly clock: Clock }) {
  const notices = createChangeNotices(options.clock);
  const groups = new Map<string, Group>();
  const groupOfCell = new Map<string, Group>();
  let entries: Entry[] = [];
  /**
   * The group of the last error. An outage or a missing connection gives 100,000 cells the same error, so
   * this saves lookups.
   */
  let last: { readonly error: InvError; readonly group: Group } | null = null;

  function groupFor(error: InvError): Group {
    if (last?.error === error && groups.get(last.group.key) === last.group) return last.group;
    const group = enter(groups, error);
    last = { error, group };
    return group;
  }

  function leaveGroup(cell: string): void {
    const group = groupOfCell.get(cell);
    if (group === undefined) return;
    groupOfCell.delete(cell);
    group.cells--;
    dropIfEmpty(group);
  }

  function dropIfEmpty(group: Group): void {
    if (group.cells + group.unplaced === 0) groups.delete(group.key);
  }

  function isCounted({ problem, group }: Entry): boolean {
    if (problem.cell === null) return groups.get(group.key) === group;
    return groupOfCell.get(problem.cell) === group;
  }

  return {
    record(problem: Problem): void {
      const group = groupFor(problem.error);
      entries.push({ problem, group });
      if (entries.length >= 2 * keptProblems) entries = entries.slice(-keptProblems);
      if (problem.cell === null) group.unplaced++;
      else if (groupOfCell.get(problem.cell) !== group) {
        leaveGroup(problem.cell);
        groupOfCell.set(problem.cell, group);
        group.cells++;
      }
      notices.changed();
    },
    /** Stops counting the cell's problems, because it has a value now or no longer exists. */
    resolve(cell: string): void {
      if (!groupOfCell.has(cell)) return;
      leaveGroup(cell);
      notices.changed();
    },
    respellAddresses(spell: (cell: string) => string): void {
      const placed = [...groupOfCell];
      groupOfCell.clear();
      for (const [cell, group] of placed) {
        const to = spell(cell);
        // If two cells now have the same address, they count as one.
        leaveGroup(to);
        groupOfCell.set(to, group);
      }
      entries = entries.map(({ problem, group }) => ({
        problem: problem.cell === null ? problem : { ...problem, cell: spell(problem.cell) },
        group,
      }));
      notices.changed();
    },
    /** Returns the last 500 problems, newest first. */
    recent: (): readonly Problem[] => lastEntries(entries).map(({ problem }) => problem),
    /** Returns the groups, largest first. */
    groups(): readonly ProblemGroup[] {
      const problems = new Map<Group, Problem[]>();
      const seenCells = new Set<string>();
      for (const entry of lastEntries(entries)) {
        const { cell } = entry.problem;
        if (!isCounted(entry) || (cell !== null && seenCells.has(cell))) continue;
        if (cell !== null) seenCells.add(cell);
        const list = problems.get(entry.group);
        if (list === undefined) problems.set(entry.group, [entry.problem]);
        else list.push(entry.problem);
      }
      return [...groups.values()]
        .map((group) => ({
          code: group.code,
          reason: group.reason,
          count: group.cells + group.unplaced,
          problems: problems.get(group) ?? [],
        }))
        .sort((a, b) => b.count - a.count);
    },
    clear(): void {
      groups.clear();
      groupOfCell.clear();
      entries = [];
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
  /** Number of cells that show this reason now. */
  cells: number;
  unplaced: number;
}

interface Entry {
  readonly problem: Problem;
  readonly group: Group;
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
    const first = { key, code: error.code, reason: error.message, cells: 0, unplaced: 0 };
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
