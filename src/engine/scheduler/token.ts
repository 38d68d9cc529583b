/**
 * The access token of one connection. INV fetches it when the first call needs it. It renews the token before it expires, and uses
 * the old one meanwhile. A call reads the token when it leaves.
 * When the service refuses a token, INV renews it at once, after a second try of a new one (`src/domain/token-retry.ts`).
 * A token may expire sooner than the service said (a relay's clock, a gateway's own limit). INV assumes this if a call is refused
 * twice, and its second token had been in use for a while. Then INV limits the lifetime of tokens to half that token's age. Each
 * token that isn't refused doubles this limit.
 * Invariant: at most one token request is in flight, however many calls need one.
 */
import type { TokenGrant, TokenOutcome } from "../../api/outcomes";
import { buildTokenRequest, readTokenResponse } from "../../api/token";
import type { Credentials } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { ConnectionContext } from "../connection-context";
import type { Call } from "../entry";
import { type Attempt, beginAttempt } from "./attempt";
import { type CallStart, createCircuit } from "./circuit";
import { pauseAfterRefusalMs } from "../../domain/pacing";
import { isNewToken, secondTryAtMs } from "../../domain/token-retry";

export type TokenKeeper = ReturnType<typeof createTokenKeeper>;

export interface AccessToken {
  readonly text: string;
  readonly issuedAtMs: number;
  /** When calls use it again after it was refused in its first seconds; null before that. */
  readonly secondTryAtMs: number | null;
}

/** What is known about the refused call: earlier refusals, and whether its data host has accepted this token before. */
interface RefusedCall extends Pick<Call<unknown, unknown>, "hadTokenRefused" | "secondTries"> {
  readonly wasAccepted: boolean;
}

/** For one call: once for each of the two tokens that it takes to show that the credentials are wrong. */
const maxSecondTries = 2;
/** INV renews a token this long before it expires, or a fifth of its lifetime before if that is shorter. */
const aheadMs = 60_000;

/** A token request in flight. */
export interface Renewal {
  /** Resolves when the request has ended. Then call `receive` in the same turn. */
  readonly ended: Promise<unknown>;
  receive(): RenewalResult;
}

/** What a token request means for the calls that wait for a token. */
export interface RenewalResult {
  /** Why nothing can be sent until the credentials or the address change. */
  readonly fault: InvError | null;
  /** Why no call gets a token now. */
  readonly outage: InvError | null;
}

const noEffect: RenewalResult = { fault: null, outage: null };

