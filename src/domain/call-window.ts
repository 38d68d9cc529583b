/**
 * Counts the calls of a quota in any 60 seconds. A page uses it for its own calls, a team's server for those of a company.
 * The service receives a call at an unknown time between its sending and its answer. So a call counts from its sending until 60
 * seconds after its end, and the service never sees more calls in 60 seconds than are counted. Times come from any steady clock.
 */

/** A minute, and a margin for jitter and the resolution of clocks. */
export const windowMs = 60_000 + 50;

export interface CallWindow {
  sent(): void;
  /** The call is over, and counts for another window. */
  ended(nowMs: number): void;
  /** The call was never sent after all. */
  withdrawn(): void;
  inFlight(): number;
  /** Number of calls that count. */
  used(nowMs: number): number;
  /** Number of calls in flight or ended since then. */
  usedSince(sinceMs: number, nowMs: number): number;
  /** Times at which calls that have ended stop counting, earliest first. */
  endsMs(nowMs: number): readonly number[];
}

/** `endsMs`: when calls from before stop counting, earliest first. */
export function createCallWindow(endsMs: readonly number[] = []): CallWindow {
  const ends = [...endsMs];
  let head = 0;
  let inFlight = 0;

  function forget(nowMs: number): void {
    while ((ends[head] ?? Infinity) <= nowMs) head += 1;
    if (head <= 1_000 || head * 2 <= ends.length) return;
    ends.splice(0, head);
    head = 0;
  }

  return {
    sent: () => void (inFlight += 1),
    ended(nowMs) {
      inFlight -= 1;
      ends.push(nowMs + windowMs);
      forget(nowMs);
    },
    withdrawn: () => void (inFlight -= 1),
    inFlight: () => inFlight,
    used(nowMs) {
      forget(nowMs);
      return ends.length - head + inFlight;
    },
    usedSince(sinceMs, nowMs) {
      forget(nowMs);
      const first = ends.findIndex((endMs, index) => index >= head && endMs > sinceMs + windowMs);
      return (first < 0 ? 0 : ends.length - first) + inFlight;
    },
    endsMs(nowMs) {
      forget(nowMs);
      return ends.slice(head);
    },
  };
}
