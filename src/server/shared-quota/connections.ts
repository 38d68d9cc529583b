/**
 * A semaphore for the connections to the service that calls of one environment and operation may use. Some connections
 * are for edits only. A call leaves the quota's queue only when a connection is free, so there is no second queue that
 * would change the order. A step acquires all free connections and then releases those that it doesn't need.
 */

export interface Connections {
  acquireAll(): FreeConnections;
  release(count: number): void;
  /** Calls once, when more connections are free than now. */
  onMore(callback: () => void): void;
}

export interface FreeConnections {
  /** For edits. */
  readonly all: number;
  /** For other calls: `all`, without those for edits only. */
  readonly others: number;
}

export interface ConnectionCounts {
  readonly others: number;
  readonly edits: number;
}

/** With answers that take this long, the whole quota can still be used. */
const slowestSeconds = 5;
const fewestConnections = 16;
const forEditsOnly = 8;

export function connectionCounts(callsPerMinute: number): ConnectionCounts {
  return {
    others: Math.max(fewestConnections, Math.ceil((callsPerMinute * slowestSeconds) / 60)),
    edits: forEditsOnly,
  };
}

export function createConnections({ others, edits }: ConnectionCounts): Connections {
  let free = others + edits;
  /** How many connections were free when each callback was added; first come, first served. */
  const listeners = new Map<() => void, number>();

  return {
    acquireAll() {
      const all = free;
      free = 0;
      return { all, others: all - edits };
    },
    release(count) {
      free += count;
      // Only one: what it leaves is released again, and calls the next.
      for (const [callback, freeBefore] of listeners) {
        if (free <= freeBefore) continue;
        listeners.delete(callback);
        callback();
        return;
      }
    },
    onMore: (callback) => void listeners.set(callback, free),
  };
}
