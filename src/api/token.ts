/**
 * The token operation: the OAuth 2.0 client-credentials exchange, or the exchange of a sign-in session at a team's server that
 * has the credentials. Only this module sends credentials or sessions, in the form body and never in an address or a header. It
 * shows the user only OAuth's error codes, because other text of the token service might repeat the secret.
 */
import { readReply, unreadable } from "./body";
import { type ErrorFacts, InvError } from "../domain/errors";
import { type Credentials, type Environment, isSession } from "../domain/environment";
import {
  type ReadOptions,
  isSignedOut,
  refusesServerCredentials,
  renewalHeaders,
  buildRequest,
} from "./headers";
import { factsOf, serverCredentialsRefused, readPlainFailure, type ErrorResponse } from "./failures";
import type { TokenOutcome } from "./outcomes";
import * as z from "../domain/zod";

export const tokenFormSchema = z.object({
  grant_type: z.literal("client_credentials"),
  client_id: z.string(),
  client_secret: z.string(),
});

/** A response may omit the lifetime, which the token endpoint documents. */
const documentedLifetimeSeconds = 900;
/** No time in milliseconds may exceed what Redis and JSON can carry. */
const longestLifetimeSeconds = 86_400;

const expiresInSchema = z.union([z.number(), z.string().check(z.regex(/^\d+$/))]);

const tokenResponseSchema = z.looseObject({
  /** Only characters that a header can contain. */
  access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  /** Not documented, but the name in OAuth. Anything but a number of seconds counts as absent. */
  expires_in: z.catch(z.optional(expiresInSchema), undefined),
});

export function buildTokenRequest(
  environment: Environment,
  credentials: Credentials,
  options: { readonly signal?: AbortSignal; readonly tokenBefore?: string | null } = {},
): Request {
  const form: Record<string, string> = isSession(credentials)
    ? { grant_type: "session", session: credentials.session }
    : ({
        grant_type: "client_credentials",
        client_id: credentials.consumerId,
        client_secret: credentials.clientSecret,
      } satisfies z.infer<typeof tokenFormSchema>);
  return buildRequest(environment.tokenUrl, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...renewalHeaders(options.tokenBefore ?? null),
    },
    body: new URLSearchParams(form).toString(),
    signal: options.signal,
  });
}

/** Reads a token response. Never throws. 400, 401 and 403 mean that the credentials were refused, in any shape. */
export async function readTokenResponse(response: Response, options: ReadOptions): Promise<TokenOutcome> {
  const reply = await readReply(response, "token", options);
  if (reply.kind === "json") return readGrant(reply.value, factsOf({ response }));
  if (reply.kind !== "error-response") return reply;
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    return { kind: "credentials-refused", error: credentialsRefused(reply) };
  }
  return readPlainFailure(reply);
}

/** The error of every request until the person signs in. */
export function signedOut(facts: ErrorFacts = {}): InvError {
  return new InvError("signed-out", "You are signed out. To refresh, sign in again in the INV pane.", facts);
}

function readGrant(value: unknown, facts: ErrorFacts): TokenOutcome {
  const token = tokenResponseSchema.safeParse(value);
  if (!token.success) return unreadable("The response doesn't contain an access token.", facts);
  const seconds = Number(token.data.expires_in ?? 0);
  return {
    kind: "granted",
    grant: {
      accessToken: token.data.access_token,
      expiresInSeconds: seconds > 0 ? Math.min(seconds, longestLifetimeSeconds) : documentedLifetimeSeconds,
    },
  };
}

function credentialsRefused(errorResponse: ErrorResponse): InvError {
  const { body, response } = errorResponse;
  if (isSignedOut(response.headers)) return signedOut(factsOf(errorResponse));
  if (refusesServerCredentials(response.headers)) return serverCredentialsRefused(errorResponse);
  const reason = body.shape === "oauth" ? body.oauthError : String(response.status);
  const message = `The consumer ID or client secret was refused (${reason}). Check both in the pane; each environment has its own.`;
  return new InvError("credentials-refused", message, factsOf(errorResponse));
}
