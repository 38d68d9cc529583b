/**
 * Histories, from a cell's request to the calls that carry it. There is no batch call, so calls are saved by
 * sharing: equal queries share one history, and a query for one event type takes its part of the whole
 * history when that is fresh, on its way, or wanted in the same gathering. Where two or more types are wanted
 * together, the cheaper of the two ways is taken; a single one goes with its filter.
 * Invariant: an entry in the queue is sent, rides on another that is, or is answered by what is known.
 */
import type { InvError } from "../../domain/errors";
import type { HistoryQuery } from "../../domain/records";
import { queued } from "../entry";
import type { PartFilled } from "../items/group-queues";
import type { QueryQueue, QueryQueueOptions } from "../query-queue";
import { requestsOfAnEdit } from "../send/arrivals";
import type { Call } from "../send/call";
import { choicesPerTurnOfTheOthers } from "../sheets";
import type { HistoryAnswer, Outcome, Waiter } from "../answer";
import { createPageCall, createReading, type PageTools, type Reading } from "./history-call";
import {
  cheaperWay,
  type Events,
  type HistoryEntry,
  type HistoryGroup,
  type HistoryGroups,
} from "./history-groups";
import { wholeHistoryKey } from "./history-key";

export interface HistoryQueue extends QueryQueue<HistoryQuery, Events> {
  /** The first call of these histories, one or more, whatever is known of them. */
  probe(queries: readonly HistoryQuery[], proof: Reading["proof"]): Call;
}

export interface HistoryQueueOptions extends QueryQueueOptions {
  readonly groups: HistoryGroups;
  readonly pages: Omit<PageTools, "groups" | "putBack">;
}

