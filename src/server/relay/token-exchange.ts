/**
 * Exchanges a client ID and secret for a token of the service. The add-in's own parser (`readTokenResponse`)
 * decides which answers grant a token.
 */
import type { TokenOutcome } from "../../api/outcomes";
import { readTokenResponse } from "../../api/token";
import type { RelayedAnswer } from "../answer";
import type { RelayTarget } from "./page-request";
import { sendCall } from "./send-call";
import { type TokenForm, writeTokenForm } from "./token-form";

export interface TokenExchange {
  readonly target: Pick<RelayTarget, "tokenUrl" | "send" | "tokenAsked">;
  readonly form: TokenForm;
  readonly signal: AbortSignal;
  readonly maxAnswerBytes: number;
}

export interface Exchanged {
  /** The service's answer, unchanged. */
  readonly answer: RelayedAnswer;
  readonly outcome: TokenOutcome | null;
}

/** Never rejects. */
export async function exchangeToken({
  target,
  form,
  signal,
  maxAnswerBytes,
}: TokenExchange): Promise<Exchanged> {
  const answer = await sendCall(target, {
    url: target.tokenUrl,
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: writeTokenForm(form),
    signal,
    maxAnswerBytes,
  });
  const { status, body } = answer;
  target.tokenAsked(status);
  if (status < 200 || status > 299) return { answer, outcome: null };
  const text = body.length === 0 ? null : new Uint8Array(body);
  return {
    answer,
    outcome: await readTokenResponse(new Response(text, { status }), { maxBytes: maxAnswerBytes }),
  };
}

/** Returns whether a token response means that the credentials are wrong. */
export function refusesCredentials({ status }: RelayedAnswer): boolean {
  return [400, 401, 403].includes(status);
}
