/**
 * What a token exchange says about its token's owner, read so strictly that the service cannot have understood
 * another consumer than we did: three fields, each once, spelled as a form is, and no credentials elsewhere.
 * Anything unusual teaches nothing; the exchange itself is passed on all the same.
 */
import { z } from "zod";

export interface TokenExchange {
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  readonly requestBody: string;
  readonly status: number;
  readonly answerBody: string;
}

/** Documented at the token endpoint; its answer need not say it. */
const documentedLifetimeSeconds = 900;

const answerSchema = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(documentedLifetimeSeconds),
});

export function readTokenGrant(
  exchange: TokenExchange,
): { readonly token: string; readonly consumerId: string; readonly lifetimeMs: number } | null {
  if (exchange.status !== 200) return null;
  const consumerId = readConsumerId(exchange);
  const answer = answerSchema.safeParse(parsed(exchange.answerBody));
  if (consumerId === null || !answer.success) return null;
  const lifetimeMs = Math.min(answer.data.expires_in, documentedLifetimeSeconds) * 1_000;
  return { token: answer.data.access_token, consumerId, lifetimeMs };
}

function readConsumerId({ requestHeaders, requestBody }: TokenExchange): string | null {
  // Credentials in a header might name another consumer than the form does.
  if (requestHeaders.authorization !== undefined) return null;
  if (!isForm(requestHeaders["content-type"] ?? "")) return null;
  const form = new URLSearchParams(requestBody);
  const names = [...form.keys()].sort().join(" ");
  // Read back, it must be the same text: other readers may part a form at other characters than we do.
  if (names !== "client_id client_secret grant_type" || form.toString() !== requestBody) return null;
  const consumerId = form.get("client_id") ?? "";
  return form.get("grant_type") === "client_credentials" && consumerId !== "" ? consumerId : null;
}

function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(contentType);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
