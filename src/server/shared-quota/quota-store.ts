/**
 * Keeps the state of all accounts, here in this process. A step happens completely or not at all, and an account has one
 * step at a time. Failures are results, so that a store over the network (`in-redis`) can have the same interface.
 */
import { type AccountState, newAccountState, type QuotaUsage } from "./account-state";
import type { Account } from "./call";
import type { SteadyClock } from "../steady-clock";
import { type CallEvent, type Decisions, step } from "./step";
import { expire, usedOf } from "./window";

/** `step` and `usage` never reject. */
export interface QuotaStore {
  /** `failed`: the state is unknown, and nothing may be sent. */
  step(
    account: Account,
    events: readonly CallEvent[],
  ): Promise<Decisions | { readonly kind: "failed"; readonly retryAfterMs: number }>;
  /** Returns the usage after this process's latest step, or null if that is too long ago. */
  usage(account: Account): Promise<QuotaUsage | null>;
  /** Calls the listener with an account when something in another process may let calls of this one be sent. */
  onTurn(listener: (account: Account) => void): void;
}

export interface QuotaStoreOptions {
  readonly clock: Pick<SteadyClock, "now" | "random">;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
}

/** After this long without a step, nothing in an account's state matters any more. */
const keptForMs = 180_000;
const movedEveryMs = 10_000;
/** The only server. */
const server = "";

export function createMemoryQuotaStore({ clock, limitOf }: QuotaStoreOptions): QuotaStore {
  /** Least recently used first. */
  const accounts = new Map<string, { readonly state: AccountState; readonly atMs: number }>();

  function stateOf(account: Account): AccountState {
    const key = keyOf(account);
    const nowMs = clock.now();
    const found = accounts.get(key);
    // Not moved at every call: in a large map, that takes longer than the step.
    if (found !== undefined && nowMs < found.atMs + movedEveryMs) return found.state;
    const state = found?.state ?? newAccountState(limitOf(account.environment, account.operation));
    accounts.delete(key);
    accounts.set(key, { state, atMs: nowMs });
    for (const [oldest, { atMs }] of accounts) {
      if (atMs > nowMs - keptForMs) break;
      accounts.delete(oldest);
    }
    return state;
  }

  return {
    step(account, events) {
      const [nowMs, chance] = [clock.now(), clock.random()];
      return Promise.resolve(step(stateOf(account), { server, events, nowMs, chance }));
    },
    usage(account) {
      const state = accounts.get(keyOf(account))?.state;
      const limit = limitOf(account.environment, account.operation);
      if (state === undefined) return Promise.resolve({ used: 0, limit });
      expire(state, clock.now());
      return Promise.resolve({ used: usedOf(state), limit });
    },
    onTurn: () => undefined,
  };
}

/** The account's key in this process. */
export function keyOf({ environment, consumerId, operation }: Account): string {
  return [environment, operation, consumerId].join(" ");
}
