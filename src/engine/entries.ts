/**
 * What happens to entries, the same for items and for histories: cells join them, calls take them, answers
 * and failures arrive. Queues, calls and the wire belong to `items` and `histories`.
 * Invariants: a cell that waits can be answered by its queue or by a call that is new enough, and settles once.
 * A newer answer is never replaced by an older one, in whatever order they arrive. What fails takes nothing away.
 */
import type { InvError } from "../domain/errors";
import type { Clock } from "./clock";
import {
  type Carrier,
  carried,
  cellsOf,
  entangled,
  type Entry,
  isNewer,
  type Known,
  oneCell,
  queued,
} from "./entry";
import type { ProgressBoard } from "./progress";
import type { Settler } from "./settler";
import type { EngineSettings } from "./types";
import type { Outcome, Waiter } from "./answer";

export interface Entries<T, E extends Entry<T>> {
  /** Whether an answer may be given again without a call, where this epoch is wanted. */
  isFresh(answer: Known<T>, wantedEpoch: number): boolean;
  /** One more cell, which has no fresh answer, stands in line. The entry is queued, or in a call new enough. */
  wait(entry: E, waiter: Waiter<T>): void;
  hasWaiting(entry: E): boolean;
  /** Whether a cell that asks now needs not be queued: it is already, or a call brings what it wants. */
  isUnderWay(entry: E): boolean;
  /** It stands in its queue from now on. */
  joinQueue(entry: E): void;
  /** It stands there no longer, and nothing brings an answer in its place. */
  leaveQueue(entry: E): void;
  /** A call takes it, out of the queue or from nowhere. */
  take(entry: E): void;
  /** From now on an answer of an epoch before this one is not fresh. True when it has to be queued for that. */
  want(entry: E, epoch: number): boolean;
  /** The call lets go of it unanswered, and ends. True when it has to be queued again. */
  release(entry: E): boolean;
  answered(entry: E, answer: Known<T>): void;
  /** Cells that nothing else under way can answer get the last known answer, or the reason. */
  unanswered(entry: E, error: InvError): void;
  /** Calls that carry entries, from the moment they are made up until they end for good. */
  readonly carriers: Set<Carrier<E>>;
}

export interface EntriesOptions {
  readonly clock: Clock;
  readonly steady: Clock;
  readonly settler: Settler;
  readonly board: ProgressBoard;
  readonly settings: () => EngineSettings;
}

/** Cells in line for an answer of this epoch or a later one. */
interface Waiters<T> {
  readonly first: Waiter<T>;
  readonly cells: number;
  readonly epoch: number;
  place: "waiting" | "inFlight";
}

/** Which waiters end, those that wait for one of these epochs, and with what. */
interface Ending<T> {
  readonly from: number;
  readonly to: number;
  readonly outcome: Outcome<T>;
  readonly place: "done" | "failed";
}

