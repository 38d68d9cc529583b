/**
 * One quota for a company: every call asks here before it leaves. Calls are held for a short time when the
 * quota is spent, then turned away with the time to come back; see `turns` for who goes first.
 * Callers know the interface alone, so that a quota several processes share can stand behind it.
 */
import type { SteadyClock } from "./clock";
import type { Account, Entry, QuotaUse, Waiting } from "./entry";
import { createQueue, type Queue } from "./queue";
import { createCallWindow } from "./window";

export interface CompanyQuota {
  enter(waiting: Waiting): Promise<Entry>;
  use(account: Account): Promise<QuotaUse>;
}

export interface CompanyQuotaOptions {
  readonly clock: SteadyClock;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
  /** How long a call is held at most. */
  readonly holdMs?: number;
  readonly onWaited: (account: Account, waitedMs: number) => void;
}

const defaultHoldMs = 2_000;
/** Consumer IDs can be made up; queues that nobody uses are then given up. */
const manyQueues = 200;

export function createCompanyQuota(options: CompanyQuotaOptions): CompanyQuota {
  const { clock, limitOf, holdMs = defaultHoldMs, onWaited } = options;
  const queues = new Map<string, Queue>();

  function queueOf({ environment, consumerId, operation }: Account): Queue {
    const key = [environment, operation, consumerId].join(" ");
    const known = queues.get(key);
    if (known !== undefined) return known;
    if (queues.size >= manyQueues) giveUpIdle();
    const limit = limitOf(environment, operation);
    const queue = createQueue({ clock, limit, holdMs, window: createCallWindow(clock, limit) });
    queues.set(key, queue);
    return queue;
  }

  function giveUpIdle(): void {
    for (const [key, queue] of queues) if (queue.isIdle()) queues.delete(key);
  }

  return {
    async enter({ account, askers, signal }) {
      const startedAtMs = clock.now();
      const entry = await queueOf(account).enter(askers, signal);
      onWaited(account, clock.now() - startedAtMs);
      return entry;
    },
    use: (account) => Promise.resolve(queueOf(account).use()),
  };
}
