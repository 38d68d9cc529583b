/**
 * The activity list: the cells that show each reason why there is no value, with what they asked for, and the last 500 such problems.
 * The cell register writes it. The pane shows it, because Excel often hides the text of an error.
 * Invariants: a cell counts once, however many values its formula fills, and only while the register counts it as a problem. A group
 * that counts cells lists some of them.
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
  /** At most 500 of them, newest first. */
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
  readonly problem: { readonly cells: ReadonlySet<string> | null; readonly problems: Problem[] } | null;
}

export type Activity = Pick<
  ReturnType<typeof createActivity>,
  "recent" | "groups" | "forgetUnplaced" | "subscribe"
>;

const most = 500;

/** Creates an empty list. The last 500 problems are kept in their order, whether resolved or not. */
export function createActivity(options: { readonly clock: Clock }) {
  const notices = createChangeNotices(options.clock);
  const groups = new Map<string, Group>();
  const groupOfCell = new Map<FailedCell, Group>();
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
    if (group.cells.size + group.unplaced === 0) groups.delete(group.key);
  }

  return {
    /** @param of the cell of the formula; null if the host doesn't provide it, so the problem counts for itself */
    record(problem: Problem, of: FailedCell | null): void {
      if (of === null) groupOf(problem.error).unplaced += 1;
      const own = of?.problem?.problems;
      // Two functions of one formula may fail. The first one's reason is the cell's.
      if (own && own.length < most && !own.some(({ cell }) => cell === problem.cell)) own.push(problem);
      recent.push(problem);
      if (recent.length >= 2 * most) recent = recent.slice(-most);
      notices.changed();
    },
    add(cell: FailedCell, error: InvError): void {
      const group = groupOf(error);
      group.cells.add(cell);
      groupOfCell.set(cell, group);
    },
    remove(cell: FailedCell): void {
      const group = groupOfCell.get(cell);
      if (group === undefined) return;
      groupOfCell.delete(cell);
      group.cells.delete(cell);
      dropIfEmpty(group);
      notices.changed();
    },
    /** Updates the addresses of the recent problems. The cells themselves have their new ones. */
    respellAddresses(spell: (cell: string) => string): void {
      recent = recent.map((problem) => respelled(problem, spell));
      notices.changed();
    },
    /** Returns the last 500 problems, newest first. */
    recent: (): readonly Problem[] => recent.slice(-most).reverse(),
    /** Returns the groups, largest first. */
    groups(): readonly ProblemGroup[] {
      const unplaced = recent.slice(-most).filter(({ cell }) => cell === null);
      return [...groups.values()]
        .map((group) => ({
          code: group.code,
          reason: group.reason,
          count: group.cells.size + group.unplaced,
          cells: [
            ...[...group.cells].slice(-most).reverse().flatMap(problemCell),
            ...unplaced.filter(({ error }) => groups.get(keyOf(error)) === group).map(unplacedCell),
          ],
        }))
        .sort((a, b) => b.count - a.count);
    },
    /** Removes the problems without an address. Nothing tells when they end. */
    forgetUnplaced(): void {
      for (const group of groups.values()) {
        group.unplaced = 0;
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
  /** Number of problems without an address. */
  unplaced: number;
}

function problemCell({ address, problem }: FailedCell): ProblemCell[] {
  const [first, ...others] = problem?.problems ?? [];
  return first === undefined
    ? []
    : [{ address, missing: problem?.cells?.size ?? 1, problems: [first, ...others] }];
}

function unplacedCell(problem: Problem): ProblemCell {
  return { address: null, missing: 1, problems: [problem] };
}

export function respelled(problem: Problem, spell: (cell: string) => string): Problem {
  return problem.cell === null ? problem : { ...problem, cell: spell(problem.cell) };
}

/** Messages that differ only in numbers and quoted values share a group. */
function keyOf({ code, message }: InvError): string {
  return `${code} ${unquoted(message).replace(/\d+/g, "#")}`;
}

function unquoted(message: string): string {
  return message.replace(/"[^"]*"/gu, '"…"');
}

/** Finds or creates the group of an error. */
function enter(groups: Map<string, Group>, error: InvError): Group {
  const { code, message } = error;
  const key = keyOf(error);
  const group = groups.get(key);
  if (group === undefined) {
    const first = { key, code, reason: message, cells: new Set<FailedCell>(), unplaced: 0 };
    groups.set(key, first);
    return first;
  }
  const general = unquoted(message);
  if (group.reason !== message && group.reason !== general) {
    group.reason = unquoted(group.reason) === general ? general : errorTable[code].text;
  }
  return group;
}
