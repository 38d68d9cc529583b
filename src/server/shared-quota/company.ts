/**
 * What the people of a company share through one server: the quota of their calls, and the answers to equal items.
 *
 *     company.search ── shared-search ── known-answers      answers of the last hours
 *                          │        └─── pending-call       calls in flight that others may join
 *     company.events ── paced-calls                         sends a call when the quota allows it
 *                          └─ quota                         one queue per account (environment, consumer, operation)
 *                               └─ quota-store ── turns     decides whose call is sent next, and when
 *
 * With Redis (`in-redis`; `relay/relay.ts` chooses), several servers share the window and the answers. The relay has checked the
 * consumer of each call before. This room knows nothing of HTTP servers, addresses or tokens.
 */
import type { RelayedAnswer } from "../answer";
import type { SteadyClock } from "../steady-clock";
import { type Account, accountOf, type CompanyCall, type CompanyObserver } from "./call";
import { quotaHeader } from "./headers";
import type { KnownAnswers } from "./known-answers";
import { createPacedCalls } from "./paced-calls";
import { createCompanyQuota } from "./quota";
import type { QuotaStore } from "./quota-store";
import { createSharedSearch } from "./shared-search";

export interface Company {
  /** Resolves to null if the page has disconnected. */
  search(call: CompanyCall): Promise<RelayedAnswer | null>;
  events(call: CompanyCall): Promise<RelayedAnswer | null>;
}

export interface CompanyOptions {
  readonly clock: SteadyClock;
  readonly known: KnownAnswers;
  readonly observer: CompanyObserver;
  readonly quotaStore: QuotaStore;
}

export function createCompany(options: CompanyOptions): Company {
  const { clock, known, observer, quotaStore } = options;
  const quota = createCompanyQuota({ clock, onWait: observer.waits, store: quotaStore });
  const paced = createPacedCalls({ clock, quota, observer });
  const searchShared = createSharedSearch({ clock, paced, known, onShared: observer.shared });

  /** Adds the quota's usage, so that every page shows the same. */
  async function withQuota(answer: RelayedAnswer | null, account: Account): Promise<RelayedAnswer | null> {
    if (answer === null) return null;
    const usage = await quota.usage(account);
    if (usage === null) return answer;
    observer.quotaLeft(account, Math.max(0, usage.limit - usage.used));
    return { ...answer, headers: { ...answer.headers, ...quotaHeader(usage) } };
  }

  return {
    async search(call) {
      return withQuota(await searchShared(call), accountOf(call, "search"));
    },
    async events(call) {
      const account = accountOf(call, "events");
      return withQuota(await paced({ ...call, account }), account);
    },
  };
}
