/**
 * Items, from a cell's request to the call that carries it: one entry per item however many cells ask,
 * a queue per store and item type, and calls of up to 100 made up at the last moment. What an answer means
 * for a call's items is in `search-call`; when a call may leave is the scheduler's.
 * Invariant: an item is in flight at most once, except that one asked for before a refresh and one asked
 * for after it are two.
 */
import type { InvError } from "../../domain/errors";
import type { ItemQuery, ItemRecord } from "../../domain/records";
import type { Entries } from "../entries";
import { queued } from "../entry";
import type { QueryQueue, QueryQueueOptions } from "../query-queue";
import { requestsOfAnEdit } from "../send/arrivals";
import type { Call } from "../send/call";
import type { ItemAnswer, Outcome, Waiter } from "../answer";
import { createGroupQueues, type GroupQueues, itemsPerCall, type PartFilled } from "./group-queues";
import { type Batch, entryOf, type Group, type Groups, type ItemEntry } from "./groups";
import { createSearchCall, type Proof, type SearchTools } from "./search-call";

export interface ItemQueue extends QueryQueue<ItemQuery, ItemRecord> {
  /** A call of these items of one group, whatever is known of them. */
  probe(group: Group, values: readonly string[], proof: Proof): Call;
  readonly queues: GroupQueues;
}

export interface ItemQueueOptions extends QueryQueueOptions {
  readonly groups: Groups;
  readonly entries: Entries<ItemRecord, ItemEntry>;
  readonly search: Omit<SearchTools, "putBack" | "fail">;
}

export function createItemQueue(options: ItemQueueOptions): ItemQueue {
  const { steady, groups, entries, settler, board, sheets, arrivals } = options;
  const queues = createGroupQueues(sheets.preferred);
  const tools: SearchTools = { ...options.search, putBack, fail };
  let ofThisTurn: { readonly group: Group; readonly entry: ItemEntry }[] = [];

  function ask(
    query: ItemQuery,
    waiter: Waiter<ItemRecord>,
    cell: string | undefined,
  ): Outcome<ItemRecord> | null {
    const nowMs = steady.now();
    board.begin(nowMs);
    const group = groups.of(query.storeNumber, query.itemType);
    const entry = entryOf(group, query.value);
    const { answer } = entry;
    if (answer !== null && entries.isFresh(answer, entry.wantedEpoch)) {
      return giveAgain(group, waiter, answer);
    }
    if (!entries.isUnderWay(entry)) joinQueue(group, entry);
    else if (entries.hasWaiting(entry)) board.saved();
    if ((entry.state & queued) !== 0) {
      arrivals.note(nowMs);
      noteWaiting(group, entry, sheets.bitOf(cell));
    }
    entries.wait(entry, waiter);
    return null;
  }

  function giveAgain(
    group: Group,
    waiter: Waiter<ItemRecord>,
    answer: ItemAnswer,
  ): Outcome<ItemRecord> | null {
    board.enter("done");
    board.saved();
    groups.used(group);
    options.wake();
    return settler.give(waiter, answer);
  }

  function joinQueue(group: Group, entry: ItemEntry): void {
    entries.joinQueue(entry);
    const waiting = group.waiting.push(entry);
    if (waiting === 1 || waiting === itemsPerCall) queues.place(group);
  }

  function noteWaiting(group: Group, entry: ItemEntry, bit: number): void {
    if (ofThisTurn.length <= requestsOfAnEdit) ofThisTurn.push({ group, entry });
    if ((group.sheets & bit) !== bit) {
      group.sheets |= bit;
      queues.place(group);
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
      queues.place(group);
    }
  }

  function take(group: Group | undefined, isEdit: boolean): Call | null {
    if (group === undefined) return null;
    const edited = (group.edited ?? []).splice(0, itemsPerCall);
    const taking = edited.concat(group.waiting.splice(0, itemsPerCall - edited.length));
    if (group.edited?.length === 0) group.edited = null;
    if (group.waiting.length === 0) group.sheets = 0;
    queues.place(group, true);
    taking.forEach(entries.take);
    const isPartFilled = taking.length < itemsPerCall;
    return createSearchCall(tools, { group, entries: taking, isEdit, isPartFilled });
  }

  function putBack({ group, entries: released }: Batch): void {
    const back = released.filter(entries.release);
    back.forEach(entries.joinQueue);
    group.waiting = back.concat(group.waiting);
    queues.place(group);
  }

  function refresh(queries: readonly ItemQuery[], epoch: number): void {
    for (const { storeNumber, itemType, value } of queries) {
      const group = groups.of(storeNumber, itemType);
      const entry = entryOf(group, value);
      if (entries.want(entry, epoch)) joinQueue(group, entry);
    }
    options.wake();
  }

  function probe(group: Group, values: readonly string[], proof: Proof): Call {
    const probed = new Set(values);
    group.waiting = group.waiting.filter(({ value }) => !probed.has(value));
    group.edited = group.edited?.filter(({ value }) => !probed.has(value)) ?? null;
    if (group.edited?.length === 0) group.edited = null;
    queues.place(group);
    const taking = values.map((value) => entryOf(group, value));
    taking.forEach(entries.take);
    return createSearchCall(tools, { group, entries: taking, isEdit: true, isPartFilled: false, proof });
  }

  function fail({ group, entries: failing }: Batch, error: InvError): void {
    for (const entry of failing) {
      entries.unanswered(entry, error);
      if (entry.answer === null && entry.state === 0) group.entries.delete(entry.value);
    }
  }

  function failAll(error: InvError): void {
    for (const group of queues.all()) {
      const failing = [...(group.edited ?? []), ...group.waiting];
      group.waiting = [];
      group.edited = null;
      group.sheets = 0;
      queues.place(group);
      failing.forEach(entries.leaveQueue);
      fail({ group, entries: failing }, error);
    }
  }

  function callsWaiting(): number {
    let calls = 0;
    for (const group of queues.all()) {
      calls += Math.ceil((group.waiting.length + (group.edited?.length ?? 0)) / itemsPerCall);
    }
    return calls;
  }

  return {
    ask,
    endTurn,
    refresh,
    probe,
    queues,
    takeEdit: () => take(queues.edited(), true),
    take: (partFilled: PartFilled) => take(queues.next(partFilled), false),
    failAll,
    isWaiting: () => queues.isWaiting(),
    callsWaiting,
  };
}
