/**
 * The connections to the service that calls of one environment and operation may use; a few of them are for edits alone.
 * A call leaves its line only when one is free, so that no order is lost in a second line behind it. Who decides on
 * calls is lent all that are free, and gives back what was not needed.
 */
import type { Room } from "./turns";

export interface Connections {
  lend(): Room;
  /** Of what was lent, so many are used; each until `release`. */
  giveBack(lent: Room, used: number): void;
  release(): void;
  /** Calls once when there is more room than now. */
  whenMore(callback: () => void): void;
}

export interface ConnectionCounts {
  readonly others: number;
  readonly edits: number;
}

/** A service that takes this long for an answer still gets the whole quota. */
const slowestSeconds = 5;
const leastConnections = 16;
const forEditsAlone = 8;

export function connectionCounts(callsPerMinute: number): ConnectionCounts {
  return {
    others: Math.max(leastConnections, Math.ceil((callsPerMinute * slowestSeconds) / 60)),
    edits: forEditsAlone,
  };
}

export function createConnections({ others, edits }: ConnectionCounts): Connections {
  let free = others + edits;
  /** With the room that each has seen; in the order in which they came. */
  const waiting = new Map<() => void, number>();

  /** One at a time: what it leaves calls the next. */
  function callNext(): void {
    for (const [callback, seen] of waiting) {
      if (free <= seen) continue;
      waiting.delete(callback);
      callback();
      return;
    }
  }

  return {
    lend() {
      const all = free;
      free = 0;
      return { all, others: all - edits };
    },
    giveBack(lent, used) {
      free += lent.all - used;
      callNext();
    },
    release() {
      free += 1;
      callNext();
    },
    whenMore: (callback) => void waiting.set(callback, free),
  };
}
