/**
 * How long so many calls will take, as far as a quota paces them: lets them leave one after the other in thought,
 * by the rule by which `quota` lets them leave. What colleagues will do meanwhile nobody knows.
 */

/** How fast calls go when the quota does not pace them. */
export interface SendingPace {
  readonly connections: number;
  readonly latencyMs: number;
}

/** A quota as it stands. */
export interface Standing {
  /** From when calls may go: now, or the end of a pause. */
  readonly fromMs: number;
  /** When each call in the window leaves it, ascending. */
  readonly endsMs: readonly number[];
  /** How long a call stays after its answer. */
  readonly windowMs: number;
  /** Calls that the window may hold at this time; an empty one takes a call in any case. */
  readonly allowanceAt: (atMs: number) => number;
  /** When that will be so many. */
  readonly opensAtMs: (calls: number) => number;
}

/** When the last of these calls leaves; `fromMs` where the window has room for all. */
export function lastLeavesAtMs(calls: number, standing: Standing, pace: SendingPace): number {
  const endsMs = [...standing.endsMs];
  let atMs = standing.fromMs;
  let head = 0;
  let groupAtMs = -Infinity;
  let groupSize = pace.connections;
  let hasWaited = false;
  for (let left = calls; left > 0;) {
    while ((endsMs[head] ?? Infinity) <= atMs) head += 1;
    const used = endsMs.length - head;
    if (used > 0 && used >= standing.allowanceAt(atMs)) {
      atMs = Math.min(endsMs[head] ?? Infinity, standing.opensAtMs(used + 1));
      hasWaited = true;
      continue;
    }
    // As many as there are connections leave together, and the next when they are answered.
    if (groupSize === pace.connections || atMs > groupAtMs + pace.latencyMs) {
      groupAtMs = Math.max(atMs, groupAtMs + pace.latencyMs);
      groupSize = 0;
    }
    groupSize += 1;
    endsMs.push(groupAtMs + pace.latencyMs + standing.windowMs);
    left -= 1;
  }
  return hasWaited ? groupAtMs : standing.fromMs;
}