export function createTokenKeeper(
  options: Pick<
    ConnectionContext,
    "clock" | "transport" | "environment" | "credentials" | "secretNow" | "maxBytes"
  >,
) {
  const { clock, environment } = options;
  let { credentials } = options;
  const circuit = createCircuit(clock);
  let token: AccessToken | null = null;
  /** The last token that was issued, even if it was refused since. */
  let tokenBefore: string | null = null;
  let maxLifetimeMs = Infinity;
  let wasRefused = false;
  let renewAtMs = 0;
  let endsAtMs = 0;
  let pausedUntilMs = 0;
  let throttles = 0;
  let inFlight: Attempt<TokenOutcome> | null = null;
  let isClosed = false;

  function peek(): AccessToken | null {
    const nowMs = clock.steadyNow();
    return nowMs < endsAtMs && nowMs >= (token?.secondTryAtMs ?? 0) ? token : null;
  }

  /** Requests a new token if none is valid for long. Returns null if none is due, or if a request is in flight. */
  function renewIfDue(): Renewal | null {
    const nowMs = clock.steadyNow();
    const isDue = token === null || nowMs >= renewAtMs;
    if (!isDue || inFlight !== null || nowMs < pausedUntilMs || isClosed) return null;
    const sent = circuit.callStart();
    const attempt = beginAttempt<TokenOutcome>(options, {
      build: (signal) => buildTokenRequest(environment, credentials, { signal, tokenBefore }),
      receive: (response, secrets) => readTokenResponse(response, { maxBytes: options.maxBytes, secrets }),
    });
    inFlight = attempt;
    let outcome: TokenOutcome | null = null;
    return {
      ended: attempt.outcome.then((received) => (outcome = received)),
      receive() {
        // The credentials have changed since this request was sent.
        if (inFlight !== attempt || outcome === null) return noEffect;
        inFlight = null;
        return isClosed ? noEffect : receive(outcome, sent);
      },
    };
  }

  function receive(outcome: TokenOutcome, sent: CallStart): RenewalResult {
    const nowMs = clock.steadyNow();
    switch (outcome.kind) {
      case "granted":
        keep(outcome.grant, nowMs);
        return noEffect;
      case "throttled":
        throttles += 1;
        pausedUntilMs = nowMs + pauseAfterRefusalMs(throttles, outcome.retryAfterMs, clock.random());
        return noEffect;
      case "unavailable":
        return retryLater(outcome.error, sent);
      case "unreadable":
        // A broken response says nothing about the credentials. A wrong address would always respond like this.
        return outcome.error.code === "bad-answer" ? retryLater(outcome.error, sent) : refused(outcome.error);
      case "credentials-refused":
        return refused(outcome.error);
    }
  }

  function retryLater(error: InvError, sent: CallStart): RenewalResult {
    const isOutage = circuit.noteFailure(sent);
    pausedUntilMs = circuit.opensAtMs(0);
    return isOutage && peek() === null ? { ...noEffect, outage: error } : noEffect;
  }

  function refused(error: InvError): RenewalResult {
    token = null;
    return { ...noEffect, fault: error };
  }

  function keep({ accessToken, expiresInSeconds }: TokenGrant, nowMs: number): void {
    if (!wasRefused) maxLifetimeMs *= 2;
    wasRefused = false;
    const lifetimeMs = Math.min(expiresInSeconds * 1_000, maxLifetimeMs);
    token = { text: accessToken, issuedAtMs: nowMs, secondTryAtMs: null };
    // The team's server recognizes people by their previous token. A service must not receive it.
    if (environment.pacedBy === "server") tokenBefore = accessToken;
    endsAtMs = nowMs + lifetimeMs;
    renewAtMs = endsAtMs - Math.min(aheadMs, lifetimeMs / 5);
    throttles = 0;
    circuit.succeeded();
  }

  /**
   * Records that the service refused this token in a call sent at `sentAtMs`. Returns whether the call should be sent again with
   * the same token (`second-try`) or with the next one. A token that was refused as `new` can't have expired.
   */
  function noteRefusal(
    refusedToken: AccessToken,
    sentAtMs: number,
    { hadTokenRefused, secondTries, wasAccepted }: RefusedCall,
  ): "second-try" | "new" | "old" {
    const isNew = isNewToken(refusedToken, sentAtMs);
    const isCurrent = token?.text === refusedToken.text;
    const againAtMs = secondTryAtMs(refusedToken, {
      sentAtMs,
      nowMs: clock.steadyNow(),
      hasWorked: wasAccepted,
    });
    if (isCurrent && againAtMs !== null && secondTries < maxSecondTries) {
      // If several calls left together, the first of them has planned the second try.
      if (token?.secondTryAtMs === null) token = { ...refusedToken, secondTryAtMs: againAtMs };
      return "second-try";
    }
    discard(refusedToken);
    // A single refusal may be a revocation. Two show that tokens expire early.
    const { issuedAtMs } = refusedToken;
    if (hadTokenRefused && !isNew) maxLifetimeMs = Math.min(maxLifetimeMs, (sentAtMs - issuedAtMs) / 2);
    return isNew ? "new" : "old";
  }

  /** Requests another token as soon as a call needs one. */
  function discard(refusedToken: AccessToken): void {
    if (token?.text === refusedToken.text) token = null;
    wasRefused = true;
  }

  return {
    peek,
    renewIfDue,
    isDoubtful: circuit.isDoubtful,
    /** Returns when there may be a token for calls; Infinity if the request in flight must end first. */
    opensAtMs(): number {
      const againAtMs = token?.secondTryAtMs ?? 0;
      if (againAtMs > clock.steadyNow()) return againAtMs;
      return inFlight === null ? pausedUntilMs : Infinity;
    },
    noteRefusal,
    discard,
    use(next: Credentials): void {
      credentials = next;
      token = null;
      // The renewal in flight uses the old credentials.
      inFlight?.abort();
      inFlight = null;
    },
    /** Forgets past failures, because a person wants to try again. */
    reset(): void {
      circuit.reset();
      pausedUntilMs = 0;
    },
    close(): void {
      isClosed = true;
      inFlight?.abort();
    },
  };
}
