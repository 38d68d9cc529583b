/**
 * Gives waiting cells their end: the answer, the last known answer with the reason why it is not newer, or
 * the reason alone. Keeps the list of what is shown although stale. Which cells end how is decided by the
 * call; when their promises settle, by the settler.
 * Invariant: settling an entry leaves it without waiting cells, and every cell counted once.
 */
import type { InvError } from "../../domain/errors";
import { cellsOf, detached, type Entry, outdated } from "./entry";
import type { Group, Groups } from "./groups";
import type { ProgressBoard } from "../progress";
import { cellsPerPromise, refusal, type Resolve, type Settler } from "../settler";
import type { EngineSettings, ItemAnswer, StaleEntry } from "../types";

/** Items of one group on their way. */
export interface Batch {
  readonly group: Group;
  readonly entries: readonly Entry[];
}

export interface EntrySettler {
  /** A promise for the entry's latest cell, the first of those that will share it. */
  newPromise(entry: Entry): Promise<ItemAnswer>;
  /** The cells of the first wait for the second from now on. */
  move(entry: Entry, newer: Entry): void;
  answered(group: Group, entry: Entry, answer: ItemAnswer): void;
  /** All of the batch. */
  unanswered(batch: Batch, error: InvError): void;
  stale(): readonly StaleEntry[];
  /** Nothing is stale any more, because nothing is known. */
  forgetStale(): void;
}

interface Options {
  readonly groups: Groups;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly settings: () => EngineSettings;
}

interface Hanging {
  readonly resolve: Resolve<ItemAnswer>;
  readonly cells: number;
}

interface Stale extends StaleEntry {
  readonly group: Group;
}

export function createEntrySettler({ groups, settler, board, settings }: Options): EntrySettler {
  const { counts } = board;
  const staleEntries = new Map<Entry, Stale>();
  /** Further promises of entries that more cells wait for than one promise may settle. */
  const crowds = new Map<Entry, Hanging[]>();
  let captured: Resolve<ItemAnswer> | null = null;
  // One function for all promises: a closure per cell would cost more than the entry.
  const capture = (resolve: Resolve<ItemAnswer>) => void (captured = resolve);

  function newPromise(entry: Entry): Promise<ItemAnswer> {
    if (entry.resolve !== null) addToCrowd(entry, { resolve: entry.resolve, cells: cellsPerPromise });
    entry.promise = new Promise<ItemAnswer>(capture);
    entry.resolve = captured;
    return entry.promise;
  }

  function addToCrowd(entry: Entry, hanging: Hanging): void {
    const crowd = crowds.get(entry);
    if (crowd === undefined) crowds.set(entry, [hanging]);
    else crowd.push(hanging);
  }

  function move(entry: Entry, newer: Entry): void {
    for (const hanging of crowds.get(entry) ?? []) addToCrowd(newer, hanging);
    crowds.delete(entry);
    if (entry.resolve !== null) addToCrowd(newer, { resolve: entry.resolve, cells: ownCells(entry) });
    entry.resolve = null;
  }

  /** Cells of the entry's own promise, those of its crowd left out. */
  function ownCells(entry: Entry): number {
    const crowd = crowds.get(entry);
    if (crowd === undefined) return cellsOf(entry);
    return Math.max(1, cellsOf(entry) - crowd.reduce((sum, hanging) => sum + hanging.cells, 0));
  }

  function settle(entry: Entry, answer: ItemAnswer | Promise<never>): void {
    if (entry.resolve !== null) settler.settle(entry.resolve, answer, ownCells(entry));
    entry.resolve = null;
    if (crowds.size === 0) return;
    for (const { resolve, cells } of crowds.get(entry) ?? []) settler.settle(resolve, answer, cells);
    crowds.delete(entry);
  }

  function answered(group: Group, entry: Entry, answer: ItemAnswer): void {
    const cells = cellsOf(entry);
    counts.inFlight -= cells;
    counts.done += cells;
    settle(entry, answer);
    if ((entry.state & detached) !== 0) {
      keepAsLastKnown(group.entries.get(entry.value), entry, answer);
      return;
    }
    if (staleEntries.size > 0) staleEntries.delete(entry);
    entry.answer = answer;
    entry.state = 0;
  }

  /** An answer to a call that a refresh overtook: of use only while no newer call was answered. */
  function keepAsLastKnown(newer: Entry | undefined, overtaken: Entry, answer: ItemAnswer): void {
    if (newer?.answer === overtaken.answer) newer.answer = answer;
  }

  function unanswered({ group, entries }: Batch, error: InvError): void {
    const refused = refusal(error);
    for (const entry of entries) {
      const cells = cellsOf(entry);
      counts.inFlight -= cells;
      if (cells > 0 && entry.answer !== null && settings().whenUnanswered === "last-known") {
        counts.done += cells;
        settle(entry, { ...entry.answer, staleBecause: error });
        if ((entry.state & detached) === 0) noteStale(group, entry, error);
      } else {
        counts.failed += cells;
        settle(entry, refused);
      }
      entry.promise = null;
      entry.state &= outdated | detached;
      if (entry.answer === null && group.entries.get(entry.value) === entry) {
        group.entries.delete(entry.value);
      }
    }
  }

  function noteStale(group: Group, entry: Entry, because: InvError): void {
    const { storeNumber, itemType } = group;
    const fetchedAtMs = entry.answer?.fetchedAtMs ?? 0;
    const query = { storeNumber, itemType, value: entry.value };
    staleEntries.set(entry, { query, fetchedAtMs, because, group });
  }

  function stale(): readonly StaleEntry[] {
    const list: StaleEntry[] = [];
    for (const [entry, { group, query, fetchedAtMs, because }] of staleEntries) {
      const isHeld = groups.find(group)?.entries.get(entry.value) === entry;
      if (isHeld) list.push({ query, fetchedAtMs, because });
      else staleEntries.delete(entry);
    }
    return list;
  }

  return {
    newPromise,
    move,
    answered,
    unanswered,
    stale,
    forgetStale: () => staleEntries.clear(),
  };
}
