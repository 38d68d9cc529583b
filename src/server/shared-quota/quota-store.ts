/**
 * Keeps the state of all accounts in this process. A step happens completely or not at all, and an account has one step
 * at a time. Failures are results, so that a store over the network (`in-redis`) can have the same interface.
 */
import { createCallWindow, windowMs } from "../../domain/call-window";
import type { SteadyClock } from "../steady-clock";
import type { Account } from "./call";
import { type CallEvent, createTurns, type Decisions, type QuotaUsage, type Room } from "./turns";

/**
 * No method rejects. A step that throws is a fault of the program, and may leave an account half changed. Nobody handles it, so the
 * process ends, and a supervisor starts it again.
 */
export interface QuotaStore {
  /** `failed`: nobody knows how much of the quota is used, and nothing may be sent. */
  step(
    account: Account,
    events: readonly CallEvent[],
  ): Promise<Decisions | { readonly kind: "failed"; readonly retryAfterMs: number }>;
  /** Null when nobody knows it now. */
  usage(account: Account): Promise<QuotaUsage | null>;
}

export interface QuotaStoreOptions {
  readonly clock: Pick<SteadyClock, "now" | "random">;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
}

export function createMemoryQuotaStore({ clock, limitOf }: QuotaStoreOptions): QuotaStore {
  const all = createAccounts(clock, ({ environment, operation }) =>
    createTurns(limitOf(environment, operation), createRoom(), clock.random),
  );
  return {
    step: (account, events) => Promise.resolve(all.of(account).step(events, clock.now())),
    usage(account) {
      const limit = limitOf(account.environment, account.operation);
      return Promise.resolve(all.peek(account)?.usage(clock.now()) ?? { used: 0, limit });
    },
  };
}

/** The calls of this process. */
export function createRoom(): Room {
  const windows = { edit: createCallWindow(), bulk: createCallWindow() };
  return {
    used: (kind, nowMs) => windows[kind].used(nowMs),
    editsAMinute(nowMs) {
      const { edit } = windows;
      return Math.max(edit.used(nowMs), 3 * edit.usedSince(nowMs - 20_000, nowMs));
    },
    leaveAtMs(count, kind, nowMs) {
      const ends =
        kind === null
          ? [...windows.edit.endsMs(nowMs), ...windows.bulk.endsMs(nowMs)].sort((left, right) => left - right)
          : windows[kind].endsMs(nowMs);
      // A call in flight counts for a whole window after its answer, which is still to come.
      return ends[count - 1] ?? nowMs + windowMs;
    },
    sent: (kind) => windows[kind].sent(),
    ended: (kind, nowMs) => windows[kind].ended(nowMs),
    withdrawn: (kind) => windows[kind].withdrawn(),
    paceAtMs: -Infinity,
  };
}

interface Accounts<T> {
  of(account: Account): T;
  peek(account: Account): T | undefined;
}

/** After this long without a step, nothing in an account's state matters any more. */
const keptForMs = 180_000;
const movedEveryMs = 10_000;

/** What a store knows of each account, as long as it may matter. */
export function createAccounts<T>(
  clock: Pick<SteadyClock, "now">,
  create: (account: Account) => T,
): Accounts<T> {
  /** Least recently used first. */
  const accounts = new Map<string, { readonly value: T; readonly atMs: number }>();
  return {
    of(account) {
      const key = accountKey(account);
      const nowMs = clock.now();
      const found = accounts.get(key);
      // Not moved at every call: in a large map, that takes longer than the step.
      if (found !== undefined && nowMs < found.atMs + movedEveryMs) return found.value;
      const value = found?.value ?? create(account);
      accounts.delete(key);
      accounts.set(key, { value, atMs: nowMs });
      for (const [oldest, { atMs }] of accounts) {
        if (atMs > nowMs - keptForMs) break;
        accounts.delete(oldest);
      }
      return value;
    },
    peek: (account) => accounts.get(accountKey(account))?.value,
  };
}

export function accountKey({ environment, consumerId, operation }: Account): string {
  return [environment, operation, consumerId].join(" ");
}
