/**
 * The quota of one operation: a sliding window over this page's calls. The service allows a company a number of calls in any 60
 * seconds. `src/domain/pacing.ts` says how long a call counts, and slows down after a 429, which shows that colleagues use the
 * same quota. If a team's server paces the calls of all pages, a call waits here only for a pause or for a reservation. The
 * quota's figures are then the server's latest.
 * Invariant: if only time keeps a call from leaving, `opensAtMs` returns the future moment at which it may leave.
 */
import type { CompanyUsage } from "../../api/headers";
import { consumerIdOf, type Credentials, type Environment, type Operation } from "../../domain/environment";
import { longestPauseMs, createThrottle, type Throttle } from "../../domain/pacing";
import type { Clock } from "../clock";
import type { QuotaUse } from "../types";

export type Quota = ReturnType<typeof createQuota>;

/** The service's window, plus a margin for the resolution of both clocks. */
const windowMs = 60_000 + 50;

/** The server's figures are obsolete after one window. */
const usageHoldsMs = 60_000;

export function createQuota(
  clock: Clock,
  { limit, pacedBy }: { readonly limit: number; readonly pacedBy: "page" | "server" },
) {
  const isPaced = pacedBy === "page";
  let lastUsage: { readonly usage: CompanyUsage; readonly atMs: number } | null = null;
  /** Times at which calls leave the window, oldest first, from `head` on. */
  const ends: number[] = [];
  let head = 0;
  let inFlight = 0;
  const reservations = createReservations();
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
    return Math.max(throttle.pausedUntilMs(), reservations.next(isEdit)?.atMs ?? 0);
  }

  /**
   * Returns when a call may leave, `nowMs` at the earliest; Infinity if a call in flight must end first. An edit may use the
   * reserve. The window opens when calls leave it or when the pace recovers.
   */
  function opensAtMs(isEdit: boolean, nowMs: number): number {
    if (throttle.triesOne() && inFlight > 0) return Infinity;
    const fromMs = Math.max(nowMs, pauseEndsAtMs(isEdit));
    if (!isPaced) return fromMs;
    const inWindow = used(nowMs);
    if (fromMs === nowMs && inWindow < throttle.allowance(isEdit, nowMs)) return nowMs;
    let openMs = Infinity;
    // Compares the times at which 0, 1, 2 and more calls have left the window.
    for (let gone = 0; gone <= inWindow - inFlight; gone += 1) {
      const goneAtMs = gone === 0 ? fromMs : Math.max(fromMs, ends[head + gone - 1] ?? Infinity);
      if (goneAtMs >= openMs) break;
      openMs = Math.min(openMs, Math.max(goneAtMs, throttle.allowsAtMs(inWindow - gone + 1, isEdit)));
    }
    return openMs;
  }

  function use(): QuotaUse {
    const nowMs = clock.steadyNow();
    const closed =
      nowMs < pauseEndsAtMs(false) || (isPaced && used(nowMs) >= throttle.allowance(false, nowMs));
    const opensMs = closed ? opensAtMs(false, nowMs) : Infinity;
    const ofCompany = companyUsage(nowMs);
    const figures = ofCompany ? { ...ofCompany, isOfCompany: true } : { used: used(nowMs), limit };
    const awaitsSharedStore = closed && reservations.next(false)?.why === "redis";
    return { ...figures, resumesAtMs: opensMs === Infinity ? null : opensMs, awaitsSharedStore };
  }

  /** Returns the server's latest figures; null if there are none from the last minute. */
  function companyUsage(nowMs: number): CompanyUsage | null {
    return lastUsage !== null && nowMs - lastUsage.atMs < usageHoldsMs ? lastUsage.usage : null;
  }

  /** Returns how long the quota delays this many calls; 0 if it doesn't. Excludes colleagues' future calls, which are unknown. */
  function waitForMs(calls: number, pace: SendingPace): number {
    const nowMs = clock.steadyNow();
    const fromMs = Math.max(nowMs, pauseEndsAtMs(false));
    const ownUsed = used(nowMs);
    const endsMs = ends.slice(head);
    // The times at which calls in flight and colleagues' calls will leave the window are unknown; assume the latest.
    for (let unknown = (companyUsage(nowMs)?.used ?? ownUsed) - endsMs.length; unknown > 0; unknown -= 1) {
      endsMs.push(nowMs + windowMs);
    }
    return lastSendingMs(calls, pace, { throttle, endsMs, fromMs }) - nowMs;
  }

  return {
    sent(isEdit: boolean): void {
      inFlight += 1;
      reservations.use(isEdit);
    },
    ended(): void {
      inFlight -= 1;
      const nowMs = clock.steadyNow();
      ends.push(nowMs + windowMs);
      // Removes expired times here, too, because nothing else does if the server paces.
      used(nowMs);
    },
    /** Slows down after the service answered 429 to a call sent at `sentAtMs`. */
    throttled(sentAtMs: number, retryAfterMs: number | null): void {
      const nowMs = clock.steadyNow();
      throttle.refused({ nowMs, sentAtMs, used: used(nowMs), retryAfterMs });
    },
    /** Records that the team's server rejected a call, and when to send it again. */
    rejectedByServer(isEdit: boolean, retryAfterMs: number, why: Reservation["why"]): void {
      const atMs = clock.steadyNow() + Math.min(retryAfterMs, longestPauseMs);
      reservations.add({ isEdit, atMs, why });
    },
    noteUsage: (usage: CompanyUsage) => void (lastUsage = { usage, atMs: clock.steadyNow() }),
    succeeded: throttle.succeeded,
    opensAtMs,
    use,
    waitForMs,
  };
}

