/**
 * A team's server without HTTP: what pages send reaches a company's shared parts as the relay hands it over, and
 * what those send reaches a service. On whatever clock the test or the bench has.
 */
import type { Transport } from "../../src/api/transport";
import { type Company, type CompanyObserver, createCompany } from "../../src/server/company/company";
import { readAsked } from "../../src/server/company/headers";
import { failed, passedOn, type RelayedAnswer } from "../../src/server/relay/answer";
import { type Send, sendTo } from "../../src/server/relay/outgoing";
import type { SteadyClock } from "../../src/server/company/clock";

export interface CompanyRelayOptions {
  readonly clock: SteadyClock;
  readonly service: Transport;
  /** Calls in any 60 seconds. */
  readonly limit: number;
  readonly cacheBytes?: number;
  readonly observer?: Partial<CompanyObserver>;
}

const most = 10_000_000;
const silent: CompanyObserver = {
  waited: () => undefined,
  sent: () => undefined,
  turnedAway: () => undefined,
  shared: () => undefined,
  quotaLeft: () => undefined,
};

/** A transport for pages whose environment is paced by the server. */
export function createCompanyRelay(options: CompanyRelayOptions): Transport {
  const { clock, service, limit, cacheBytes = 64_000_000, observer } = options;
  const company = createCompany({
    clock,
    limitOf: () => limit,
    cacheBytes,
    observer: { ...silent, ...observer },
  });
  const sendToService = sendTo(service);
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const send = (sent: Buffer, signal: AbortSignal) =>
      forward(sendToService, request, { body: sent, signal });
    const answer = await (request.url.includes("/token")
      ? exchange(company, { request, body, send })
      : ask(company, { request, body, send }));
    if (answer === null) throw new DOMException("The page has left.", "AbortError");
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}

interface Call {
  readonly request: Request;
  readonly body: Buffer;
  readonly send: (body: Buffer, signal: AbortSignal) => Promise<RelayedAnswer>;
}

async function exchange(company: Company, { request, body, send }: Call): Promise<RelayedAnswer> {
  const answer = await send(body, request.signal);
  await company.exchanged("team", {
    requestHeaders: { "content-type": request.headers.get("content-type") ?? undefined },
    requestBody: body.toString(),
    status: answer.status,
    answerBody: answer.body.toString(),
  });
  return answer;
}

function ask(company: Company, { request, body, send }: Call): Promise<RelayedAnswer | null> {
  const operation = request.method === "GET" ? company.events : company.search;
  return operation({
    environment: "team",
    consumerId: request.headers.get("wm_consumer.id") ?? "",
    token: request.headers.get("authorization")?.replace("Bearer ", "") ?? null,
    ...readAsked((name) => request.headers.get(name) ?? undefined),
    body,
    signal: request.signal,
    send,
  });
}

async function forward(
  sendToService: Send,
  request: Request,
  { body, signal }: { readonly body: Buffer; readonly signal: AbortSignal },
): Promise<RelayedAnswer> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !name.startsWith("inv-")));
  const url = new URL(request.url);
  const isGet = request.method === "GET";
  const call = isGet ? { method: "GET" as const, body: null } : { method: "POST" as const, body };
  try {
    return passedOn(await sendToService({ url, ...call, headers, signal, maxAnswerBytes: most }));
  } catch (error) {
    return failed(error);
  }
}
