/**
 * The token operation. The server keeps the service's token, and the page gets one of the relay's own with
 * the same lifetime. If the server has the credentials, the page sends a session instead of a secret, and its
 * token ends with the session.
 * Invariant: no answer contains the service's token.
 */
import type { TokenOutcome } from "../../api/outcomes";
import { jsonAnswer, type RelayedAnswer, refusal } from "../answer";
import { digestOf, newPerson, unguessable } from "../digest";
import type { ServerCredentials } from "./server-credentials";
import { awayRefusal, refusedCredentials, sessionEnded } from "./own-refusals";
import { type PageRequest, readForm } from "./page-request";
import type { Holder, PageGrant, PageTokens } from "./page-tokens";
import { exchangeToken, readTokenForm, refusesCredentials, type TokenForm } from "./token-exchange";
import type { TokenRefusals } from "./token-refusals";

export interface TokenOperationOptions {
  readonly tokens: PageTokens;
  readonly refusals: TokenRefusals;
  readonly maxAnswerBytes: number;
}

/** The session is checked again each time that a page renews its token. */
const sessionTokenSeconds = 900;

export function createTokenOperation(
  options: TokenOperationOptions,
): (request: PageRequest) => Promise<RelayedAnswer> {
  const { tokens, refusals, maxAnswerBytes } = options;
  async function requestServiceToken(request: PageRequest, form: TokenForm): Promise<RelayedAnswer> {
    const { target, signal } = request;
    // Some services accept a client ID in any letter case.
    const id = `${target.tokenUrl} ${form.consumerId.toLowerCase()}`;
    const admission = await refusals.admit({ address: request.address(), id });
    if (admission.kind === "refused") {
      return refusal(
        429,
        "Too many refused token requests from this address. Wait, then check the client secret.",
        admission.waitSeconds,
      );
    }
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
    const before = await tokenBefore(request);
    const isSame = before?.holder.consumerId === consumerId;
    const group = digestOf([request.target.id, request.address(), consumerId].join("\n"));
    const holder = isSame ? before.holder : { consumerId, person: newPerson() };
    const replaces = isSame ? before.token : null;
    const granted = { ...holder, serviceToken: accessToken, isBySession: false, group, replaces };
    return issue(request.target.id, granted, expiresInSeconds);
  }

  async function openBySession(
    request: PageRequest,
    serverCredentials: ServerCredentials,
  ): Promise<RelayedAnswer> {
    const text = readSession(request);
    if (text === null) {
      return refusal(400, "The request must be a form with grant_type and session, each once.");
    }
    const admitted = await serverCredentials.admit(text);
    if (admitted.kind === "away") return awayRefusal();
    if (admitted.kind === "out") return sessionEnded();
    const service = await serverCredentials.token();
    if (service.kind === "refused") return refusedCredentials();
    if (service.kind === "away") return service.answer;
    const { person } = admitted.session;
    const before = await tokenBefore(request);
    const granted = {
      consumerId: serverCredentials.consumerId,
      person,
      group: person,
      replaces: before?.holder.person === person ? before.token : null,
      // `serverCredentials` keeps the service's token, and renews it for all pages.
      serviceToken: "",
      isBySession: true,
    };
    const secondsLeft = Math.max(1, Math.floor(admitted.session.endsInMs / 1_000));
    return issue(request.target.id, granted, Math.min(sessionTokenSeconds, secondsLeft));
  }

  async function issue(
    environment: string,
    granted: Omit<PageGrant, "lifetimeMs">,
    seconds: number,
  ): Promise<RelayedAnswer> {
    const token = unguessable();
    const kept = await tokens.keep(environment, token, { ...granted, lifetimeMs: seconds * 1_000 });
    if (kept === "away") return awayRefusal();
    return jsonAnswer(200, { access_token: token, token_type: "Bearer", expires_in: seconds });
  }

  async function tokenBefore(
    request: PageRequest,
  ): Promise<{ readonly token: string; readonly holder: Holder } | null> {
    const token = request.header("inv-renews");
    if (token === undefined) return null;
    const found = await tokens.find(request.target.id, token);
    return found.kind === "known" || found.kind === "ended" ? { token, holder: found.holder } : null;
  }

  return async (request) => {
    const { serverCredentials } = request.target;
    if (serverCredentials !== undefined) return openBySession(request, serverCredentials);
    const form = readTokenForm(request);
    return form === null
      ? refusal(400, "The request must be a form with grant_type, client_id and client_secret, each once.")
      : requestServiceToken(request, form);
  };
}

function readSession(request: PageRequest): string | null {
  const form = readForm(request);
  if (form === null || [...form.keys()].sort().join(" ") !== "grant_type session") return null;
  return form.get("grant_type") === "session" ? form.get("session") : null;
}

/**
 * Returns the answer only if it is a web page, which shows that the address is wrong. Any other body might
 * contain a token, so it is removed.
 */
function unreadable(
  answer: RelayedAnswer,
  outcome: Exclude<TokenOutcome, { kind: "granted" }>,
): RelayedAnswer {
  if (outcome.error.code === "wrong-address") return answer;
  return { ...jsonAnswer(answer.status, {}), failure: { by: "service", code: "unreadable" } };
}
