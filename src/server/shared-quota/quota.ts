/**
 * One quota for a company: every call asks here before it leaves. Calls are held for a short time when the
 * quota is spent, then sent back with the time to come again; see `fairness` for who goes first. What is known lies in a
 * store, as data; what waits, waits here.
 */
import type { SteadyClock } from "./clock";
import { type Connections, connectionCounts, createConnections } from "./connections";
import type { CompanyQuotaUse } from "./call-end";
import type { Account, WaitEnd, Waiting } from "./entry";
import { createCallLine, type CallLine } from "./line";
import { keyOf, type QuotaStore } from "./quota-store";

export interface CompanyQuota {
  enter(waiting: Waiting): Promise<WaitEnd>;
  /** Null where nobody knows now. */
  use(account: Account): Promise<CompanyQuotaUse | null>;
}

export interface CompanyQuotaOptions {
  readonly clock: SteadyClock;
  /** Calls in any 60 seconds. */
  readonly limitOf: (environment: string, operation: Account["operation"]) => number;
  /** Called when a call starts to wait for its turn; returns what to call at the end. */
  readonly onWait: (account: Account) => (waitedMs: number) => void;
  readonly store: QuotaStore;
}

export const holdMs = 2_000;

export function createCompanyQuota(options: CompanyQuotaOptions): CompanyQuota {
  const { clock, limitOf, onWait, store } = options;
  const lines = new Map<string, CallLine>();
  const connections = new Map<string, Connections>();
  let calls = 0;
  store.onTurn((account) => lines.get(keyOf(account))?.look());

  function lineOf(account: Account): CallLine {
    const key = keyOf(account);
    let line = lines.get(key);
    if (line === undefined) {
      const onIdle = () => void lines.delete(key);
      line = createCallLine({ clock, store, connections: connectionsOf(account), account, holdMs, onIdle });
      lines.set(key, line);
    }
    return line;
  }

  function connectionsOf({ environment, operation }: Account): Connections {
    const key = [environment, operation].join(" ");
    let known = connections.get(key);
    if (known === undefined) {
      known = createConnections(connectionCounts(limitOf(environment, operation)));
      connections.set(key, known);
    }
    return known;
  }

  return {
    async enter({ account, askers, signal }) {
      const startedAtMs = clock.now();
      const onWaited = onWait(account);
      calls += 1;
      const entry = await lineOf(account).enter(String(calls), { askers, signal });
      onWaited(clock.now() - startedAtMs);
      return entry;
    },
    use: (account) => store.use(account),
  };
}
