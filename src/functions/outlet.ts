/**
 * How fast results leave for the host. Microsoft's runtime puts all that has ended into one message (read in its
 * code): after 50 ms, or when the message before it is done, for which it waits 15 s at most. Excel on the web
 * refuses a message of 5 MB (documented), and what was refused is sent again with all that came since, until it is
 * 60 s old and lost. So what leaves within the time of one message stays below that size; the rest waits
 * here, where nothing is lost. Invariant: every result leaves, in bounded time, and none comes before its turn but
 * small ones that pass the large.
 */
import type { Clock } from "../engine/clock";

export interface Outlet {
  /** Whether a result of so many bytes may leave now; then it counts as gone. */
  takes(bytes: number): boolean;
  /** Keeps a result that may not leave yet. */
  hold(result: HeldResult): void;
}

/** A result that waits; releasing it must not throw. */
export interface HeldResult {
  readonly bytes: number;
  release(): void;
}

/** What a result of one value has around it: the number of its call, brackets, times. */
export const envelopeBytes = 40;

const windowMs = 16_000;
const mostBytes = 4_000_000;
/** A cell that a person types does not wait behind large grids: small results have this room to themselves. */
const roomForSmall = 200_000;
const smallBytes = 2_000;
/** Departures are remembered together by this much time. */
const spanMs = 500;
const releasedPerTurn = 5_000;

export function createOutlet(clock: Pick<Clock, "steadyNow" | "setTimeout" | "nextTurn">): Outlet {
  /** What left within the window, oldest first. */
  const gone: { readonly fromMs: number; bytes: number }[] = [];
  let goneBytes = 0;
  let held: HeldResult[] = [];
  let first = 0;
  let isDrainDue = false;

  function forget(nowMs: number): void {
    while (gone[0] !== undefined && nowMs - gone[0].fromMs >= windowMs + spanMs) {
      goneBytes -= gone[0].bytes;
      gone.shift();
    }
  }

  function note(bytes: number, nowMs: number): void {
    goneBytes += bytes;
    const last = gone.at(-1);
    if (last !== undefined && nowMs - last.fromMs < spanMs) last.bytes += bytes;
    else gone.push({ fromMs: nowMs, bytes });
  }

  function fits(bytes: number, room: number): boolean {
    // One that is larger than all the room goes alone: it is the caller's to keep results below it.
    return goneBytes + bytes <= room || goneBytes === 0;
  }

  function drain(): void {
    isDrainDue = false;
    const nowMs = clock.steadyNow();
    forget(nowMs);
    for (let count = 0; count < releasedPerTurn; count++) {
      const next = held[first];
      if (next === undefined) {
        empty();
        return;
      }
      if (!fits(next.bytes, mostBytes - roomForSmall)) {
        wait(nowMs);
        return;
      }
      first += 1;
      note(next.bytes, nowMs);
      next.release();
    }
    isDrainDue = true;
    clock.nextTurn(drain);
  }

  function empty(): void {
    held = [];
    first = 0;
  }

  /** Until the oldest departure is out of the window. */
  function wait(nowMs: number): void {
    const oldestMs = gone[0]?.fromMs ?? nowMs;
    isDrainDue = true;
    clock.setTimeout(drain, oldestMs + windowMs + spanMs - nowMs);
  }

  return {
    takes(bytes) {
      const nowMs = clock.steadyNow();
      forget(nowMs);
      const isFree = first === held.length;
      if (!isFree && bytes > smallBytes) return false;
      if (!fits(bytes, bytes > smallBytes ? mostBytes - roomForSmall : mostBytes)) return false;
      note(bytes, nowMs);
      return true;
    },
    hold(result) {
      held.push(result);
      if (!isDrainDue) wait(clock.steadyNow());
    },
  };
}
