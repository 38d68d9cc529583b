/**
 * What the people of a company share through one server: the quota of their calls, and the answers to equal items.
 * Where that lies, in memory or in Redis, is chosen in `stores`. The relay gives it calls whose consumer it has made sure
 * of, and gets answers; it knows nothing of HTTP servers, addresses or tokens.
 */
import type { RelayedAnswer } from "../answer";
import { accountOf, type CompanyCall } from "./call";
import type { SteadyClock } from "./clock";
import { type Account, oneAsker } from "./entry";
import { quotaHeader } from "./headers";
import type { KnownAnswers } from "./known-answers";
import { createPacedCalls } from "./paced-calls";
import { createCompanyQuota } from "./quota";
import type { QuotaStore } from "./quota-store";
import { createSharedSearch } from "./shared-search";

export interface Company {
  /** Null when the page has left. */
  search(call: CompanyCall): Promise<RelayedAnswer | null>;
  events(call: CompanyCall): Promise<RelayedAnswer | null>;
}

/** Told of what happens, by environment and operation; never of people, items or tokens. */
export interface CompanyObserver {
  /** A call starts to wait for its turn; the result is called when it no longer waits. */
  readonly waits: (account: Account) => (waitedMs: number) => void;
  /** The service was asked, and answered with this status (502 and 504: it did not) after so long. */
  readonly sent: (account: Account, status: number, tookMs: number) => void;
  /** A call was sent back to its page, because the quota is spent. */
  readonly rejected: (account: Account) => void;
  /** A call was sent back to its page, because nobody knows now how much of the quota is spent. */
  readonly away: (account: Account) => void;
  /** So many items of an answer came from other calls. */
  readonly shared: (environment: string, items: number) => void;
  readonly quotaLeft: (account: Account, calls: number) => void;
}

export interface CompanyOptions {
  readonly clock: SteadyClock;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
  readonly known: KnownAnswers;
  readonly observer: CompanyObserver;
  readonly quotaStore: QuotaStore;
}

export function createCompany(options: CompanyOptions): Company {
  const { clock, limitOf, known, observer, quotaStore } = options;
  const quota = createCompanyQuota({ clock, limitOf, onWait: observer.waits, store: quotaStore });
  const paced = createPacedCalls({
    clock,
    quota,
    onRejected: observer.rejected,
    onAway: observer.away,
    onSent: observer.sent,
  });
  const searchShared = createSharedSearch({
    clock,
    paced,
    known,
    onShared: observer.shared,
  });

  /** With the company's quota as it stands, so that every page shows the same. */
  async function withQuota(answer: RelayedAnswer | null, account: Account): Promise<RelayedAnswer | null> {
    if (answer === null) return null;
    const use = await quota.use(account);
    if (use === null) return answer;
    observer.quotaLeft(account, Math.max(0, use.limit - use.used));
    return { ...answer, headers: { ...answer.headers, ...quotaHeader(use) } };
  }

  return {
    async search(call) {
      return withQuota(await searchShared(call), accountOf(call, "search"));
    },
    async events(call) {
      const account = accountOf(call, "events");
      const { signal, body, send } = call;
      return withQuota(await paced({ account, askers: oneAsker(call.asker), signal, body, send }), account);
    },
  };
}