/** `knownOf`: the newest that may be shown of an entry. */
export function createEntries<T, E extends Entry<T>>(
  options: EntriesOptions,
  knownOf: (entry: E) => Known<T> | null,
): Entries<T, E> {
  const { clock, steady, settler, board, settings } = options;
  const carriers = new Set<Carrier<E>>();
  /** Those of earlier epochs, beside the entry's own. */
  const asides = new Map<E, Waiters<T>[]>();

  /** By both clocks: one stands while the computer sleeps, the other may have been set back. */
  function isFresh(answer: Known<T>, wantedEpoch: number): boolean {
    if (answer.asked.epoch < wantedEpoch) return false;
    const { freshnessMs } = settings();
    return steady.now() - answer.asked.atMs < freshnessMs && clock.now() - answer.fetchedAtMs < freshnessMs;
  }

  function wait(entry: E, waiter: Waiter<T>): void {
    board.enter(placeOf(entry));
    entry.state += oneCell;
    if (entry.last === null) entry.first = waiter;
    else entry.last.next = waiter;
    entry.last = waiter;
  }

  function placeOf(entry: E): "waiting" | "inFlight" {
    return (entry.state & queued) !== 0 ? "waiting" : "inFlight";
  }

  function setAside(entry: E): void {
    const { first, wantedEpoch } = entry;
    if (first === null) return;
    const waiters = { first, cells: cellsOf(entry), epoch: wantedEpoch, place: placeOf(entry) };
    const others = asides.get(entry);
    if (others === undefined) asides.set(entry, [waiters]);
    else others.push(waiters);
    clearOwn(entry);
  }

  function clearOwn(entry: E): void {
    entry.first = entry.last = null;
    entry.state &= oneCell - 1;
  }

  /** The newest epoch that is still to come; Infinity for what will be sent in the newest, -1 for none. */
  function comingEpoch(entry: E): number {
    if ((entry.state & queued) !== 0) return Infinity;
    if ((entry.state & carried) === 0) return -1;
    let newest = -1;
    for (const carrier of carriers) {
      if (carrier.holds(entry)) newest = Math.max(newest, carrier.asked?.epoch ?? Infinity);
    }
    return newest;
  }

  function isUnderWay(entry: E): boolean {
    if ((entry.state & queued) !== 0) return true;
    if ((entry.state & entangled) === 0) return (entry.state & carried) !== 0;
    return comingEpoch(entry) >= entry.wantedEpoch;
  }

  function joinQueue(entry: E): void {
    if ((entry.state & queued) !== 0) return;
    move(entry, "waiting");
    entry.state |= queued;
  }

  function leaveQueue(entry: E): void {
    if ((entry.state & queued) === 0) return;
    move(entry, "inFlight");
    entry.state &= ~queued;
  }

  function take(entry: E): void {
    leaveQueue(entry);
    entry.state |= (entry.state & carried) !== 0 ? entangled : carried;
  }

  function move(entry: E, to: Waiters<T>["place"]): void {
    const from = placeOf(entry);
    if (from !== to && entry.state >= oneCell) board.move(from, to, cellsOf(entry));
    if (asides.size === 0) return;
    for (const waiters of asides.get(entry) ?? []) {
      board.move(waiters.place, to, waiters.cells);
      waiters.place = to;
    }
  }

  function want(entry: E, epoch: number): boolean {
    if (epoch > entry.wantedEpoch) {
      if ((entry.state & carried) !== 0) {
        // Those who asked before may be answered by what was sent before.
        setAside(entry);
        entry.state |= entangled;
      }
      entry.wantedEpoch = epoch;
    }
    if (entry.answer !== null && entry.answer.asked.epoch >= epoch) return false;
    return comingEpoch(entry) < entry.wantedEpoch;
  }

  /** A carrier that has left `carriers` lets go; whoever else holds it still does. */
  function letGo(entry: E): void {
    const isHeld = (entry.state & entangled) !== 0 && [...carriers].some((carrier) => carrier.holds(entry));
    if (!isHeld) entry.state &= ~(carried | entangled);
  }

  function release(entry: E): boolean {
    letGo(entry);
    const coming = comingEpoch(entry);
    if (coming >= entry.wantedEpoch) return false;
    const { answer } = entry;
    const isWanted = entry.wantedEpoch > 0 && (answer === null || answer.asked.epoch < entry.wantedEpoch);
    return isWanted || hasWaiting(entry);
  }

  function hasWaiting(entry: E): boolean {
    return entry.state >= oneCell || (asides.size > 0 && asides.has(entry));
  }

  function answered(entry: E, answer: Known<T>): void {
    letGo(entry);
    if (entry.answer === null || isNewer(answer.asked, entry.answer.asked)) entry.answer = answer;
    // What is known may be newer than what has arrived.
    const newest = knownOf(entry) ?? answer;
    const to = Math.max(newest.asked.epoch, answer.asked.epoch);
    if (entry.wantedEpoch <= to) settleOwn(entry, newest, "done");
    if (asides.size > 0) settleAsides(entry, { from: 0, to, outcome: newest, place: "done" });
  }

  function unanswered(entry: E, error: InvError): void {
    letGo(entry);
    if (!hasWaiting(entry)) return;
    const last = settings().whenUnanswered === "last-known" ? knownOf(entry) : null;
    const outcome = last === null ? error : { ...last, staleBecause: error };
    const place = last === null ? "failed" : "done";
    const from = comingEpoch(entry) + 1;
    if (entry.wantedEpoch >= from) settleOwn(entry, outcome, place);
    if (asides.size > 0) settleAsides(entry, { from, to: Infinity, outcome, place });
  }

  function settleOwn(entry: E, outcome: Outcome<T>, place: Ending<T>["place"]): void {
    const { first } = entry;
    if (first === null) return;
    board.move(placeOf(entry), place, cellsOf(entry));
    clearOwn(entry);
    settler.settle(first, outcome);
  }

  function settleAsides(entry: E, ending: Ending<T>): void {
    const waiting = asides.get(entry);
    if (waiting === undefined) return;
    const { outcome, place } = ending;
    const left = waiting.filter(({ epoch }) => !ends(epoch, ending));
    if (left.length > 0) asides.set(entry, left);
    else asides.delete(entry);
    for (const waiters of waiting) {
      if (!ends(waiters.epoch, ending)) continue;
      board.move(waiters.place, place, waiters.cells);
      settler.settle(waiters.first, outcome);
    }
  }

  return {
    isFresh,
    wait,
    hasWaiting,
    isUnderWay,
    joinQueue,
    leaveQueue,
    take,
    want,
    release,
    answered,
    unanswered,
    carriers,
  };
}

function ends(wantedEpoch: number, { from, to }: Ending<unknown>): boolean {
  return wantedEpoch >= from && wantedEpoch <= to;
}
