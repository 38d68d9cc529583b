/**
 * A team's server without HTTP. It passes pages' requests to a company's shared parts as the relay does, and the
 * requests of those parts to a service. It runs on the clock of the test or benchmark.
 */
import type { Transport } from "../../src/api/transport";
import type { SteadyClock } from "../../src/server/steady-clock";
import type { CompanyObserver } from "../../src/server/shared-quota/call";
import { createCompany } from "../../src/server/shared-quota/company";
import { createKnownAnswers } from "../../src/server/shared-quota/known-answers";
import { createMemoryQuotaStore, type QuotaStore } from "../../src/server/shared-quota/quota-store";
import { createDataOperations } from "../../src/server/relay/data-operations";
import { sendTo } from "../../src/server/relay/outgoing";
import { createTokenOperation } from "../../src/server/relay/token-operation";
import { createTokenRefusals } from "../../src/server/relay/token-refusals";
import { memoryStores } from "./memory-stores";

export interface CompanyRelayOptions {
  readonly clock: SteadyClock;
  readonly service: Transport;
  readonly limit: number;
  readonly cacheBytes?: number;
  /** Default: in this process, with this limit. */
  readonly quotaStore?: QuotaStore;
  readonly observer?: Partial<CompanyObserver>;
}

const silent: CompanyObserver = {
  waits: () => () => undefined,
  sent: () => undefined,
  rejected: () => undefined,
  away: () => undefined,
  shared: () => undefined,
  quotaLeft: () => undefined,
};

/** A transport for pages in an environment that the server paces. All pages share one address. */
export function createCompanyRelay(options: CompanyRelayOptions): Transport {
  const { clock, service, limit, cacheBytes = 64_000_000, observer } = options;
  const company = createCompany({
    clock,
    quotaStore: options.quotaStore ?? createMemoryQuotaStore({ clock, limitOf: () => limit }),
    known: createKnownAnswers({ clock, maxBytes: cacheBytes }),
    observer: { ...silent, ...observer },
  });
  const { tokens } = memoryStores(clock);
  const parts = { tokens, company, refusals: createTokenRefusals(clock), maxAnswerBytes: 10_000_000 };
  const operations = { token: createTokenOperation(parts), ...createDataOperations(parts) };
  const send = sendTo(service);
  return async (request) => {
    const url = new URL(request.url);
    const address = new URL(url.pathname, url);
    const operation = url.pathname.endsWith("/token")
      ? "token"
      : request.method === "GET"
        ? "events"
        : "search";
    const answer = await operations[operation]({
      target: {
        id: "team",
        ...{ tokenUrl: address, searchUrl: address, eventsUrl: address },
        authorization: "bearer",
        send,
        tokenAsked: () => undefined,
      },
      address: () => "10.0.0.1",
      header: (name) => request.headers.get(name) ?? undefined,
      query: url.search,
      body: Buffer.from(await request.arrayBuffer()),
      signal: request.signal,
    });
    if (answer === null) throw new DOMException("The page has left.", "AbortError");
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}