export function createHistoryQueue(options: HistoryQueueOptions): HistoryQueue {
  const { steady, groups, board, sheets, arrivals } = options;
  const { entries } = groups;
  const tools: PageTools = { ...options.pages, groups, putBack };
  const queue = new Set<HistoryEntry>();
  const edits = new Set<HistoryEntry>();
  let ofThisTurn: HistoryEntry[] = [];
  let choices = 0;

  function ask(
    query: HistoryQuery,
    waiter: Waiter<Events>,
    cell: string | undefined,
  ): Outcome<Events> | null {
    const nowMs = steady.now();
    board.begin(nowMs);
    const fresh = groups.fresh(query);
    if (fresh !== null) return giveAgain(waiter, fresh);
    const entry = groups.entryOf(query);
    if (!entries.isUnderWay(entry)) joinQueue(entry);
    else if (entries.hasWaiting(entry)) board.saved();
    if ((entry.state & queued) !== 0) {
      entry.sheets |= sheets.bitOf(cell);
      arrivals.note(nowMs);
      if (ofThisTurn.length <= requestsOfAnEdit) ofThisTurn.push(entry);
      options.wake();
    }
    entries.wait(entry, waiter);
    return null;
  }

  function giveAgain(waiter: Waiter<Events>, answer: HistoryAnswer): Outcome<Events> | null {
    board.enter("done");
    board.saved();
    options.wake();
    return options.settler.give(waiter, answer);
  }

  function joinQueue(entry: HistoryEntry): void {
    entries.joinQueue(entry);
    entry.group.waiting.add(entry);
    queue.add(entry);
  }

  function leaveQueue(entry: HistoryEntry): void {
    entry.group.waiting.delete(entry);
    queue.delete(entry);
    edits.delete(entry);
    entry.sheets = 0;
  }

  function putBack(released: readonly HistoryEntry[]): void {
    const back = released.filter(entries.release);
    const others = [...queue];
    queue.clear();
    back.forEach(joinQueue);
    for (const waiting of others) queue.add(waiting);
    released.forEach(groups.changed);
  }

  function endTurn(isEdit: boolean): void {
    const requests = ofThisTurn;
    ofThisTurn = [];
    if (!isEdit) return;
    for (const entry of requests) if (queue.has(entry)) edits.add(entry);
  }

  /** A history of all types is as full as it can be; one of a single type may find its whole one later. */
  function take(partFilled: PartFilled): Call | null {
    choices += 1;
    const wantsPreferred = choices % choicesPerTurnOfTheOthers !== 0;
    let second: HistoryEntry | null = null;
    for (const entry of queue) {
      if (partFilled === "none" && mayFindItsWhole(entry)) continue;
      const isPreferred = (entry.sheets & sheets.preferred()) !== 0;
      const isFirstChoice = sheets.preferred() === 0 || isPreferred === wantsPreferred;
      if (!isFirstChoice && second !== null) continue;
      if (needsNoCall(entry)) continue;
      if (isFirstChoice) return send(entry, false);
      second = entry;
    }
    return second === null ? null : send(second, false);
  }

  function takeEdit(): Call | null {
    for (const entry of edits) {
      edits.delete(entry);
      if (queue.has(entry) && !needsNoCall(entry)) return send(entry, true);
    }
    return null;
  }

  function mayFindItsWhole({ query, group }: HistoryEntry): boolean {
    return query.eventType !== undefined && !goesWhole(group) && wholePages(group) < Infinity;
  }

  /** Whether what waits of this group goes as the whole history. */
  function goesWhole(group: HistoryGroup): boolean {
    const whole = group.entries.get("");
    if (wholePages(group) === Infinity) return false;
    if (whole !== undefined && group.waiting.has(whole)) return true;
    return cheaperWay(
      wholePages(group),
      [...group.waiting].map(({ pages }) => pages),
    ).isWhole;
  }

  /** True when it has been answered by what is known, or rides on a call under way. */
  function needsNoCall(entry: HistoryEntry): boolean {
    if (groups.fresh(entry.query) !== null) {
      leaveQueue(entry);
      entries.leaveQueue(entry);
      groups.answeredByWhole(entry);
      return true;
    }
    const reading = readingFor(entry);
    if (reading === undefined) return false;
    ride(entry, reading);
    return true;
  }

  /** The whole history of this entry's, on its way and new enough. */
  function readingFor({ query, group, wantedEpoch }: HistoryEntry): Reading | undefined {
    const whole = group.entries.get("");
    if (query.eventType === undefined || wholePages(group) === Infinity) return undefined;
    for (const carrier of entries.carriers) {
      const reading = carrier as Reading;
      if (reading.entries[0] === whole && (reading.asked?.epoch ?? Infinity) >= wantedEpoch) return reading;
    }
    return undefined;
  }

  function ride(entry: HistoryEntry, reading: Reading): void {
    leaveQueue(entry);
    entries.take(entry);
    reading.entries.push(entry);
  }

  function send(entry: HistoryEntry, isEdit: boolean): Call {
    const { group } = entry;
    const lead = goesWhole(group) ? groups.wholeOf(group) : entry;
    return readingCall(lead, isEdit);
  }

  function readingCall(lead: HistoryEntry, isEdit: boolean, proof?: Reading["proof"]): Call {
    const isWhole = lead.query.eventType === undefined && lead.pages < Infinity;
    leaveQueue(lead);
    entries.take(lead);
    const reading = createReading([lead], proof);
    if (isWhole) for (const rider of [...lead.group.waiting]) ride(rider, reading);
    return createPageCall(tools, { reading, isEdit, page: null });
  }

  function refresh(queries: readonly HistoryQuery[], epoch: number): void {
    for (const query of queries) {
      const entry = groups.entryOf(query);
      if (entries.want(entry, epoch)) joinQueue(entry);
    }
    options.wake();
  }

  /** The first history's, in the way in which they will all be asked. */
  function probe(queries: readonly HistoryQuery[], proof: Reading["proof"]): Call {
    const [first] = queries as readonly [HistoryQuery, ...HistoryQuery[]];
    const key = wholeHistoryKey(first);
    const together = queries.filter((query) => wholeHistoryKey(query) === key).map(groups.entryOf);
    const lead = groups.entryOf(first);
    const pages = together.map((entry) => entry.pages);
    const isWholeAmong = together.some(({ query }) => query.eventType === undefined);
    const isWhole = isWholeAmong || cheaperWay(wholePages(lead.group), pages).isWhole;
    return readingCall(isWhole ? groups.wholeOf(lead.group) : lead, true, proof);
  }

  function failAll(error: InvError): void {
    for (const entry of [...queue]) {
      leaveQueue(entry);
      entries.leaveQueue(entry);
      entries.unanswered(entry, error);
      groups.changed(entry);
    }
  }

  return {
    ask,
    endTurn,
    refresh,
    probe,
    take,
    takeEdit,
    failAll,
    isWaiting: () => queue.size > 0,
    callsWaiting,
  };

  function callsWaiting(): number {
    let calls = 0;
    for (const group of new Set([...queue].map((entry) => entry.group))) {
      calls += goesWhole(group) ? wholePages(group) : group.waiting.size;
    }
    return calls;
  }
}

/** Pages of the whole history when last read; 1 until then. */
function wholePages(group: HistoryGroup): number {
  return group.entries.get("")?.pages ?? 1;
}
