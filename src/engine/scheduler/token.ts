/**
 * The access token of one connection: fetched when first needed, renewed ahead of its end while the old
 * one is still used, and renewed at once when the service refuses it. Callers read it when their call
 * leaves; what a refused credential means for waiting cells is left to them. A token refused some time after
 * it was issued may have lived shorter than was said (a relay's clock, a gateway's own limit): then
 * tokens are taken to live half as long as that one was old, and so each is soon known for good or bad; each that was
 * good to its end lets the next live twice as long again.
 * Invariant: at most one token request is under way, however many calls want one.
 */
import type { TokenGrant, TokenOutcome } from "../../api/outcomes";
import { buildTokenRequest, readTokenResponse } from "../../api/token";
import type { Credentials } from "../../domain/environment";
import type { InvError } from "../../domain/errors";
import type { ConnectionContext } from "../connection-context";
import { type Attempt, beginAttempt, createCircuit } from "./attempt";
import { pauseAfterRefusalMs } from "../../domain/pacing";

export type TokenKeeper = ReturnType<typeof createTokenKeeper>;

export interface TokenOptions extends Pick<
  ConnectionContext,
  "clock" | "transport" | "environment" | "credentials" | "maxBytes"
> {
  /** There is a token now, or another try is due later. */
  readonly onChange: () => void;
  /** The credentials were refused, or the address is none: nothing can be sent until they change. */
  readonly onFault: (error: InvError) => void;
  /** No token could be had in several tries. */
  readonly onOutage: (error: InvError) => void;
}

/** How a token request stood when it was sent. */
interface Sent {
  readonly round: number;
  readonly atMs: number;
}

/** Documented at the token endpoint; its answer need not say it. */
const documentedLifetimeMs = 900_000;
/** A token no older than this when its call left has not come to its end. */
const newForMs = 1_000;
const tokensKept = 8;
/** Renewed this long before its end, or a fifth of its life when that is shorter. */
const aheadMs = 60_000;

export function createTokenKeeper(options: TokenOptions) {
  const { clock, environment } = options;
  let { credentials } = options;
  const circuit = createCircuit(clock);
  let token: string | null = null;
  /** The last one that was issued, whatever has become of it. */
  let tokenBefore: string | null = null;
  /** The latest ones, with the time of their issue: calls under way may still carry one before the present. */
  const issued = new Map<string, number>();
  let longestLifeMs = Infinity;
  /** A token was refused since the latest was issued. */
  let wasRefused = false;
  let renewAtMs = 0;
  let endsAtMs = 0;
  let pausedUntilMs = 0;
  let throttles = 0;
  let renewal: { readonly attempt: Attempt<TokenOutcome>; readonly done: Promise<TokenOutcome> } | null =
    null;
  let isClosed = false;

  /** A token that may be used now, or null. */
  function peek(): string | null {
    return clock.steadyNow() < endsAtMs ? token : null;
  }

  /** Begins a renewal where one is due and none is under way. */
  function renewIfDue(): void {
    const nowMs = clock.steadyNow();
    const isDue = peek() === null || nowMs >= renewAtMs;
    if (isDue && renewal === null && nowMs >= pausedUntilMs && !isClosed) void renew();
  }

  /** Gets a new token now and says how it went. */
  function renew(): Promise<TokenOutcome> {
    if (renewal !== null) return renewal.done;
    const sent: Sent = { round: circuit.round(), atMs: clock.steadyNow() };
    const attempt = beginAttempt<TokenOutcome>(options, {
      build: (signal) => buildTokenRequest(environment, credentials, { signal, tokenBefore }),
      receive: (response) => readTokenResponse(response, { maxBytes: options.maxBytes }),
    });
    const done = attempt.outcome.then((outcome) => {
      // Asked for with credentials that were changed meanwhile.
      if (renewal?.attempt !== attempt) return outcome;
      renewal = null;
      if (!isClosed) take(outcome, sent);
      return outcome;
    });
    renewal = { attempt, done };
    return done;
  }

  function take(outcome: TokenOutcome, sent: Sent): void {
    const nowMs = clock.steadyNow();
    switch (outcome.kind) {
      case "granted":
        keep(outcome.grant, nowMs);
        break;
      case "throttled":
        throttles += 1;
        pausedUntilMs = nowMs + pauseAfterRefusalMs(throttles, outcome.retryAfterMs, clock.random());
        break;
      case "unavailable":
        retryLater(outcome.error, sent);
        break;
      case "unreadable":
        // A broken answer says nothing about the credentials; another address would say the same for ever.
        if (outcome.error.code === "bad-answer") retryLater(outcome.error, sent);
        else raise(outcome.error);
        break;
      case "credentials-refused":
        raise(outcome.error);
    }
    options.onChange();
  }

  function retryLater(error: InvError, { round, atMs }: Sent): void {
    const isOutage = circuit.failed(round, atMs);
    pausedUntilMs = circuit.opensAtMs(0);
    if (isOutage && peek() === null) options.onOutage(error);
  }

  function raise(error: InvError): void {
    token = null;
    options.onFault(error);
  }

  function keep({ accessToken, expiresInSeconds }: TokenGrant, nowMs: number): void {
    const saidMs = expiresInSeconds === null ? documentedLifetimeMs : expiresInSeconds * 1_000;
    if (!wasRefused) longestLifeMs *= 2;
    wasRefused = false;
    const lifetimeMs = Math.min(saidMs, longestLifeMs);
    token = accessToken;
    // The team's server tells people apart by it; to a service it is nobody's business.
    if (environment.pacedBy === "server") tokenBefore = accessToken;
    issued.delete(accessToken);
    issued.set(accessToken, nowMs);
    const [oldest] = issued.keys();
    if (oldest !== undefined && issued.size > tokensKept) issued.delete(oldest);
    endsAtMs = nowMs + lifetimeMs;
    renewAtMs = endsAtMs - Math.min(aheadMs, lifetimeMs / 5);
    throttles = 0;
    circuit.succeeded();
  }

  /**
   * The service refused this token, in a call sent at that time; `again` when it refused the call's token
   * before. True when the token was new, so that its age cannot be the reason.
   */
  function refused(refusedToken: string, sentAtMs: number, again: boolean): boolean {
    if (token === refusedToken) token = null;
    wasRefused = true;
    const issuedAtMs = issued.get(refusedToken);
    const ageMs = issuedAtMs === undefined ? Infinity : sentAtMs - issuedAtMs;
    // Once may be a revocation; twice is the life of tokens.
    if (again && ageMs > newForMs) longestLifeMs = Math.min(longestLifeMs, ageMs / 2);
    return ageMs <= newForMs;
  }

  return {
    peek,
    renewIfDue,
    isDoubtful: circuit.isDoubtful,
    /** When to ask again, while a failed renewal waits. */
    opensAtMs: () => (renewal === null ? pausedUntilMs : Infinity),
    refused,
    renew,
    /** Goes on with these credentials, and with none of the tokens before. */
    use(next: Credentials): void {
      credentials = next;
      token = null;
      // What is under way asks with those before.
      renewal?.attempt.abort();
      renewal = null;
    },
    /** Forgets past failures, because somebody wants to try again. */
    reset(): void {
      circuit.reset();
      pausedUntilMs = 0;
    },
    close(): void {
      isClosed = true;
      renewal?.attempt.abort();
    },
  };
}
