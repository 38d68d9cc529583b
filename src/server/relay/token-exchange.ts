/**
 * Exchanges a client ID and secret for a token of the service. The relay writes the form from the fields that it
 * has parsed, so the service can't read another consumer in it. The add-in's own parser (`readTokenResponse`)
 * decides which answers grant a token.
 */
import type { TokenOutcome } from "../../api/outcomes";
import { readTokenResponse } from "../../api/token";
import type { RelayedAnswer } from "../answer";
import { type PageRequest, readForm, type RelayTarget } from "./page-request";
import { sendCall } from "./send-call";

export interface TokenForm {
  readonly consumerId: string;
  readonly clientSecret: string;
}

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
    outcome: await readTokenResponse(new Response(text, { status }), {
      maxBytes: maxAnswerBytes,
      secrets: [form.clientSecret],
    }),
  };
}

/** Returns whether a token response means that the credentials are wrong. */
export function refusesCredentials({ status }: RelayedAnswer): boolean {
  return [400, 401, 403].includes(status);
}

function writeTokenForm({ consumerId, clientSecret }: TokenForm): Buffer {
  const fields = { grant_type: "client_credentials", client_id: consumerId, client_secret: clientSecret };
  return Buffer.from(new URLSearchParams(fields).toString());
}

/** Allows only characters that are valid in a header, because data calls send the ID in one. */
const consumerPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/** Returns null unless the request has exactly the three fields, each once. */
export function readTokenForm(request: PageRequest): TokenForm | null {
  const form = readForm(request);
  if (form === null) return null;
  if ([...form.keys()].sort().join(" ") !== "client_id client_secret grant_type") return null;
  if (form.get("grant_type") !== "client_credentials") return null;
  const consumerId = (form.get("client_id") ?? "").trim();
  return consumerPattern.test(consumerId)
    ? { consumerId, clientSecret: form.get("client_secret") ?? "" }
    : null;
}