/**
 * Returns the quotas of a connection. The service counts calls per consumer, so a consumer keeps its quotas when the secret
 * changes.
 */
export function createQuotas(clock: Clock) {
  const quotasByConsumer = new Map<string, Readonly<Record<Operation, Quota>>>();

  return (environment: Environment, credentials: Credentials): Readonly<Record<Operation, Quota>> => {
    const { id, quota: limits, pacedBy = "page" } = environment;
    const key = JSON.stringify([id, consumerIdOf(credentials), limits, pacedBy]);
    const existing = quotasByConsumer.get(key);
    if (existing !== undefined) return existing;
    const quotas = {
      search: createQuota(clock, { limit: limits.search, pacedBy }),
      events: createQuota(clock, { limit: limits.events, pacedBy }),
    };
    quotasByConsumer.set(key, quotas);
    return quotas;
  };
}

/**
 * Returns when the last of the calls would leave if the quota delays any; otherwise `fromMs`. Calculates when each would leave, by
 * the same rule as `opensAtMs`. `endsMs` are the times at which earlier calls leave the window.
 */
function lastSendingMs(
  calls: number,
  { connections, latencyMs }: SendingPace,
  { throttle, endsMs, fromMs }: { throttle: Throttle; endsMs: number[]; fromMs: number },
): number {
  let atMs = fromMs;
  let first = 0;
  let groupAtMs = -Infinity;
  let groupSize = connections;
  let hasWaited = false;
  for (let unsent = calls; unsent > 0;) {
    while ((endsMs[first] ?? Infinity) <= atMs) first += 1;
    const inWindow = endsMs.length - first;
    // An empty window always has room for a call.
    if (inWindow > 0 && inWindow >= throttle.allowance(false, atMs)) {
      atMs = Math.min(endsMs[first] ?? Infinity, throttle.allowsAtMs(inWindow + 1, false));
      hasWaited = true;
      continue;
    }
    // A group of calls, one for each connection, leaves together; the next group leaves when it is answered.
    if (groupSize === connections || atMs > groupAtMs + latencyMs) {
      groupAtMs = Math.max(atMs, groupAtMs + latencyMs);
      groupSize = 0;
    }
    groupSize += 1;
    endsMs.push(groupAtMs + latencyMs + windowMs);
    unsent -= 1;
  }
  return hasWaited ? groupAtMs : fromMs;
}

/** How fast calls leave when the quota doesn't pace them. */
export interface SendingPace {
  readonly connections: number;
  readonly latencyMs: number;
}

/** A time at which the team's server accepts a call of this page. */
interface Reservation {
  readonly isEdit: boolean;
  readonly atMs: number;
  readonly why: "quota" | "redis";
}

/**
 * When the team's server rejects a call, it reserves a time at which it will accept one call of this page, no matter which. So one
 * call leaves at each of these times, and none in between. An edit waits only for an edit's reservation.
 */
function createReservations() {
  let reservations: readonly Reservation[] = [];
  const next = (isEdit: boolean): Reservation | undefined =>
    isEdit ? reservations.find((each) => each.isEdit) : reservations[0];

  return {
    next,
    add(reservation: Reservation): void {
      reservations = [...reservations, reservation].sort((one, other) => one.atMs - other.atMs);
    },
    use(isEdit: boolean): void {
      const used = next(isEdit);
      reservations = reservations.filter((each) => each !== used);
    },
  };
}
