/**
 * The access token of one connection. INV fetches it when the first call needs it. It renews the token before it expires, and uses
 * the old one meanwhile. When the service refuses a token, INV renews it at once. A call reads the token when it leaves.
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
import { type Attempt, beginAttempt } from "./attempt";
import { createCircuit } from "./circuit";
import { pauseAfterRefusalMs } from "../../domain/pacing";

export type TokenKeeper = ReturnType<typeof createTokenKeeper>;

export interface AccessToken {
  readonly text: string;
  readonly issuedAtMs: number;
}

/** When a token request was sent, and how many failures the circuit breaker had counted by then. */
interface AttemptStart {
  readonly failuresBefore: number;
  readonly atMs: number;
}

/** If a token was no older than this when its call left, it can't have expired. */
const newForMs = 1_000;
/** INV renews a token this long before it expires, or a fifth of its lifetime before if that is shorter. */
const aheadMs = 60_000;

export function createTokenKeeper(
  options: Pick<ConnectionContext, "clock" | "transport" | "environment" | "credentials" | "maxBytes"> & {
    /** Called when a token is available, or when another attempt is due later. */
    readonly onChange: () => void;
    /** Called when the credentials were refused or the address is wrong: nothing can be sent until they change. */
    readonly onFault: (error: InvError) => void;
    readonly onOutage: (error: InvError) => void;
  },
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
  let renewal: { readonly attempt: Attempt<TokenOutcome>; readonly done: Promise<TokenOutcome> } | null =
    null;
  let isClosed = false;

  function peek(): AccessToken | null {
    return clock.steadyNow() < endsAtMs ? token : null;
  }

  function renewIfDue(): void {
    const nowMs = clock.steadyNow();
    const isDue = peek() === null || nowMs >= renewAtMs;
    if (isDue && renewal === null && nowMs >= pausedUntilMs && !isClosed) void renew();
  }

  /** Requests a new token now, or joins the request in flight. */
  function renew(): Promise<TokenOutcome> {
    if (renewal !== null) return renewal.done;
    const sent: AttemptStart = { failuresBefore: circuit.failuresEver(), atMs: clock.steadyNow() };
    const attempt = beginAttempt<TokenOutcome>(options, {
      build: (signal) => buildTokenRequest(environment, credentials, { signal, tokenBefore }),
      receive: (response) => readTokenResponse(response, { maxBytes: options.maxBytes }),
    });
    const done = attempt.outcome.then((outcome) => {
      // The credentials have changed since this request was sent.
      if (renewal?.attempt !== attempt) return outcome;
      renewal = null;
      if (!isClosed) receive(outcome, sent);
      return outcome;
    });
    renewal = { attempt, done };
    return done;
  }

  function receive(outcome: TokenOutcome, sent: AttemptStart): void {
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
        // A broken response says nothing about the credentials. A wrong address would always respond like this.
        if (outcome.error.code === "bad-answer") retryLater(outcome.error, sent);
        else raiseFault(outcome.error);
        break;
      case "credentials-refused":
        raiseFault(outcome.error);
    }
    options.onChange();
  }

  function retryLater(error: InvError, { failuresBefore, atMs }: AttemptStart): void {
    const isOutage = circuit.noteFailure(failuresBefore, atMs);
    pausedUntilMs = circuit.opensAtMs(0);
    if (isOutage && peek() === null) options.onOutage(error);
  }

  function raiseFault(error: InvError): void {
    token = null;
    options.onFault(error);
  }

  function keep({ accessToken, expiresInSeconds }: TokenGrant, nowMs: number): void {
    if (!wasRefused) maxLifetimeMs *= 2;
    wasRefused = false;
    const lifetimeMs = Math.min(expiresInSeconds * 1_000, maxLifetimeMs);
    token = { text: accessToken, issuedAtMs: nowMs };
    // The team's server recognises people by their previous token. A service must not receive it.
    if (environment.pacedBy === "server") tokenBefore = accessToken;
    endsAtMs = nowMs + lifetimeMs;
    renewAtMs = endsAtMs - Math.min(aheadMs, lifetimeMs / 5);
    throttles = 0;
    circuit.succeeded();
  }

  /**
   * Records that the service refused this token in a call sent at `sentAtMs`. Returns whether the token was too new to have
   * expired.
   * @param again whether the service also refused an earlier token of the same call
   */
  function noteRefusal(refusedToken: AccessToken, sentAtMs: number, again: boolean): boolean {
    if (token?.text === refusedToken.text) token = null;
    wasRefused = true;
    const ageMs = sentAtMs - refusedToken.issuedAtMs;
    // A single refusal may be a revocation. Two show that tokens expire early.
    if (again && ageMs > newForMs) maxLifetimeMs = Math.min(maxLifetimeMs, ageMs / 2);
    return ageMs <= newForMs;
  }

  return {
    peek,
    renewIfDue,
    isDoubtful: circuit.isDoubtful,
    opensAtMs: () => (renewal === null ? pausedUntilMs : Infinity),
    noteRefusal,
    renew,
    use(next: Credentials): void {
      credentials = next;
      token = null;
      // The renewal in flight uses the old credentials.
      renewal?.attempt.abort();
      renewal = null;
    },
    /** Forgets past failures, because a person wants to try again. */
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
