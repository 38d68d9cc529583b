/**
 * What the people of a company share through one server: the quota of their calls, the answers to equal items, and
 * the knowledge whose token is whose. All of it is in memory and ends with the process. The relay gives it calls
 * and gets answers; it knows nothing of HTTP servers or addresses.
 */
import type { RelayedAnswer } from "../relay/answer";
import type { CompanyCall } from "./call";
import type { SteadyClock } from "./clock";
import type { Account } from "./entry";
import { quotaHeader } from "./headers";
import { createKnownAnswers } from "./known-answers";
import { createPacedCalls } from "./paced-calls";
import { createCompanyQuota } from "./quota";
import { createSharedSearch } from "./shared-search";
import { readTokenGrant, type TokenExchange } from "./token-grant";
import { createTokenOwners } from "./token-owners";

export interface Company {
  /** Null when the page has left. */
  search(call: CompanyCall): Promise<RelayedAnswer | null>;
  events(call: CompanyCall): Promise<RelayedAnswer | null>;
  /** Told of every token exchange. */
  exchanged(environment: string, exchange: TokenExchange): Promise<void>;
}

/** Told of what happens, by environment and operation; never of people, items or tokens. */
export interface CompanyObserver {
  /** A call was held for its turn. */
  readonly waited: (account: Account, waitedMs: number) => void;
  /** The service was asked, and answered with this status (502 and 504: it did not). */
  readonly sent: (account: Account, status: number) => void;
  /** A call was sent back to its page, because the quota is spent. */
  readonly turnedAway: (account: Account) => void;
  /** So many items of an answer came from other calls. */
  readonly shared: (environment: string, items: number) => void;
  readonly quotaLeft: (account: Account, calls: number) => void;
}

export interface CompanyOptions {
  readonly clock: SteadyClock;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
  /** How much memory known answers may take. */
  readonly cacheBytes: number;
  readonly observer: CompanyObserver;
}

export function createCompany({ clock, limitOf, cacheBytes, observer }: CompanyOptions): Company {
  const owners = createTokenOwners(clock);
  const quota = createCompanyQuota({ clock, limitOf, onWaited: observer.waited });
  const paced = createPacedCalls({
    clock,
    quota,
    onTurnedAway: observer.turnedAway,
    onSent: observer.sent,
  });
  const searchShared = createSharedSearch({
    clock,
    paced,
    known: createKnownAnswers(cacheBytes),
    onShared: observer.shared,
  });

  /** With the company's quota as it stands, so that every page shows the same. */
  async function withQuota(answer: RelayedAnswer | null, account: Account): Promise<RelayedAnswer | null> {
    if (answer === null) return null;
    const use = await quota.use(account);
    observer.quotaLeft(account, Math.max(0, use.limit - use.used));
    return { ...answer, headers: { ...answer.headers, ...quotaHeader(use) } };
  }

  function ownerOf({ environment, token }: CompanyCall): Promise<string | null> {
    return token === null ? Promise.resolve(null) : owners.ownerOf(environment, token);
  }

  return {
    async search(call) {
      const owner = await ownerOf(call);
      return withQuota(await searchShared(call, owner), accountOf(call, { owner, operation: "search" }));
    },
    async events(call) {
      const account = accountOf(call, { owner: await ownerOf(call), operation: "events" });
      const { signal, body, send } = call;
      return withQuota(await paced({ account, askers: () => [call.asker], signal, body, send }), account);
    },
    async exchanged(environment, exchange) {
      const grant = readTokenGrant(exchange);
      if (grant !== null) await owners.learn({ environment, ...grant });
    },
  };
}

/** A token's owner pays for a call, and sees their own quota, whatever the call's header says. */
function accountOf(
  { environment, consumerId }: CompanyCall,
  { owner, operation }: { readonly owner: string | null; readonly operation: Account["operation"] },
): Account {
  return { environment, consumerId: owner ?? consumerId, operation };
}
