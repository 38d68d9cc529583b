/**
 * Items, from a cell's request to the call that carries it: one entry per item however many cells ask,
 * a line per store and item type, and calls of up to 100 made up at the last moment. What an answer means
 * for a call's items is in `search-call`; when a call may leave is the dispatcher's.
 * Invariant: an item is in flight at most once, except that one asked for before a refresh and one asked
 * for after it are two.
 */
import type { InvError } from "../../domain/errors";
import type { ItemQuery } from "../../domain/records";
import { type Arrivals, requestsOfAnEdit } from "../send/arrivals";
import type { Call, Lane } from "../send/call";
import type { Clock } from "../clock";
import {
  cellsOf,
  createEntry,
  detached,
  type Entry,
  isFreshEntry,
  oneCell,
  outdated,
  pending,
  queued,
  taken,
  unasked,
} from "./entry";
import type { Batch, EntrySettler } from "./entry-settler";
import { createGroupLines, type GroupLines, itemsPerCall, type PartFilled } from "./group-lines";
import type { Group, Groups } from "./groups";
import type { ProgressBoard } from "../progress";
import { createSearchCall, type Proof, type SearchTools } from "./search-call";
import { cellsPerPromise, type Settler } from "../settler";
import type { Sheets } from "./sheets";
import type { EngineSettings, ItemAnswer } from "../types";

export interface ItemLane extends Lane {
  ask(query: ItemQuery, cell: string | undefined): Promise<ItemAnswer>;
  /** The turn is over; when its requests were an edit, they go first. */
  endTurn(isEdit: boolean): void;
  /** Outdates these items and puts them in line, cells or no cells. */
  refresh(queries: Iterable<ItemQuery>): void;
  /** Outdates every answer but those already asked for anew. */
  outdateAll(isNew: (query: ItemQuery) => boolean): void;
  /** A call of these items of one group, which answers as if they were outdated. */
  probe(group: Group, values: readonly string[], proof: Proof): Call;
  readonly lines: GroupLines;
}

export interface ItemLaneOptions {
  readonly clock: Clock;
  readonly steady: Clock;
  readonly settings: () => EngineSettings;
  readonly groups: Groups;
  readonly entries: EntrySettler;
  readonly search: Omit<SearchTools, "putBack">;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly sheets: Sheets;
  readonly arrivals: Arrivals;
  /** Something joined a line. */
  readonly wake: () => void;
}

