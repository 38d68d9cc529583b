/**
 * The two data operations: search and events. A page calls them with one of the relay's tokens. The relay
 * sends the service's token instead, as the consumer that the page's token was issued to. This module writes
 * all outgoing headers and copies none from the page, because colleagues share the answer.
 */
import { withoutSecrets } from "../../api/body";
import { readErrorBody } from "../../api/error-body";
import { retriedForMs } from "../../domain/token-retry";
import type { Company } from "../shared-quota/company";
import { readTeamServerTerms } from "../shared-quota/headers";
import type { RelayedAnswer } from "../answer";
import type { OutgoingCall } from "./outgoing";
import type { ServerCredentials, ServiceToken } from "./server-credentials";
import { awayRefusal, otherConsumer, refusedCredentials, unknownToken } from "./own-refusals";
import { bearerOf, type PageRequest } from "./page-request";
import type { Holder, PageTokens } from "./page-tokens";
import { sendCall } from "./send-call";

export interface DataOperationsOptions {
  readonly tokens: PageTokens;
  readonly company: Company;
  readonly maxAnswerBytes: number;
}

/** Two tries with each of two tokens show that the credentials are wrong. */
const mostRepeats = 3;

/** Resolves to null if the page has closed the request. */
type DataOperation = (request: PageRequest) => Promise<RelayedAnswer | null>;

export function createDataOperations(
  options: DataOperationsOptions,
): Readonly<Record<"search" | "events", DataOperation>> {
  const { tokens, company, maxAnswerBytes } = options;

  async function relay(operation: "search" | "events", request: PageRequest): Promise<RelayedAnswer | null> {
    const token = bearerOf(request);
    if (token === null) return unknownToken();
    const found = await tokens.find(request.target.id, token);
    if (found.kind === "away") return awayRefusal();
    if (found.kind !== "known") return unknownToken();
    const { holder } = found;
    const named = request.header("wm_consumer.id");
    if (named !== undefined && named !== holder.consumerId) return otherConsumer();
    const { serverCredentials } = request.target;
    // Check the credentials first, so that a refused call doesn't use the quota.
    if ((await serverCredentials?.token())?.kind === "refused") return refusedCredentials();
    const { isEdit, maxAgeMs } = readTeamServerTerms(request);
    return company[operation]({
      environment: request.target.id,
      address: request.target[`${operation}Url`].href,
      consumerId: holder.consumerId,
      asker: { person: holder.person, isEdit },
      maxAgeMs,
      body: request.body,
      signal: request.signal,
      send(body, { signal, earlierTries }) {
        const sending = { operation, request, outgoing: { ...found, body, signal, maxAnswerBytes } };
        return serverCredentials === undefined
          ? sendWithPageToken(sending, { token, ageMs: found.ageMs })
          : sendWithServerToken(sending, serverCredentials, earlierTries);
      },
    });
  }

  /** Sends with the service token that was issued for the page's own. */
  async function sendWithPageToken(
    { operation, request, outgoing }: Sending,
    { token, ageMs }: { readonly token: string; readonly ageMs: number },
  ): Promise<RelayedAnswer> {
    const answer = await sendCall(request.target, callOf(operation, request, outgoing));
    // The page tries a new token once more, because the service's data host may learn of it late.
    const isTriedAgain = refusesToken(answer) && ageMs <= retriedForMs;
    // The page's next request fails with 401, and the page then requests a new token.
    if (!isTriedAgain && (answer.status === 401 || answer.status === 403)) {
      await tokens.end(request.target.id, token);
    }
    return withoutToken(answer, outgoing.serviceToken);
  }

  return {
    search: (request) => relay("search", request),
    events: (request) => relay("events", request),
  };
}

/**
 * Sends with the service token that all pages share. If the service refuses the token, the server tries a
 * new one once more or renews it, and every refused call is sent again.
 */
async function sendWithServerToken(
  { operation, request, outgoing }: Sending,
  credentials: ServerCredentials,
  earlierTries: number,
): Promise<RelayedAnswer | "again"> {
  const service = await credentials.token();
  if (service.kind !== "valid") return refusalOf(service);
  const { serviceToken } = service;
  const call = callOf(operation, request, { ...outgoing, serviceToken });
  const answer = await sendCall(request.target, call);
  if (!refusesToken(answer)) {
    credentials.worked(serviceToken);
    return withoutToken(answer, serviceToken);
  }
  credentials.refused(serviceToken);
  if (earlierTries >= mostRepeats) return refusedCredentials();
  // Without a new token, a second call would only waste the quota.
  const next = await credentials.token();
  return next.kind === "valid" ? "again" : refusalOf(next);
}

/** A 401 in the service's problem format concerns the consumer, not the token. */
function refusesToken({ status, body }: RelayedAnswer): boolean {
  return status === 401 && readErrorBody(body.toString()).shape !== "problem";
}

function refusalOf(token: Exclude<ServiceToken, { kind: "valid" }>): RelayedAnswer {
  return token.kind === "away" ? token.answer : refusedCredentials();
}

/** A page's request, as it leaves. */
interface Sending {
  readonly operation: "search" | "events";
  readonly request: PageRequest;
  readonly outgoing: Outgoing;
}

interface Outgoing {
  readonly holder: Holder;
  readonly serviceToken: string;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
}

function callOf(
  operation: "search" | "events",
  { target, query }: PageRequest,
  { holder, serviceToken, body, signal, maxAnswerBytes }: Outgoing,
): OutgoingCall {
  const headers = {
    accept: "application/json",
    authorization: target.authorization === "bare" ? serviceToken : `Bearer ${serviceToken}`,
    "wm_consumer.id": holder.consumerId,
  };
  if (operation === "events") {
    const url = new URL(target.eventsUrl.href + query);
    return { url, method: "GET", headers, body: null, signal, maxAnswerBytes };
  }
  const withType = { ...headers, "content-type": "application/json" };
  return { url: target.searchUrl, method: "POST", headers: withType, body, signal, maxAnswerBytes };
}

/**
 * Removes the service's token from answers to pages. The service, or a gateway in front of it, may repeat the
 * token in any text. Pages can remove only the secrets that they know.
 */
function withoutToken(answer: RelayedAnswer, serviceToken: string): RelayedAnswer {
  // Only a backslash can spell the token differently. Nearly all answers contain neither, so they aren't
  // decoded.
  if (!answer.body.includes(serviceToken) && !answer.body.includes("\\")) return answer;
  // Latin-1 preserves all bytes, and a token is ASCII.
  const text = answer.body.toString("latin1");
  const clean = withoutSecrets(text, [serviceToken]);
  return clean === text ? answer : { ...answer, body: Buffer.from(clean, "latin1") };
}
