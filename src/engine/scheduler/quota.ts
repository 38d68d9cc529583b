/**
 * The quota of one operation: how many calls may go now, and when the next may. The service allows a number of calls in
 * any 60 seconds to the whole company, so this is a sliding window of our own calls; how it gives way when a 429 shows that
 * colleagues use the same quota is `pacing`'s.
 *
 * When a call reached the service is only known to lie between its sending and its answer. So a call counts from its
 * sending until 60 seconds after its answer: however the network delays, the service never sees more of our calls in 60
 * seconds than it allows.
 * Where the team's server keeps the quota, it paces everybody's calls: here none waits but for a pause or for the time that
 * it was given there, and what is told of the quota is what the server said last.
 * Invariant: while a call waits for nothing but time, `opensAtMs` is a moment to come, and the right one.
 */
import type { CompanyUsage } from "../../api/headers";
import { longestPauseMs, createThrottle } from "../../domain/pacing";
import type { Clock } from "../clock";
import type { QuotaUse } from "../types";

export type Quota = ReturnType<typeof createQuota>;

/** The service's window, and a little for the grain of both clocks. */
const windowMs = 60_000 + 50;

/** A company's figures that are older than its window say nothing. */
const usageHoldsMs = 60_000;

export interface QuotaOptions {
  readonly limit: number;
  readonly pacedBy: "page" | "server";
}

