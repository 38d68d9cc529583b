/**
 * The problem list: the cells that show each reason why there is no value, with what they asked for, and the last 500 such problems.
 * The cell register writes it. The pane shows it, because Excel often hides the text of an error.
 * Invariants: a cell counts once, however many values its formula fills, and only while the register counts it as a problem. A group
 * keeps what it lists itself, so one that counts anything lists some of it.
 */
import { errorTable, type InvError } from "../domain/errors";
import { createChangeNotices } from "../domain/notices";
import type { Clock } from "../engine/clock";
import type { Problem, ProblemDetails } from "./problem-details";

export interface ProblemGroup {
  readonly code: InvError["code"];
  readonly reason: string;
  /** Number of cells that show this reason. Each problem without an address counts as one. */
  readonly count: number;
  /** At most 500 of those with an address, then at most 500 of the others, each newest first. */
  readonly cells: readonly ProblemCell[];
}

export interface ProblemCell {
  /** The address of the formula; null if the host doesn't provide it. */
  readonly address: string | null;
  /** Number of its values that are missing. */
  readonly missing: number;
  /** At most 500 of them, in the order in which they were reported. */
  readonly problems: readonly [Problem, ...Problem[]];
}

/** A cell of the register, as this list sees it. */
export interface FailedCell {
  readonly address: string;
  readonly problem: Pick<ProblemDetails, "cells" | "problems"> | null;
}

export type ProblemList = Pick<
  ReturnType<typeof createProblemList>,
  "recent" | "groups" | "forgetUnplaced" | "subscribe"
>;

const maxRecent = 500;

/** Creates an empty list. The last 500 problems are kept in their order, whether resolved or not. */
export function createProblemList(options: { readonly clock: Clock }) {
  const notices = createChangeNotices(options.clock);
  const groups = new Map<string, Group>();
  let recent: Problem[] = [];
  /**
   * The group of the last error. An outage or a missing connection gives 100,000 cells the same error, so
   * this saves lookups.
   */
  let last: { readonly error: InvError; readonly group: Group } | null = null;

  function groupOf(error: InvError): Group {
    let group = last?.group;
    if (last?.error !== error || group === undefined || groups.get(group.key) !== group) {
      group = enter(groups, error);
      last = { error, group };
    }
    notices.changed();
    return group;
  }

  function dropIfEmpty(group: Group): void {
    if (countOf(group) === 0) groups.delete(group.key);
  }

  return {
    /** Records a problem. One without an address counts for itself; any other counts with its cell. */
    record(problem: Problem): void {
      if (problem.cell === null) {
        const { unplaced } = groupOf(problem.error);
        unplaced.count += 1;
        unplaced.newest = withNewest(unplaced.newest, problem);
      }
      recent = withNewest(recent, problem);
      notices.changed();
    },
    add(cell: FailedCell, error: InvError): void {
      const group = groupOf(error);
      group.cells.add(cell);
    },
    remove(cell: FailedCell, error: InvError): void {
      const group = groupOf(error);
      group.cells.delete(cell);
      dropIfEmpty(group);
      notices.changed();
    },
    /** Updates the addresses of the recent problems. The cells themselves have their new ones. */
    respellAddresses(spell: (cell: string) => string): void {
      recent = recent.map((problem) => ({ ...problem, cell: problem.cell && spell(problem.cell) }));
      notices.changed();
    },
    /** Returns the last 500 problems, newest first. */
    recent: (): readonly Problem[] => newestOf(recent),
    /** Returns the groups, largest first. */
    groups(): readonly ProblemGroup[] {
      return [...groups.values()]
        .map((group) => ({
          code: group.code,
          reason: group.reason,
          count: countOf(group),
          cells: [
            ...newestOf([...group.cells]).flatMap(problemCell),
            ...newestOf(group.unplaced.newest).map(unplacedCell),
          ],
        }))
        .sort((a, b) => b.count - a.count);
    },
    /** Removes the problems without an address. Nothing tells when they end. */
    forgetUnplaced(): void {
      for (const group of groups.values()) {
        group.unplaced = { count: 0, newest: [] };
        dropIfEmpty(group);
      }
      recent = recent.filter(({ cell }) => cell !== null);
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
  /** The cells that show this reason now. */
  readonly cells: Set<FailedCell>;
  /** How many problems have no address, and the newest of them. */
  unplaced: { count: number; newest: Problem[] };
}

function countOf({ cells, unplaced }: Group): number {
  return cells.size + unplaced.count;
}

/** Adds the problem. The list keeps at least the last 500. */
function withNewest(problems: Problem[], problem: Problem): Problem[] {
  problems.push(problem);
  return problems.length < 2 * maxRecent ? problems : problems.slice(-maxRecent);
}

function newestOf<T>(all: readonly T[]): T[] {
  return all.slice(-maxRecent).reverse();
}

function problemCell({ address, problem }: FailedCell): ProblemCell[] {
  if (problem === null || problem.problems === null) return [];
  return [{ address, missing: problem.cells?.size ?? 1, problems: problem.problems }];
}

function unplacedCell(problem: Problem): ProblemCell {
  return { address: null, missing: 1, problems: [problem] };
}

function unquoted(message: string): string {
  return message.replace(/"[^"]*"/gu, '"…"');
}

/** Finds or creates the group of an error. Messages that differ only in numbers and quoted values share one. */
function enter(groups: Map<string, Group>, error: InvError): Group {
  const { code, message } = error;
  const general = unquoted(message);
  const key = `${code} ${general.replace(/\d+/g, "#")}`;
  const group = groups.get(key);
  if (group === undefined) {
    const unplaced = { count: 0, newest: [] };
    const first: Group = { key, code, reason: message, cells: new Set(), unplaced };
    groups.set(key, first);
    return first;
  }
  if (group.reason !== message && group.reason !== general) {
    group.reason = unquoted(group.reason) === general ? general : errorTable[code].text;
  }
  return group;
}
