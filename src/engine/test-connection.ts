/**
 * The test of a connection that a person has just entered. It requests a new token and one item. The service needn't know the item:
 * "no data" is an answer, too. Each request is sent once, so that the person learns at once what is wrong. Only a refused token gets
 * a second try, because the data host may learn late of a new one.
 */
import { isFailure } from "../api/outcomes";
import { buildSearchRequest, readSearchResponse, type SearchQuery } from "../api/search-items";
import { buildTokenRequest, readTokenResponse } from "../api/token";
import type { Transport } from "../api/transport";
import { consumerIdOf, type Credentials, secretOf } from "../domain/environment";
import { type Clock, pause } from "./clock";
import { beginAttempt, type AttemptCodec } from "./scheduler/attempt";
import { secondTryAfterMs } from "../domain/token-retry";
import type { Connection } from "./types";

const maxBytes = 100_000;

export const anyItem = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" } as const;

/** Resolves if values can be read with this connection. Rejects with the InvError that says what is wrong. */
export async function testConnection(
  { environment, credentials }: Connection & { readonly credentials: Credentials },
  options: { readonly clock: Clock; readonly transport: Transport; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, transport, signal } = options;
  const secretNow = (): string => secretOf(credentials);

  function send<Outcome>(codec: AttemptCodec<Outcome>) {
    const attempt = beginAttempt({ clock, transport, secretNow }, codec);
    signal.addEventListener("abort", attempt.abort);
    return attempt.outcome;
  }

  const token = await send({
    build: (ended) => buildTokenRequest(environment, credentials, { signal: ended }),
    receive: (response, secrets) => readTokenResponse(response, { maxBytes, secrets }),
  });
  if (token.kind !== "granted") throw token.error;
  const query: SearchQuery = { ...anyItem, values: [anyItem.value] };
  const lookUp = () =>
    send({
      build: (ended) =>
        buildSearchRequest(environment, query, {
          consumerId: consumerIdOf(credentials),
          accessToken: token.grant.accessToken,
          signal: ended,
          teamServerTerms: environment.pacedBy === "server" ? { isEdit: true, maxAgeMs: 0 } : null,
        }),
      receive: (response, secrets) => readSearchResponse(response, query, { maxBytes, secrets }),
    });
  let outcome = await lookUp();
  if (outcome.kind === "token-refused") {
    await pause(clock, secondTryAfterMs);
    if (!signal.aborted) outcome = await lookUp();
  }
  if (isFailure(outcome)) throw outcome.error;
}
