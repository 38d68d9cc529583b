/**
 * The OpenID Connect provider, through `openid-client`: where a browser is sent, what is made of what it brings back,
 * and whether somebody may still come in. The library checks state, nonce, issuer, audience, times and the signature;
 * what is made of its errors, and who is let in, is said here. It is loaded when the provider is first asked.
 * Invariant: nobody is let in by an answer that the library does not take.
 */
import type {
  Configuration,
  CustomFetch,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from "openid-client";
import { fetch as undiciFetch, type Dispatcher } from "undici";
import type { SteadyClock } from "../shared-quota/clock";
import { digestOf } from "../digest";
import { mayComeIn, mayPublish, signedInAs, type Claims, type SignInSettings } from "./person";
import type { ReadSecret } from "./secret";
import type { SignedIn } from "./sessions";

export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export type Returned =
  | { readonly kind: "in"; readonly signedIn: SignedIn }
  /** The provider knows them; INV's settings do not let them in. */
  | { readonly kind: "not-allowed"; readonly signedIn: SignedIn }
  /** What came back is not what was asked for; or they turned back at the provider. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "away"; readonly reason: string };

export type CheckedAgain =
  | Returned
  /** Refused without a reason, as a gateway does whose provider is in trouble. */
  | { readonly kind: "doubtful"; readonly signedIn: SignedIn };

export interface Provider {
  /** Null when it can be used; else why not, in words. */
  look(): Promise<string | null>;
  /** Where the browser goes; rejects when the provider cannot be asked. */
  addressFor(checks: Checks): Promise<URL>;
  /** `query` as the browser brought it back. Never rejects. */
  returned(query: string, checks: Checks): Promise<Returned>;
  /** Never rejects. */
  again(signedIn: SignedIn): Promise<CheckedAgain>;
}

export interface ProviderOptions {
  readonly settings: SignInSettings;
  readonly readSecret: ReadSecret;
  readonly clock: Pick<SteadyClock, "now">;
  /** The way out of the company, where there is another than Node's own. */
  readonly dispatcher: Dispatcher;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** Providers change their addresses seldom, and their keys are asked for when a signature wants one. */
const knownForMs = 3_600_000;
const timeoutSeconds = 10;
/** So far a provider's clock may be ahead of this server's. */
const mostAheadSeconds = 60;

export function createProvider(options: ProviderOptions): Provider {
  const { settings, readSecret, clock, dispatcher } = options;
  const redirectUri = `${settings.address}/sign-in/back`;
  let known: {
    readonly config: Configuration;
    readonly secretDigest: string;
    readonly untilMs: number;
  } | null = null;

  // undici's own, since Node's knows no dispatcher of another copy.
  const send = ((address: string, init: object) =>
    undiciFetch(address, { ...init, dispatcher })) as unknown as CustomFetch;

  async function configuration(): Promise<Configuration> {
    const secret = await readSecret();
    const secretDigest = digestOf(secret);
    const isKnown = known?.secretDigest === secretDigest && clock.now() < known.untilMs;
    if (known !== null && isKnown) return known.config;
    const client = await import("openid-client");
    const execute = [client.enableNonRepudiationChecks];
    // To this machine alone, says the settings' schema: for trials.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    if (settings.issuer.startsWith("http:")) execute.push(client.allowInsecureRequests);
    const config = await client.discovery(new URL(settings.issuer), settings.clientId, secret, undefined, {
      execute,
      timeout: timeoutSeconds,
      [client.customFetch]: send,
    });
    known = { config, secretDigest, untilMs: clock.now() + knownForMs };
    return config;
  }

  async function claimsOf(config: Configuration, tokens: Tokens, subject: string): Promise<Claims> {
    const claims: Claims = tokens.claims() ?? {};
    // Some providers put into the ID token only what is needed, and tell the rest when they are asked.
    const { userinfo_endpoint: more } = config.serverMetadata();
    const wanted = [settings.allow, settings.templates].flatMap((rule) => rule?.claim ?? []);
    if (settings.verifiedEmail) wanted.push("email_verified");
    if (wanted.every((claim) => claim in claims) || more === undefined) return claims;
    const client = await import("openid-client");
    return { ...(await client.fetchUserInfo(config, tokens.access_token, subject)), ...claims };
  }

  return {
    async look() {
      try {
        await configuration();
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    async addressFor({ state, nonce, codeVerifier }) {
      const config = await configuration();
      const client = await import("openid-client");
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(" "),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
    },
    async returned(query, { state, nonce, codeVerifier }) {
      try {
        const config = await configuration();
        const client = await import("openid-client");
        const tokens = await client.authorizationCodeGrant(config, new URL(redirectUri + query), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined) return { kind: "refused", reason: "There was no ID token." };
        if (idToken.iat > Date.now() / 1_000 + mostAheadSeconds) {
          return { kind: "refused", reason: "The ID token was issued in the future." };
        }
        const claims = await claimsOf(config, tokens, idToken.sub);
        const refreshToken = tokens.refresh_token ?? null;
        const signedIn = signedInAs(idToken.sub, claims, {
          refreshToken,
          mayPublish: mayPublish(claims, settings),
        });
        return {
          kind: mayComeIn(claims, settings.allow, settings.verifiedEmail) ? "in" : "not-allowed",
          signedIn,
        };
      } catch (error) {
        return { kind: isAway(error) ? "away" : "refused", reason: reasonOf(error) };
      }
    },
    async again(signedIn) {
      const { refreshToken, subject } = signedIn;
      if (refreshToken === null) return { kind: "in", signedIn };
      try {
        const config = await configuration();
        const client = await import("openid-client");
        const tokens = await client.refreshTokenGrant(config, refreshToken);
        const idToken = tokens.claims();
        if (idToken !== undefined && idToken.sub !== subject) return { kind: "not-allowed", signedIn };
        const renewed = { ...signedIn, refreshToken: tokens.refresh_token ?? refreshToken };
        // The access token is new, so a refusal means the person.
        const claims = await claimsOf(config, tokens, subject).catch(userInfoRefusal);
        if (claims === "doubtful") return { kind: "doubtful", signedIn: renewed };
        if (claims === "refused" || !mayComeIn(claims, settings.allow, settings.verifiedEmail)) {
          return { kind: "not-allowed", signedIn };
        }
        return { kind: "in", signedIn: { ...renewed, mayPublish: mayPublish(claims, settings) } };
      } catch (error) {
        return isOver(error) ? { kind: "not-allowed", signedIn } : { kind: "away", reason: reasonOf(error) };
      }
    },
  };
}

/**
 * What a provider says of a person whom it lets in no longer (RFC 6749, 5.2; OpenID Connect Core, 3.1.2.6; and
 * `account_disabled`, which some say). What it says of INV's own client, such as `unauthorized_client` and
 * `invalid_client`, is an administrator's business and ends nobody's session.
 */
const endings: readonly unknown[] = [
  "invalid_grant",
  "access_denied",
  "login_required",
  "interaction_required",
  "consent_required",
  "account_disabled",
];

function isOver(error: unknown): boolean {
  return endings.includes(Reflect.get(Object(error) as object, "error"));
}

/**
 * The provider names its reason in `WWW-Authenticate` (RFC 6750, 3); a bare 401 or 403, which the library reports with the
 * response as the cause, may come from a gateway. A missing scope is a fault of INV's client. Throws any other error.
 */
function userInfoRefusal(error: unknown): "refused" | "doubtful" {
  const cause: unknown = Reflect.get(Object(error) as object, "cause");
  const named: unknown = Reflect.get(Object(error) as object, "status");
  const bare: unknown = Reflect.get(Object(cause) as object, "status");
  if (named === 401 || (named === 403 && !JSON.stringify(cause).includes("insufficient_scope"))) {
    return "refused";
  }
  if (bare === 401 || bare === 403) return "doubtful";
  throw error;
}

/** Nobody was asked, or nobody answered as a provider does: nothing is known of the person. */
function isAway(error: unknown): boolean {
  const code: unknown = Reflect.get(Object(error) as object, "code");
  const cause: unknown = Reflect.get(Object(error) as object, "cause");
  if (error instanceof TypeError || code === "OAUTH_TIMEOUT" || code === "ENOENT") return true;
  return cause instanceof TypeError || (Number(Reflect.get(Object(cause) as object, "status")) || 0) >= 500;
}

/** The library's words and codes. Of what the provider wrote only its error code, because other text may repeat anything. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : "unknown";
  const { code, error: refusal, cause } = Object(error) as Record<string, unknown>;
  // The library names the claim that is wrong one or two causes deep.
  const { claim, cause: inner } = Object(cause) as Record<string, unknown>;
  const codes = [code, refusal, claim ?? Reflect.get(Object(inner) as object, "claim")].filter(
    (each) => typeof each === "string" && /^\w{1,60}$/.test(each),
  );
  return codes.length === 0 ? words : `${words} (${codes.join(", ")})`;
}
