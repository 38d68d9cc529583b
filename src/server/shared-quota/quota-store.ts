/**
 * Keeps the state of all accounts in this process. A step happens completely or not at all, and an account has one step
 * at a time. Failures are results, so that a store over the network (`in-redis`) can have the same interface.
 */
import { newAccountState, type QuotaUsage } from "./account-state";
import type { Account } from "./call";
import type { SteadyClock } from "../steady-clock";
import { type CallEvent, type Decisions, step } from "./step";
import { expire, usedOf } from "./window";

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
  const states = createAccounts(clock, ({ environment, operation }) =>
    newAccountState(limitOf(environment, operation)),
  );
  return {
    step(account, events) {
      const [nowMs, chance] = [clock.now(), clock.random()];
      return Promise.resolve(step(states.of(account), { events, nowMs, chance }));
    },
    usage(account) {
      const state = states.peek(account);
      const limit = limitOf(account.environment, account.operation);
      if (state === undefined) return Promise.resolve({ used: 0, limit });
      expire(state, clock.now());
      return Promise.resolve({ used: usedOf(state), limit });
    },
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
