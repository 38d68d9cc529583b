/**
 * Keeps the service's token for credentials that the server has. All pages share one token. It is fetched at
 * the first use, and renewed before it expires while the old one is still in use. If the service refuses the
 * token, it is renewed once, after a second try of a new one (`src/domain/token-retry.ts`). If the service also
 * refuses the next token, or the credentials, the server stops requesting tokens. It starts again after a minute, or when the secret changes.
 * Invariant: at most one exchange runs at a time. The secret is read for each exchange and not cached.
 */
import { messageOf } from "../../domain/errors";
import { readRetryAfterMs } from "../../domain/retry-after";
import { secondTryAtMs } from "../../domain/token-retry";
import { unawaited } from "../../domain/unawaited";
import type { SteadyClock } from "../steady-clock";
import { type RelayedAnswer, refusal } from "../answer";
import type { ServiceToken } from "../relay/server-credentials";
import { exchangeToken, refusesCredentials, type TokenExchange } from "../relay/token-exchange";
import { digestOf } from "../digest";
import type { ReadSecret } from "./secret";

export interface CompanyToken {
  current(): Promise<ServiceToken>;
  refused(serviceToken: string): void;
  worked(serviceToken: string): void;
}

export interface CompanyTokenOptions {
  readonly clock: SteadyClock;
  readonly target: TokenExchange["target"];
  readonly clientId: string;
  readonly readSecret: ReadSecret;
  readonly warn: (reason: string) => void;
}

/** The token is renewed this long before it expires, or a fifth of its lifetime before if that is shorter. */
const aheadMs = 60_000;
const refusedForMs = 60_000;
/** Pause between two exchanges after any other failure. */
const awayForMs = 2_000;
const maxAnswerBytes = 64 * 1_024;

interface CachedToken {
  readonly serviceToken: string;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
  readonly secretDigest: string;
  readonly issuedAtMs: number;
  hasWorked: boolean;
  /** When it is tried again; null before it was refused. */
  secondTryAtMs: number | null;
}

export function createCompanyToken(options: CompanyTokenOptions): CompanyToken {
  const { clock, target, clientId, readSecret, warn } = options;
  let cached: CachedToken | null = null;
  let renewal: Promise<ServiceToken> | null = null;
  /** True if the service refused the previous token, and no call has succeeded since. */
  let isDoubtful = false;
  let refusedUntilMs = 0;
  let refusedDigest: string | null = null;
  let away: { readonly answer: RelayedAnswer; readonly untilMs: number } | null = null;

  function refuse(secretDigest: string): ServiceToken {
    cached = null;
    refusedUntilMs = clock.now() + refusedForMs;
    refusedDigest = secretDigest;
    warn("The service refuses the credentials that the server holds.");
    return { kind: "refused" };
  }

  function failFor(reason: string, answer: RelayedAnswer): ServiceToken {
    away = { answer, untilMs: clock.now() + awayForMs };
    warn(reason);
    return { kind: "away", answer };
  }

  async function requestToken(): Promise<ServiceToken> {
    let clientSecret: string;
    try {
      clientSecret = await readSecret();
    } catch (error) {
      return failFor(
        messageOf(error),
        refusal(503, "The server cannot read the secret of this environment."),
      );
    }
    const secretDigest = digestOf(clientSecret);
    if (secretDigest === refusedDigest && clock.now() < refusedUntilMs) return { kind: "refused" };
    const form = { consumerId: clientId, clientSecret };
    // Nobody cancels the exchange, because all pages share its token.
    const { signal } = new AbortController();
    const { answer, outcome } = await exchangeToken({ target, form, signal, maxAnswerBytes });
    if (refusesCredentials(answer)) return refuse(secretDigest);
    if (outcome?.kind !== "granted") {
      // Don't pass the answer on: it may repeat the secret.
      const retryAfterMs = readRetryAfterMs(answer.headers["retry-after"] ?? null, null);
      const seconds = answer.status === 429 ? Math.ceil((retryAfterMs ?? 5_000) / 1_000) : undefined;
      const status = answer.status === 429 || answer.status >= 500 ? answer.status : 502;
      const words = "The service gave the server no token.";
      const { failure } = answer;
      return failFor(`${words} Status ${answer.status}.`, {
        ...refusal(status, words, seconds),
        ...(failure && { failure }),
      });
    }
    const { accessToken, expiresInSeconds } = outcome.grant;
    const lifetimeMs = expiresInSeconds * 1_000;
    const endsAtMs = clock.now() + lifetimeMs;
    const renewAtMs = endsAtMs - Math.min(aheadMs, lifetimeMs / 5);
    const known = { issuedAtMs: clock.now(), hasWorked: false, secondTryAtMs: null };
    cached = { serviceToken: accessToken, renewAtMs, endsAtMs, secretDigest, ...known };
    refusedDigest = null;
    return { kind: "valid", serviceToken: accessToken };
  }

  function renew(): Promise<ServiceToken> {
    renewal ??= requestToken().finally(() => (renewal = null));
    return renewal;
  }

  return {
    async current() {
      const waitMs = (cached?.secondTryAtMs ?? 0) - clock.now();
      if (waitMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, waitMs));
      const nowMs = clock.now();
      const isAway = away !== null && nowMs < away.untilMs;
      if (cached !== null && nowMs < cached.endsAtMs) {
        const { serviceToken, renewAtMs } = cached;
        if (nowMs >= renewAtMs && !isAway) unawaited(renew());
        return { kind: "valid", serviceToken };
      }
      if (away !== null && isAway) return { kind: "away", answer: away.answer };
      return renew();
    },
    refused(serviceToken) {
      // If several calls with one token are refused, only the first refusal counts.
      if (cached?.serviceToken !== serviceToken) return;
      const { secretDigest, hasWorked } = cached;
      const nowMs = clock.now();
      // Calls that were sent before the second try say nothing new.
      if (nowMs < (cached.secondTryAtMs ?? 0)) return;
      const againAtMs = secondTryAtMs(cached, { sentAtMs: nowMs, nowMs, hasWorked });
      if (againAtMs !== null) {
        cached.secondTryAtMs = againAtMs;
        return;
      }
      cached = null;
      if (isDoubtful) refuse(secretDigest);
      isDoubtful = true;
    },
    worked(serviceToken) {
      if (cached === null || serviceToken !== cached.serviceToken) return;
      cached.hasWorked = true;
      isDoubtful = false;
    },
  };
}
