/**
 * The test a person runs before they trust a connection: a new token, then one lookup of one item. Any
 * answer of the service to the lookup will do, a "no data" included; what is tested is the way there. It
 * tries once, so that the person hears at once what is wrong, and it never takes more than the quota has.
 */
import type { SearchOutcome } from "../api/outcomes";
import { buildSearchRequest, readSearchResponse } from "../api/search-items";
import type { Credentials, Environment } from "../domain/environment";
import { InvError } from "../domain/errors";
import { harmlessQuery, reasonAgainst } from "./harmless-call";
import { type AttemptTools, beginAttempt } from "./send/attempt";
import type { Quota } from "./send/quota";
import type { TokenKeeper } from "./send/token";

export interface TestTools extends AttemptTools {
  readonly environment: Environment;
  readonly credentials: Credentials;
  readonly token: TokenKeeper;
  readonly quota: Quota;
  readonly maxBytes: number;
  /** The call has ended: others may have waited for its part of the quota. */
  readonly onQuotaFreed: () => void;
}

/** Rejects with the reason why no value can be had; once the signal is aborted, nothing more is sent. */
export async function testConnection(tools: TestTools, signal: AbortSignal): Promise<void> {
  const token = await tools.token.renew();
  signal.throwIfAborted();
  if (token.kind !== "granted") throw token.error;
  const error = reasonAgainst(await lookUp(tools, token.grant.accessToken, signal));
  if (error !== null) throw error;
}

async function lookUp(tools: TestTools, accessToken: string, signal: AbortSignal): Promise<SearchOutcome> {
  const { environment, credentials, quota, maxBytes } = tools;
  const { consumerId } = credentials;
  if (!quota.allows(true)) throw quotaIsUsed();
  const sentAtMs = tools.clock.now();
  quota.sent();
  const attempt = beginAttempt<SearchOutcome>(tools, {
    build: (ends) =>
      buildSearchRequest(environment, harmlessQuery, { consumerId, accessToken, signal: ends }),
    read: (response) => readSearchResponse(response, harmlessQuery, { maxBytes }),
  });
  signal.addEventListener("abort", () => attempt.abort(), { once: true });
  const outcome = await attempt.outcome;
  quota.ended();
  tools.onQuotaFreed();
  if (outcome.kind === "throttled" && !outcome.isTurnedAway) {
    quota.throttled(sentAtMs, outcome.retryAfterMs);
  }
  return outcome;
}

function quotaIsUsed(): InvError {
  const message = "The company's quota of calls is used up for now. Wait a minute, then test again.";
  return new InvError("quota", message);
}
