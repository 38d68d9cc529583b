/**
 * The quota of one operation: the calls of this page in any 60 seconds (`src/domain/call-window.ts`). It slows down after a 429,
 * which shows that colleagues use the same quota (`src/domain/pacing.ts`). If a team's server paces the calls of all pages, a call
 * waits here only for a pause or for the time that the server gave. The quota's figures are then the server's latest.
 * The page keeps the times of its calls while it is loaded again, because the service counts them still.
 * Invariant: if only time keeps a call from leaving, `opensAtMs` returns the future moment at which it may leave.
 */
import type { CompanyUsage } from "../../api/headers";
import { type CallWindow, createCallWindow, windowMs } from "../../domain/call-window";
import { consumerIdOf, type Credentials, type Environment, type Operation } from "../../domain/environment";
import { parsedJson } from "../../domain/json";
import { createThrottle, type Throttle } from "../../domain/pacing";
import type { Clock } from "../clock";
import type { CallMemory, QuotaUse } from "../types";

export type Quota = ReturnType<typeof createQuota>;

/** The server's figures are obsolete after one window. */
const usageHoldsMs = 60_000;
/** A team's server never needs a longer wait, not even after its Redis was replaced. */
const longestServerWaitMs = 130_000;

/** What the team's server said when it last rejected an edit, or another call. */
interface Rejection {
  notBeforeMs: number;
  why: "quota" | "redis" | null;
  /** Until one is answered, a single call at a time asks. */
  asksSingly: boolean;
  inFlight: number;
}

const newRejection = (): Rejection => ({
  notBeforeMs: 0,
  why: null,
  asksSingly: false,
  inFlight: 0,
});

/** Where the page keeps the times of its calls. */
interface Memory {
  readonly at: CallMemory;
  readonly key: string;
}

export function createQuota(
  clock: Clock,
  {
    limit,
    pacedBy,
    memory = null,
  }: {
    readonly limit: number;
    readonly pacedBy: "page" | "server";
    readonly memory?: Memory | null;
  },
) {
  const isPaced = pacedBy === "page";
  let lastUsage: { readonly usage: CompanyUsage; readonly atMs: number } | null = null;
  const calls = createCallWindow(isPaced && memory !== null ? rememberedCalls(memory, clock) : []);
  const [edits, others] = [newRejection(), newRejection()];
  const throttle = createThrottle(limit, () => clock.random());

  const rejectionOf = (isEdit: boolean): Rejection => (isEdit ? edits : others);
  const pauseEndsAtMs = (isEdit: boolean): number =>
    Math.max(throttle.pausedUntilMs(), rejectionOf(isEdit).notBeforeMs);

  /**
   * Returns when a call may leave, `nowMs` at the earliest; Infinity if a call in flight must end first. An edit may use the
   * reserve. The window opens when calls leave it or when the pace recovers.
   */
  function opensAtMs(isEdit: boolean, nowMs: number): number {
    const { asksSingly, inFlight } = rejectionOf(isEdit);
    if ((throttle.triesOne() && calls.inFlight() > 0) || (asksSingly && inFlight > 0)) return Infinity;
    const fromMs = Math.max(nowMs, pauseEndsAtMs(isEdit));
    if (!isPaced) return fromMs;
    const inWindow = calls.used(nowMs);
    if (fromMs === nowMs && inWindow < throttle.allowance(isEdit, nowMs)) return nowMs;
    const endsMs = calls.endsMs(nowMs);
    let openMs = Infinity;
    // Compares the times at which 0, 1, 2 and more calls have left the window.
    for (let gone = 0; gone <= endsMs.length; gone += 1) {
      const goneAtMs = gone === 0 ? fromMs : Math.max(fromMs, endsMs[gone - 1] ?? Infinity);
      if (goneAtMs >= openMs) break;
      openMs = Math.min(openMs, Math.max(goneAtMs, throttle.allowsAtMs(inWindow - gone + 1, isEdit)));
    }
    return openMs;
  }

  function use(): QuotaUse {
    const nowMs = clock.steadyNow();
    const used = calls.used(nowMs);
    const closed = nowMs < pauseEndsAtMs(false) || (isPaced && used >= throttle.allowance(false, nowMs));
    const opensMs = closed ? opensAtMs(false, nowMs) : Infinity;
    const ofCompany = companyUsage(nowMs);
    const figures = ofCompany ? { ...ofCompany, isOfCompany: true } : { used, limit };
    const awaitsSharedStore = nowMs < others.notBeforeMs && others.why === "redis";
    return { ...figures, resumesAtMs: opensMs === Infinity ? null : opensMs, awaitsSharedStore };
  }

  /** Returns the server's latest figures; null if there are none from the last minute. */
  function companyUsage(nowMs: number): CompanyUsage | null {
    return lastUsage !== null && nowMs - lastUsage.atMs < usageHoldsMs ? lastUsage.usage : null;
  }

  /** Returns how long the quota delays this many calls; 0 if it doesn't. Excludes colleagues' future calls, which are unknown. */
  function waitForMs(count: number, pace: SendingPace): number {
    const nowMs = clock.steadyNow();
    const fromMs = Math.max(nowMs, pauseEndsAtMs(false));
    const ownUsed = calls.used(nowMs);
    const endsMs = [...calls.endsMs(nowMs)];
    // The times at which calls in flight and colleagues' calls will leave the window are unknown; assume the latest.
    for (let unknown = (companyUsage(nowMs)?.used ?? ownUsed) - endsMs.length; unknown > 0; unknown -= 1) {
      endsMs.push(nowMs + windowMs);
    }
    return lastSendingMs(count, pace, { throttle, endsMs, fromMs }) - nowMs;
  }

  return {
    sent(isEdit: boolean): void {
      calls.sent();
      if (isPaced && memory !== null) keepCalls(memory, calls, clock);
      rejectionOf(isEdit).inFlight += 1;
    },
    ended(isEdit: boolean): void {
      calls.ended(clock.steadyNow());
      rejectionOf(isEdit).inFlight -= 1;
    },
    /** Slows down after the service answered 429 to a call sent at `sentAtMs`. */
    throttled(sentAtMs: number, retryAfterMs: number | null): void {
      const nowMs = clock.steadyNow();
      throttle.refused({ nowMs, sentAtMs, used: calls.used(nowMs), retryAfterMs });
    },
    /** Records that the team's server rejected a call, and when it may accept one. */
    rejectedByServer(isEdit: boolean, retryAfterMs: number, why: "quota" | "redis"): void {
      const notBeforeMs = clock.steadyNow() + Math.min(retryAfterMs, longestServerWaitMs);
      Object.assign(rejectionOf(isEdit), { notBeforeMs, why, asksSingly: true });
    },
    noteUsage: (usage: CompanyUsage) => void (lastUsage = { usage, atMs: clock.steadyNow() }),
    succeeded(isEdit: boolean): void {
      throttle.succeeded();
      rejectionOf(isEdit).asksSingly = false;
    },
    opensAtMs,
    use,
    waitForMs,
  };
}

