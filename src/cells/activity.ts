/**
 * The activity list: the last 500 requests that ended without a value, and how many cells show each
 * reason. The cell register writes it as cells settle, are calculated again and are forgotten; the pane
 * shows it, because Excel often hides the text of an error.
 */
import { errorTable, type InvError } from "../domain/errors";
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "../engine/clock";

export interface Problem {
  readonly atMs: number;
  /** Address of the cell where the host told it. */
  readonly cell: string | null;
  /** Store and item as they were given (also when they are what is wrong); "" when blank. */
  readonly store: string;
  readonly item: string;
  readonly error: InvError;
}

export interface ProblemGroup {
  readonly code: InvError["code"];
  /** The reason in words, the same for all of the group. */
  readonly reason: string;
  /** Problems recorded since the list was cleared; the same cell with the same reason counts once. */
  readonly count: number;
  /** Those of the group that are among the last 500, newest first. */
  readonly problems: readonly Problem[];
}

export interface Activity {
  /** Newest first, at most 500. */
  recent(): readonly Problem[];
  /** Largest first. */
  groups(): readonly ProblemGroup[];
  clear(): void;
  /** Told after changes, not more than about ten times a second. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** The same for the cell register, which alone writes it. */
export interface ActivityLog extends Activity {
  record(problem: Problem): void;
  /** The cell has a value now, or is gone: its problems no longer count. */
  resolved(cell: string): void;
  /** Cells have other addresses, as this spells them. */
  renamed(spell: (cell: string) => string): void;
}

const keptProblems = 500;

/**
 * A cell counts for one reason: the latest that was recorded for it and not resolved since. Problems
 * without a cell address count each for itself. The last 500 are kept as they happened, resolved or not.
 */
export function createActivity(options: { readonly clock: Clock }): ActivityLog {
  const notices = createChangeNotices(options.clock);
  const groups = new Map<string, Group>();
  const groupOfCell = new Map<string, Group>();
  /** The last problems, oldest first. */
  let entries: Entry[] = [];
  /** Of the last error: an outage or a missing connection ends 100,000 cells with the same one. */
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
    record(problem) {
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
    resolved(cell) {
      if (!groupOfCell.has(cell)) return;
      leaveGroup(cell);
      notices.changed();
    },
    renamed(spell) {
      const placed = [...groupOfCell];
      groupOfCell.clear();
      for (const [cell, group] of placed) {
        const to = spell(cell);
        // Of two that are one address now, one counts.
        leaveGroup(to);
        groupOfCell.set(to, group);
      }
      entries = entries.map(({ problem, group }) => ({
        problem: problem.cell === null ? problem : { ...problem, cell: spell(problem.cell) },
        group,
      }));
      notices.changed();
    },
    recent: () => lastEntries(entries).map(({ problem }) => problem),
    groups() {
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
    clear() {
      groups.clear();
      groupOfCell.clear();
      entries = [];
      notices.changed();
    },
    subscribe: (listener) => notices.subscribe(listener),
  };
}

interface Group {
  readonly key: string;
  readonly code: InvError["code"];
  /** As exact as all of the group allow: the message, else without what was received, else the title. */
  reason: string;
  /** Cells that show this reason now. */
  cells: number;
  /** Problems without an address. */
  unplaced: number;
}

interface Entry {
  readonly problem: Problem;
  readonly group: Group;
}

/** The group of an error: messages that differ in numbers and quoted values only are one reason. */
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

/** Newest first. */
function lastEntries(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(-keptProblems).reverse();
}
