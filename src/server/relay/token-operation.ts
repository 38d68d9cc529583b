/**
 * The token operation: the exchange goes on to the service, its token stays here, and the page gets one of the
 * relay's own with the same life. Where the server holds the credentials, a session is given in the secret's place.
 * Invariant: no answer holds the service's token.
 */
import { randomBytes } from "node:crypto";
import type { TokenOutcome } from "../../api/outcomes";
import { jsonAnswer, type RelayedAnswer, refusal } from "../answer";
import { digestOf, newPerson } from "../digest";
import { awayRefusal } from "./own-refusals";
import type { PageRequest } from "./page-request";
import type { Holder, PageTokens } from "./page-tokens";
import { createSessionOperation } from "./session-operation";
import { exchangeToken, refusesCredentials } from "./token-exchange";
import { readTokenForm, type TokenForm } from "./token-form";
import type { TokenRefusals } from "./token-refusals";

export interface TokenOperationOptions {
  readonly tokens: PageTokens;
  readonly refusals: TokenRefusals;
  readonly maxAnswerBytes: number;
}

/** Longer than a page keeps a token that takes one for every call, and much less than the minute that turns look back on. */
const newcomerMs = 20_000;
/** Documented at the token endpoint; its answer need not say it. */
const documentedLifetimeSeconds = 900;

export function createTokenOperation(
  options: TokenOperationOptions,
): (request: PageRequest) => Promise<RelayedAnswer> {
  const { tokens, refusals, maxAnswerBytes } = options;
  const openBySession = createSessionOperation(tokens);

  async function exchange(request: PageRequest, form: TokenForm): Promise<RelayedAnswer> {
    const { target, signal } = request;
    // Some services take an ID in any letter case: that makes no new one to guess at.
    const id = `${target.tokenUrl} ${form.consumerId.toLowerCase()}`;
    const admission = await refusals.admit({ address: request.address(), id });
    if (admission.kind === "refused") {
      return refusal(429, "Too many refused token requests from here.", admission.waitSeconds);
    }
    if (admission.kind === "away") return awayRefusal();
    const { answer, outcome } = await exchangeToken({ target, form, signal, maxAnswerBytes });
    admission.settle(refusesCredentials(answer));
    if (outcome === null) return answer;
    return outcome.kind === "granted" ? grant(request, form, outcome) : unreadable(answer, outcome);
  }

  async function grant(
    request: PageRequest,
    { consumerId }: TokenForm,
    { grant: { accessToken, expiresInSeconds } }: Extract<TokenOutcome, { kind: "granted" }>,
  ): Promise<RelayedAnswer> {
    const environment = request.target.id;
    const lifetimeSeconds = expiresInSeconds ?? documentedLifetimeSeconds;
    const lifetimeMs = lifetimeSeconds * 1_000;
    const before = await holderBefore(request);
    const holder = before?.consumerId === consumerId ? before : newHolder(request, consumerId);
    const token = randomBytes(32).toString("base64url");
    const kept = await tokens.keep(environment, token, {
      ...holder,
      serviceToken: accessToken,
      isBySession: false,
      lifetimeMs,
    });
    if (kept === "away") return awayRefusal();
    const fields = { access_token: token, token_type: "Bearer", expires_in: lifetimeSeconds };
    return jsonAnswer(200, fields);
  }

  async function holderBefore(request: PageRequest): Promise<Holder | null> {
    const token = request.header("inv-renews");
    if (token === undefined) return null;
    const found = await tokens.find(request.target.id, token);
    return found.kind === "known" || found.kind === "ended" ? found.holder : null;
  }

  return async (request) => {
    const { held } = request.target;
    if (held !== undefined) return openBySession(request, held);
    const form = readTokenForm(request);
    return form === null
      ? refusal(400, "Expected a form with grant_type, client_id and client_secret, each once.")
      : exchange(request, form);
  };
}

/** Whoever takes a token for every call stays a newcomer: new tokens buy no new turns. */
function newHolder(request: PageRequest, consumerId: string): Holder {
  const name = digestOf([request.target.id, request.address(), consumerId].join("\n"));
  return { consumerId, person: newPerson(), newcomer: { name, forMs: newcomerMs } };
}

/** A page that stands where the token service should is told as it is; anything else might hold a token in some way. */
function unreadable(
  answer: RelayedAnswer,
  outcome: Exclude<TokenOutcome, { kind: "granted" }>,
): RelayedAnswer {
  return outcome.error.code === "wrong-address" ? answer : jsonAnswer(answer.status, {});
}