/**
 * Returns the quotas of a connection. The service counts calls per consumer, so a consumer keeps its quotas when the secret
 * changes.
 */
export function createQuotas(clock: Clock, callMemory: CallMemory | null) {
  const quotasByConsumer = new Map<string, Readonly<Record<Operation, Quota>>>();

  return (environment: Environment, credentials: Credentials): Readonly<Record<Operation, Quota>> => {
    const { id, quota: limits, pacedBy = "page" } = environment;
    const key = JSON.stringify([id, consumerIdOf(credentials), limits, pacedBy]);
    const existing = quotasByConsumer.get(key);
    if (existing !== undefined) return existing;
    // Not the consumer ID: a page that is loaded again goes on with the same one, or waits a minute at most.
    const memoryOf = (operation: Operation) =>
      quotasByConsumer.size > 0 || callMemory === null
        ? null
        : { at: callMemory, key: `inv.calls ${id} ${operation}` };
    const quotas = {
      search: createQuota(clock, { limit: limits.search, pacedBy, memory: memoryOf("search") }),
      events: createQuota(clock, { limit: limits.events, pacedBy, memory: memoryOf("events") }),
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

/**
 * Keeps what counts now, by the system clock, because the steady one starts again. A call in flight counts as one that ends at this moment.
 */
function keepCalls(
  { at, key }: Memory,
  calls: Pick<CallWindow, "endsMs" | "inFlight">,
  clock: Pick<Clock, "now" | "steadyNow">,
): void {
  const nowMs = clock.steadyNow();
  const leftMs = calls.endsMs(nowMs).map((endMs) => endMs - nowMs);
  const all = [...leftMs, ...Array<number>(calls.inFlight()).fill(windowMs)];
  try {
    at.setItem(key, JSON.stringify(all.map((ms) => Math.ceil(clock.now() + ms))));
  } catch {
    // The storage is full or forbidden, so the page forgets its calls when it is loaded again.
  }
}

/** Returns when the kept calls stop counting, earliest first, by the steady clock. */
function rememberedCalls({ at, key }: Memory, clock: Pick<Clock, "now" | "steadyNow">): readonly number[] {
  let kept: unknown = null;
  try {
    kept = parsedJson(at.getItem(key) ?? "");
  } catch {
    // There is no storage.
  }
  const ends: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return (
    ends
      .flatMap((endMs) => (typeof endMs === "number" ? [endMs - clock.now()] : []))
      .filter((leftMs) => leftMs > 0)
      // The system clock may have been set back.
      .map((leftMs) => clock.steadyNow() + Math.min(leftMs, windowMs))
      .sort((one, other) => one - other)
  );
}