export function createQuota(clock: Clock, { limit, pacedBy }: QuotaOptions) {
  const isPaced = pacedBy === "page";
  let lastUsage: { readonly usage: CompanyUsage; readonly atMs: number } | null = null;
  /** End of each call's stay in the window, oldest first from `head`. */
  const ends: number[] = [];
  let head = 0;
  let inFlight = 0;
  /** Earliest first. */
  let given: readonly Given[] = [];
  const throttle = createThrottle(limit, () => clock.random());

  function used(nowMs: number): number {
    while ((ends[head] ?? Infinity) <= nowMs) head += 1;
    if (head > 1_000 && head * 2 > ends.length) {
      ends.splice(0, head);
      head = 0;
    }
    return ends.length - head + inFlight;
  }

  function pauseEndsAtMs(isEdit: boolean): number {
    return Math.max(throttle.pausedUntilMs(), earliest(given, isEdit)?.atMs ?? 0);
  }

  /**
   * The first moment from this one on at which a call may go; an edit may use the reserve. Infinity when a call under way
   * has to end first. Two things open the window, whichever comes first: calls leave it, and the pace recovers.
   */
  function opensAtMs(isEdit: boolean, nowMs: number): number {
    if (throttle.triesOne() && inFlight > 0) return Infinity;
    const fromMs = Math.max(nowMs, pauseEndsAtMs(isEdit));
    if (!isPaced) return fromMs;
    const full = used(nowMs);
    if (fromMs === nowMs && full < throttle.allowance(isEdit, nowMs)) return nowMs;
    let openMs = Infinity;
    for (let left = 0; left <= full - inFlight; left += 1) {
      const leftAtMs = left === 0 ? fromMs : Math.max(fromMs, ends[head + left - 1] ?? Infinity);
      if (leftAtMs >= openMs) break;
      openMs = Math.min(openMs, Math.max(leftAtMs, throttle.allowsAtMs(full - left + 1, isEdit)));
    }
    return openMs;
  }

  function use(): QuotaUse {
    const nowMs = clock.steadyNow();
    const closed =
      nowMs < pauseEndsAtMs(false) || (isPaced && used(nowMs) >= throttle.allowance(false, nowMs));
    const opensMs = closed ? opensAtMs(false, nowMs) : Infinity;
    const known = company(nowMs) ?? { used: used(nowMs), limit };
    const awaitsMemory = closed && earliest(given, false)?.why === "memory";
    return { ...known, resumesAtMs: opensMs === Infinity ? null : opensMs, awaitsMemory };
  }

  /** Null where nothing was said of it lately. */
  function company(nowMs: number): CompanyUsage | null {
    return lastUsage !== null && nowMs - lastUsage.atMs < usageHoldsMs ? lastUsage.usage : null;
  }

  /**
   * How long from now until so many calls are sent, as far as the quota paces them; 0 when it does not. Counts on when each
   * of them would leave, by the rule by which calls do leave. What colleagues will do meanwhile nobody knows.
   */
  function waitForMs(calls: number, { connections, latencyMs }: SendingPace): number {
    const nowMs = clock.steadyNow();
    const fromMs = Math.max(nowMs, pauseEndsAtMs(false));
    const ownUsed = used(nowMs);
    const endsMs = ends.slice(head);
    // Of calls under way, and of colleagues', it is not known when they will have left the window.
    for (let unknown = (company(nowMs)?.used ?? ownUsed) - endsMs.length; unknown > 0; unknown -= 1) {
      endsMs.push(nowMs + windowMs);
    }
    let atMs = fromMs;
    let first = 0;
    let groupAtMs = -Infinity;
    let groupSize = connections;
    let hasWaited = false;
    for (let left = calls; left > 0;) {
      while ((endsMs[first] ?? Infinity) <= atMs) first += 1;
      const inWindow = endsMs.length - first;
      // An empty window takes a call in any case.
      if (inWindow > 0 && inWindow >= throttle.allowance(false, atMs)) {
        atMs = Math.min(endsMs[first] ?? Infinity, throttle.allowsAtMs(inWindow + 1, false));
        hasWaited = true;
        continue;
      }
      // As many as there are connections leave together, and the next when they are answered.
      if (groupSize === connections || atMs > groupAtMs + latencyMs) {
        groupAtMs = Math.max(atMs, groupAtMs + latencyMs);
        groupSize = 0;
      }
      groupSize += 1;
      endsMs.push(groupAtMs + latencyMs + windowMs);
      left -= 1;
    }
    return (hasWaited ? groupAtMs : fromMs) - nowMs;
  }

  return {
    sent(isEdit: boolean): void {
      inFlight += 1;
      // The time that it waited for is used.
      const used = earliest(given, isEdit);
      given = given.filter((each) => each !== used);
    },
    /** A call sent before has ended, in whatever way. */
    ended(): void {
      inFlight -= 1;
      const nowMs = clock.steadyNow();
      ends.push(nowMs + windowMs);
      // Here too, since where the server paces nobody else looks.
      used(nowMs);
    },
    /** The service said 429 to a call sent at this time. */
    throttled(sentAtMs: number, retryAfterMs: number | null): void {
      const nowMs = clock.steadyNow();
      throttle.refused({ nowMs, sentAtMs, used: used(nowMs), retryAfterMs });
    },
    /** The team's server rejected a call, to come again after so long. */
    rejectedByServer(isEdit: boolean, retryAfterMs: number, why: Given["why"]): void {
      const atMs = clock.steadyNow() + Math.min(retryAfterMs, longestPauseMs);
      given = [...given, { isEdit, atMs, why }].sort((left, right) => left.atMs - right.atMs);
    },
    /** The team's server said how the company's quota stands. */
    noteUsage: (usage: CompanyUsage) => void (lastUsage = { usage, atMs: clock.steadyNow() }),
    succeeded: throttle.succeeded,
    opensAtMs,
    use,
    waitForMs,
  };
}

/** How fast calls go when the quota does not pace them. */
export interface SendingPace {
  readonly connections: number;
  readonly latencyMs: number;
}

/** A time that the team's server gave to a call it sent back. */
interface Given {
  readonly isEdit: boolean;
  readonly atMs: number;
  readonly why: "quota" | "memory";
}

/**
 * A place is kept at the team's server for each call it sent back until a moment after its time, for whichever call of
 * this page comes: so a call goes at each of these times, and nothing else meanwhile. Edits wait for none but their own.
 */
function earliest(given: readonly Given[], isEdit: boolean): Given | undefined {
  return isEdit ? given.find((each) => each.isEdit) : given[0];
}