export function createItemLane(options: ItemLaneOptions): ItemLane {
  const { clock, steady, groups, entries, settler, board, sheets, arrivals } = options;
  const { counts } = board;
  const lines = createGroupLines(sheets.preferred);
  const tools: SearchTools = { ...options.search, putBack };
  let ofThisTurn: { readonly group: Group; readonly entry: Entry }[] = [];

  function ask(query: ItemQuery, cell: string | undefined): Promise<ItemAnswer> {
    const nowMs = steady.now();
    board.begin(nowMs);
    counts.asked += 1;
    const group = groups.of(query.storeNumber, query.itemType);
    let entry = group.entries.get(query.value);
    if (entry === undefined) {
      entry = addEntry(group, query.value);
    } else if (isFreshEntry(entry, clock.now(), options.settings().freshnessMs)) {
      return giveAgain(group, entry);
    }
    if ((entry.state & pending) === 0) joinLine(group, entry);
    else if ((entry.state & unasked) === 0) counts.saved += 1;
    entry.state = (entry.state & ~unasked) + oneCell;
    if ((entry.state & queued) === 0) counts.inFlight += 1;
    else {
      arrivals.note(nowMs);
      noteWaiting(group, entry, sheets.bitOf(cell));
    }
    const isPromiseFull = cellsOf(entry) % cellsPerPromise === 1;
    return isPromiseFull || entry.promise === null ? entries.newPromise(entry) : entry.promise;
  }

  /** The same settled promise again, as long as this turn has room to settle cells. */
  function giveAgain(group: Group, entry: Entry): Promise<ItemAnswer> {
    counts.done += 1;
    counts.saved += 1;
    groups.used(group);
    options.wake();
    const { answer } = entry;
    if (entry.promise !== null && (entry.state & pending) === 0 && settler.takeRoom()) return entry.promise;
    return settler.answer(answer as ItemAnswer);
  }

  function joinLine(group: Group, entry: Entry): void {
    entry.state = (entry.state & outdated) | queued;
    // The one it holds has settled with the answer before.
    entry.promise = null;
    const waiting = group.waiting.push(entry);
    if (waiting === 1 || waiting === itemsPerCall) lines.place(group);
  }

  function noteWaiting(group: Group, entry: Entry, bit: number): void {
    counts.waiting += 1;
    if (ofThisTurn.length <= requestsOfAnEdit) ofThisTurn.push({ group, entry });
    if ((group.sheets & bit) !== bit) {
      group.sheets |= bit;
      lines.place(group);
    }
    options.wake();
  }

  function endTurn(isEdit: boolean): void {
    const requests = ofThisTurn;
    ofThisTurn = [];
    if (!isEdit) return;
    for (const { group, entry } of requests) {
      const at = group.waiting.lastIndexOf(entry);
      if (at < 0) continue;
      group.waiting.splice(at, 1);
      group.edited = [...(group.edited ?? []), entry];
      lines.place(group);
    }
  }

  function take(group: Group | undefined, isEdit: boolean): Call | null {
    if (group === undefined) return null;
    const edited = (group.edited ?? []).splice(0, itemsPerCall);
    const taking = edited.concat(group.waiting.splice(0, itemsPerCall - edited.length));
    if (group.edited?.length === 0) group.edited = null;
    if (group.waiting.length === 0) group.sheets = 0;
    lines.place(group, true);
    taking.forEach(takeEntry);
    return createSearchCall(tools, {
      group,
      entries: taking,
      isEdit,
      isPartFilled: taking.length < itemsPerCall,
    });
  }

  function takeEntry(entry: Entry): void {
    const cells = cellsOf(entry);
    if ((entry.state & queued) !== 0) counts.waiting -= cells;
    // A probe's, which never stood in line: the promise it holds has settled with the answer before.
    else entry.promise = null;
    counts.inFlight += cells;
    entry.state = (entry.state & ~queued) | taken;
  }

  function entryOf(group: Group, value: string): Entry {
    return group.entries.get(value) ?? addEntry(group, value);
  }

  function addEntry(group: Group, value: string): Entry {
    const entry = createEntry(value, null, 0);
    group.entries.set(value, entry);
    return entry;
  }

  /** Taken items wait again, before those that came later. */
  function putBack({ group, entries: taking }: Batch): void {
    const back: Entry[] = [];
    for (const entry of taking) {
      const cells = cellsOf(entry);
      counts.inFlight -= cells;
      if ((entry.state & detached) !== 0) {
        rejoin(group, entry);
        continue;
      }
      counts.waiting += cells;
      entry.state = (entry.state & ~taken) | queued;
      back.push(entry);
    }
    group.waiting = back.concat(group.waiting);
    lines.place(group);
  }

  /** What a refresh has overtaken need not be asked for twice: its cells wait for the newer request. */
  function rejoin(group: Group, entry: Entry): void {
    const cells = cellsOf(entry);
    entry.state = detached;
    if (cells === 0) return;
    const newer = entryOf(group, entry.value);
    if ((newer.state & pending) === 0) joinLine(group, newer);
    entries.move(entry, newer);
    newer.state += cells * oneCell;
    if ((newer.state & queued) === 0) counts.inFlight += cells;
    else counts.waiting += cells;
  }

  /** The entry keeps its cells and its call; whoever asks from now on gets another. */
  function detach(group: Group, value: string, state: number): void {
    const entry = entryOf(group, value);
    if ((entry.state & taken) === 0) return;
    entry.state |= detached;
    group.entries.set(value, createEntry(value, entry.answer, state));
  }

  function refresh(queries: Iterable<ItemQuery>): void {
    for (const { storeNumber, itemType, value } of queries) {
      const group = groups.of(storeNumber, itemType);
      detach(group, value, outdated);
      const entry = entryOf(group, value);
      entry.state |= outdated;
      if ((entry.state & pending) !== 0) continue;
      joinLine(group, entry);
      entry.state |= unasked;
    }
    options.wake();
  }

  function outdateAll(isNew: (query: ItemQuery) => boolean): void {
    for (const group of groups.all()) {
      const { storeNumber, itemType } = group;
      for (const [value, entry] of group.entries) {
        if (isNew({ storeNumber, itemType, value })) continue;
        detach(group, value, outdated);
        entry.state |= outdated;
      }
    }
  }

  function probe(group: Group, values: readonly string[], proof: Proof): Call {
    const probed = new Set(values);
    group.waiting = group.waiting.filter(({ value }) => !probed.has(value));
    group.edited = group.edited?.filter(({ value }) => !probed.has(value)) ?? null;
    if (group.edited?.length === 0) group.edited = null;
    lines.place(group);
    for (const value of values) detach(group, value, 0);
    const taking = values.map((value) => entryOf(group, value));
    taking.forEach(takeEntry);
    return createSearchCall(tools, {
      group,
      entries: taking,
      isEdit: true,
      isPartFilled: false,
      proof,
    });
  }

  function failAll(error: InvError): void {
    for (const group of lines.all()) {
      const failing = [...(group.edited ?? []), ...group.waiting];
      group.waiting = [];
      group.edited = null;
      group.sheets = 0;
      lines.place(group);
      failing.forEach(takeEntry);
      entries.unanswered({ group, entries: failing }, error);
    }
  }

  function callsWaiting(): number {
    let calls = 0;
    for (const group of lines.all()) {
      calls += Math.ceil((group.waiting.length + (group.edited?.length ?? 0)) / itemsPerCall);
    }
    return calls;
  }

  return {
    ask,
    endTurn,
    refresh,
    outdateAll,
    probe,
    lines,
    takeEdit: () => take(lines.edited(), true),
    take: (partFilled: PartFilled) => take(lines.next(partFilled), false),
    failAll,
    isWaiting: () => lines.isWaiting(),
    callsWaiting,
  };
}
