/**
 * Where the state of all accounts lies: here in this process. Each step happens whole or not at all, one after another
 * for an account; how it went is told, a failure included, so that a store beyond a network can stand in its place.
 */
import { type AccountState, newAccountState } from "./account-state";
import type { SteadyClock } from "./clock";
import type { CompanyQuotaUse } from "./call-end";
import type { Account } from "./entry";
import { type Decisions, type News, step } from "./step";
import type { Room } from "./turns";
import { expire, usedOf } from "./window";

/** Neither of the two rejects. */
export interface QuotaStore {
  /** `failed`: nothing is known of it, and nothing may leave. */
  step(
    account: Account,
    news: readonly News[],
    room: Room,
  ): Promise<Decisions | { readonly kind: "failed"; readonly retryAfterMs: number }>;
  /** Null where the store cannot be asked. */
  use(account: Account): Promise<CompanyQuotaUse | null>;
  /** Told of an account when calls of this process may have their turn, by what happened in another. */
  onTurn(listener: (account: Account) => void): void;
}

export interface QuotaStoreOptions {
  readonly clock: Pick<SteadyClock, "now" | "random">;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
  /** How long a call is held at most. */
  readonly holdMs: number;
}

/** Whatever can be known of an account is over after this long without a step. */
const keptForMs = 180_000;
const movedEveryMs = 10_000;
/** The only one. */
const server = "";

export function createMemoryQuotaStore({ clock, limitOf, holdMs }: QuotaStoreOptions): QuotaStore {
  /** Those that were used longest ago first. */
  const kept = new Map<string, { readonly state: AccountState; readonly atMs: number }>();

  function stateOf(account: Account): AccountState {
    const key = keyOf(account);
    const nowMs = clock.now();
    const known = kept.get(key);
    // Not at every call: in a map of many, moving one takes longer than the step.
    if (known !== undefined && nowMs < known.atMs + movedEveryMs) return known.state;
    const state = known?.state ?? newAccountState(limitOf(account.environment, account.operation));
    kept.delete(key);
    kept.set(key, { state, atMs: nowMs });
    for (const [oldest, { atMs }] of kept) {
      if (atMs > nowMs - keptForMs) break;
      kept.delete(oldest);
    }
    return state;
  }

  return {
    step: (account, news, room) =>
      Promise.resolve(
        step(stateOf(account), { server, news, room, holdMs, nowMs: clock.now(), chance: clock.random() }),
      ),
    use(account) {
      const state = kept.get(keyOf(account))?.state;
      const limit = limitOf(account.environment, account.operation);
      if (state === undefined) return Promise.resolve({ used: 0, limit });
      expire(state, clock.now());
      return Promise.resolve({ used: usedOf(state), limit });
    },
    onTurn: () => undefined,
  };
}

/** Names an account in this process. */
export function keyOf({ environment, consumerId, operation }: Account): string {
  return [environment, operation, consumerId].join(" ");
}
