/**
 * The calls of one account that wait for its quota. A call that cannot leave within the time it may be held is
 * turned away at once: its connection is worth more to the page than a place in this line. Who is turned away
 * is told when its own place is expected to open, behind those who were told before and go before it.
 * Invariant: every call that enters is let go, turned away within `holdMs`, or leaves; and only once.
 */
import type { SteadyClock } from "./clock";
import type { CallEnd, Entry, QuotaUse, Waiting } from "./entry";
import type { LeaveSignal } from "./leaving";
import { type Asker, createTurns } from "./turns";
import type { CallWindow } from "./window";

export interface Queue {
  enter(askers: Waiting["askers"], signal: LeaveSignal): Promise<Entry>;
  use(): QuotaUse;
  /** Nobody waits, nothing counts. */
  isIdle(): boolean;
}

export interface QueueOptions {
  readonly clock: SteadyClock;
  readonly limit: number;
  readonly holdMs: number;
  readonly window: CallWindow;
}

interface Place {
  readonly askers: Waiting["askers"];
  readonly untilMs: number;
  readonly settle: (entry: Entry) => void;
}

interface Promised {
  readonly asker: Asker;
  readonly atMs: number;
}

/** More than this many calls in line are not a team but a fault. */
const longestLine = 1_000;
/** A way back that takes longer than any window is no help; the next look tells more. */
const longestRetryMs = 60_000;

export function createQueue({ clock, limit, holdMs, window }: QueueOptions): Queue {
  const turns = createTurns(clock);
  const line: Place[] = [];
  let promised: Promised[] = [];
  let timer: unknown = null;

  function enter(askers: Waiting["askers"], signal: LeaveSignal): Promise<Entry> {
    if (signal.aborted) return Promise.resolve({ kind: "left" });
    return new Promise((resolve) => {
      const place: Place = {
        askers,
        untilMs: clock.now() + holdMs,
        settle(entry) {
          const index = line.indexOf(place);
          if (index < 0) return;
          line.splice(index, 1);
          signal.removeEventListener("abort", leave);
          resolve(entry);
        },
      };
      const leave = () => {
        place.settle({ kind: "left" });
        pump();
      };
      signal.addEventListener("abort", leave);
      line.push(place);
      pump();
    });
  }

  /** Lets go who may go, turns away who waited long enough or would wait in vain, and looks again in time. */
  function pump(): void {
    for (let next = first(); next !== null && window.allows(next.asker.isEdit); next = first()) {
      turns.served(next.asker.person);
      next.place.settle({ kind: "go", end: depart() });
    }
    for (const place of [...line]) turnAway(place);
    clock.clearTimeout(timer);
    timer = line.length === 0 ? null : clock.setTimeout(pump, nextLookInMs());
  }

  function first(): { readonly place: Place; readonly asker: Asker } | null {
    let best: { place: Place; asker: Asker } | null = null;
    for (const place of line) {
      const asker = bestOf(place);
      if (best === null || turns.compare(asker, best.asker) < 0) best = { place, asker };
    }
    return best;
  }

  /** A call that several want goes at the turn of the first of them. */
  function bestOf(place: Place): Asker {
    const [one, ...others] = place.askers();
    let best = one ?? { person: "", isEdit: false };
    for (const other of others) if (turns.compare(other, best) < 0) best = other;
    return best;
  }

  function turnAway(place: Place): void {
    const nowMs = clock.now();
    const asker = bestOf(place);
    const tooLong = nowMs >= place.untilMs || line.length > longestLine;
    if (!tooLong && nowMs + window.opensInMs(1, asker.isEdit) <= place.untilMs) return;
    const retryAfterMs = comesBackInMs(asker);
    promised.push({ asker, atMs: nowMs + retryAfterMs });
    place.settle({ kind: "full", retryAfterMs });
  }

  function comesBackInMs(asker: Asker): number {
    const nowMs = clock.now();
    promised = promised.filter(({ atMs }) => atMs > nowMs);
    const before = promised.filter((other) => turns.compare(other.asker, asker) <= 0).length;
    return Math.min(longestRetryMs, Math.max(1, window.opensInMs(1 + before, asker.isEdit)));
  }

  function depart(): (ended: CallEnd) => void {
    const sentAtMs = clock.now();
    window.sent();
    return (ended) => {
      window.ended();
      if (ended.kind === "throttled") window.throttled(sentAtMs, ended.retryAfterMs);
      if (ended.kind === "answered") window.succeeded();
      pump();
    };
  }

  function nextLookInMs(): number {
    const nowMs = clock.now();
    const heldUntilMs = Math.min(...line.map(({ untilMs }) => untilMs));
    const opensMs = Math.min(...line.map((place) => window.opensInMs(1, bestOf(place).isEdit)));
    // Opens now and may not go: a call under way shows whether the others may follow, and its end looks again.
    return Math.max(0, Math.min(heldUntilMs - nowMs, opensMs > 0 ? opensMs : Infinity));
  }

  return {
    enter,
    use: () => ({ used: window.used(), limit }),
    isIdle: () => line.length === 0 && window.used() === 0 && turns.isIdle(),
  };
}
