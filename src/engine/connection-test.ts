/**
 * The test a person runs before they trust a connection: a new token, then one lookup of one item. Any
 * answer of the service to the lookup will do, a "no data" included; what is tested is the way there. It
 * tries once, so that the person hears at once what is wrong.
 */
import type { SearchOutcome } from "../api/outcomes";
import { buildSearchRequest, readSearchResponse } from "../api/search-items";
import type { Credentials, Environment } from "../domain/environment";
import type { InvError } from "../domain/errors";
import { type Attempt, type AttemptTools, beginAttempt } from "./send/attempt";
import type { Quota } from "./send/quota";
import type { TokenKeeper } from "./send/token";

export interface TestTools extends AttemptTools {
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly token: TokenKeeper;
  readonly quota: Quota;
  readonly maxBytes: number;
  /** Holds each harmless call while it is under way, for whoever wants to give it up. */
  readonly underWay: Set<Pick<Attempt<SearchOutcome>, "abort">>;
}

/** A store and an item that the service need not know. */
const harmless = { storeNumber: 1234, itemType: "gtin", values: ["00012345678905"] } as const;

/** Rejects with the reason why no value can be had. */
export async function testConnection(tools: TestTools): Promise<void> {
  const token = await tools.token.renew();
  if (token.kind !== "granted") throw token.error;
  const error = await harmlessCall(tools, token.grant.accessToken);
  if (error !== null) throw error;
}

/** One lookup; the reason when the service did not answer it. */
export async function harmlessCall(tools: TestTools, accessToken: string): Promise<InvError | null> {
  const { environment, credentials, quota, maxBytes, underWay } = tools;
  const { consumerId } = credentials;
  const sentAtMs = tools.clock.now();
  quota.sent();
  const attempt = beginAttempt<SearchOutcome>(tools, {
    build: (signal) => buildSearchRequest(environment, harmless, { consumerId, accessToken, signal }),
    read: (response) => readSearchResponse(response, harmless, { maxBytes }),
  });
  underWay.add(attempt);
  const outcome = await attempt.outcome;
  underWay.delete(attempt);
  quota.ended();
  if (outcome.kind === "throttled") quota.throttled(sentAtMs, outcome.retryAfterMs);
  switch (outcome.kind) {
    case "items": {
      const item = outcome.items[0];
      return item?.kind === "unreadable" ? item.error : null;
    }
    case "offenders":
    case "no-data":
    case "request-refused":
      return null;
    default:
      return outcome.error;
  }
}
