/**
 * The OpenID Connect provider, through `openid-client`. This module sends browsers to the provider, reads
 * their return, and later asks whether a person is still allowed. The library checks state, nonce, issuer,
 * audience, times and signature. This module interprets the library's errors and decides who is allowed. It
 * loads the library when the provider is first needed.
 * Invariant: an answer that the library rejects admits nobody.
 */
import type {
  Configuration,
  CustomFetch,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from "openid-client";
import { fetch as undiciFetch, type Dispatcher } from "undici";
import type { SteadyClock } from "../steady-clock";
import { digestOf } from "../digest";
import { codesOf } from "../relay/send-call";
import type { PendingSignIn } from "./pending-sign-ins";
import { mayComeIn, mayPublish, signedInAs, type Claims, type SignInSettings } from "./person";
import type { ReadSecret } from "./secret";
import type { SignedIn } from "./sessions";
import { codeOf } from "../system-error";

interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export type ProviderAnswer =
  | { readonly kind: "in"; readonly signedIn: SignedIn }
  /** The provider knows the person, but INV's settings don't allow them. */
  | { readonly kind: "not-allowed"; readonly signedIn: SignedIn }
  /** The person cancelled at the provider, or the provider refused them there. */
  | { readonly kind: "cancelled"; readonly reason: string }
  /** The answer isn't valid. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "away"; readonly reason: string };

type Rechecked =
  | ProviderAnswer
  /** Refused without a reason. A gateway may do this when the provider behind it is in trouble. */
  | { readonly kind: "doubtful"; readonly signedIn: SignedIn };

export interface Provider {
  /** Returns null if the provider answers, otherwise the reason why it doesn't. */
  look(): Promise<string | null>;
  /** Returns the address to send the browser to. Rejects if the provider doesn't answer. */
  addressFor(checks: Checks & Pick<PendingSignIn, "prompt">): Promise<URL>;
  /** `query` is the query string of the browser's return. Never rejects. */
  returned(query: string, checks: Checks): Promise<ProviderAnswer>;
  /** Never rejects. */
  recheck(signedIn: SignedIn): Promise<Rechecked>;
  /** Ends a refresh token, if the provider can. Resolves with null, or with the reason if it couldn't. */
  revoke(refreshToken: string): Promise<string | null>;
}

export interface ProviderOptions {
  readonly settings: SignInSettings;
  readonly readSecret: ReadSecret;
  readonly clock: Pick<SteadyClock, "now">;
  readonly dispatcher: Dispatcher;
  readonly warn: (reason: string) => void;
  /** Called when the provider didn't answer, with the reason, and with null when it did. */
  readonly observe: (fault: string | null) => void;
  readonly wallNow?: () => number;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** Providers seldom change their addresses. The library fetches signing keys when it needs one. */
const knownForMs = 3_600_000;
const timeoutSeconds = 10;
/** How far a provider's clock may be ahead of this server's. */
const mostAheadSeconds = 60;

export function createProvider(options: ProviderOptions): Provider {
  const { settings, readSecret, clock, dispatcher, warn, observe, wallNow = Date.now } = options;
  const redirectUri = `${settings.address}/sign-in/back`;
  /** The claims that decide what a person may do. */
  const ruling = [settings.allow, settings.templates].flatMap((rule) => rule?.claim ?? []);
  let known: {
    readonly config: Configuration;
    readonly secretDigest: string;
    readonly untilMs: number;
  } | null = null;

  /** By how much this server's clock was ahead of the provider's at its last answer. */
  let aheadMs = 0;

  // Uses undici's own fetch, because Node's rejects a dispatcher from another copy of undici.
  const send = (async (address: string, init: object) => {
    try {
      const response = await undiciFetch(address, { ...init, dispatcher });
      const date = Date.parse(response.headers.get("date") ?? "");
      aheadMs = Number.isNaN(date) ? 0 : wallNow() - date;
      if (response.status >= 500) observe(`it answers with status ${response.status}`);
      return response;
    } catch (error) {
      observe(reasonOf(error));
      throw error;
    }
  }) as unknown as CustomFetch;

  async function configuration(): Promise<Configuration> {
    const secret = await readSecret();
    const secretDigest = digestOf(secret);
    const isKnown = known?.secretDigest === secretDigest && clock.now() < known.untilMs;
    return known !== null && isKnown ? known.config : discover(secret);
  }

  async function discover(secret: string): Promise<Configuration> {
    const client = await import("openid-client");
    const execute = [client.enableNonRepudiationChecks];
    // The settings' schema allows this only for this machine.
    // oxlint-disable-next-line typescript/no-deprecated
    if (settings.issuer.startsWith("http:")) execute.push(client.allowInsecureRequests);
    const config = await client.discovery(new URL(settings.issuer), settings.clientId, secret, undefined, {
      execute,
      timeout: timeoutSeconds,
      [client.customFetch]: send,
    });
    known = { config, secretDigest: digestOf(secret), untilMs: clock.now() + knownForMs };
    observe(clockFault());
    return config;
  }

  /** Says how far this server's clock is from the provider's, if people can't sign in because of it. */
  function clockFault(): string | null {
    if (Math.abs(aheadMs) <= mostAheadSeconds * 1_000) return null;
    const seconds = Math.round(Math.abs(aheadMs) / 1_000);
    const time = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
    return `this server's clock is ${time} ${aheadMs > 0 ? "ahead of" : "behind"} the provider's. Set it`;
  }

  async function claimsOf(config: Configuration, tokens: Tokens, subject: string): Promise<Claims> {
    const claims: Claims = tokens.claims() ?? {};
    // Some providers put only the required claims into the ID token, and the others into user-info.
    const { userinfo_endpoint: more } = config.serverMetadata();
    const isEmailWanted = ruling.includes("email");
    const needed = isEmailWanted ? [...ruling, "email_verified"] : ruling;
    if (needed.every((claim) => claim in claims) || more === undefined) return claims;
    const client = await import("openid-client");
    const info: Claims = await client.fetchUserInfo(config, tokens.access_token, subject);
    const all = { ...info, ...claims };
    if (!isEmailWanted || ("email" in claims && "email_verified" in claims)) return all;
    // A mark says something only about the address beside it.
    return { ...all, email: info["email"], email_verified: info["email_verified"] };
  }

  /** Above 200 groups, Entra ID leaves them out of a token and names another place for them (OpenID Connect Core, 5.6.2). */
  function warnIfLeftOut(claim: string, claims: Claims): void {
    if (claim in claims || !(claim in (Object(claims["_claim_names"]) as object))) return;
    warn(
      `The provider left "${claim}" out of a person's token, because there are too many values. INV counts the ` +
        "person as having none. At the provider, send only groups that are assigned to INV, or use roles.",
    );
  }

  return {
    async look() {
      try {
        await discover(await readSecret());
        return clockFault();
      } catch (error) {
        const reason = reasonOf(error);
        observe(reason);
        return reason;
      }
    },
    async addressFor({ state, nonce, codeVerifier, prompt }) {
      const config = await configuration().catch((error: unknown) => {
        throw new Error(reasonOf(error), { cause: error });
      });
      const client = await import("openid-client");
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(" "),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        ...(prompt !== null && { prompt }),
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
        if (idToken.iat > wallNow() / 1_000 + mostAheadSeconds) {
          return { kind: "refused", reason: clockFault() ?? "The ID token was issued in the future." };
        }
        const claims = await claimsOf(config, tokens, idToken.sub);
        for (const claim of ruling) warnIfLeftOut(claim, claims);
        const refreshToken = tokens.refresh_token ?? null;
        const signedIn = signedInAs(idToken.sub, claims, {
          refreshToken,
          mayPublish: mayPublish(claims, settings),
        });
        return {
          kind: mayComeIn(claims, settings.allow) ? "in" : "not-allowed",
          signedIn,
        };
      } catch (error) {
        const reason = reasonOf(error);
        const code: unknown = Reflect.get(Object(error) as object, "error");
        if (code === "access_denied") return { kind: "cancelled", reason };
        if (isAway(error)) return { kind: "away", reason };
        const isOfTimes = codesOf(error).includes("OAUTH_JWT_TIMESTAMP_CHECK_FAILED");
        return { kind: "refused", reason: (isOfTimes ? clockFault() : null) ?? reason };
      }
    },
    async revoke(refreshToken) {
      try {
        const config = await configuration();
        if (config.serverMetadata().revocation_endpoint === undefined) return null;
        const client = await import("openid-client");
        await client.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    async recheck(signedIn) {
      const { refreshToken, subject } = signedIn;
      if (refreshToken === null) return { kind: "in", signedIn };
      try {
        const config = await configuration();
        const client = await import("openid-client");
        const tokens = await client.refreshTokenGrant(config, refreshToken);
        const idToken = tokens.claims();
        if (idToken !== undefined && idToken.sub !== subject) return { kind: "not-allowed", signedIn };
        const renewed = { ...signedIn, refreshToken: tokens.refresh_token ?? refreshToken };
        // The access token is new, so a refusal concerns the person.
        const claims = await claimsOf(config, tokens, subject).catch(userInfoRefusal);
        if (claims === "doubtful") return { kind: "doubtful", signedIn: renewed };
        if (claims === "refused") return { kind: "not-allowed", signedIn };
        if (!mayComeIn(claims, settings.allow)) {
          warnIfLeftOut(settings.allow.claim, claims);
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
 * Errors that mean that a person is no longer allowed. Sources: RFC 6749, 5.2; OpenID Connect Core, 3.1.2.6;
 * and `account_disabled`, which some providers send. Errors about INV's own client, such as
 * `unauthorized_client` and `invalid_client`, need an administrator and end no session.
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
 * Interprets a user-info error. The provider gives its reason in `WWW-Authenticate` (RFC 6750, 3). A bare 401
 * or 403, which the library reports with the response as the cause, may come from a gateway. A missing scope
 * is a fault of INV's client. Throws any other error.
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

/** Returns the issuer that the provider's own configuration names, if it differs from the setting, for example by a slash. */
function ownIssuer(error: unknown): string | null {
  for (let cause: unknown = error, depth = 0; depth < 4; depth += 1) {
    const { attribute, body, cause: inner } = Object(cause) as Record<string, unknown>;
    const issuer: unknown = attribute === "issuer" ? Reflect.get(Object(body) as object, "issuer") : null;
    if (typeof issuer === "string") return issuer.replace(/[^\x21-\x7e]/g, "").slice(0, 200);
    cause = inner;
  }
  return null;
}

/**
 * Returns whether the provider didn't answer, or gave no answer of a provider. Such an error says nothing
 * about the person.
 */
function isAway(error: unknown): boolean {
  if (codeOf(error) === "OAUTH_TIMEOUT") return true;
  const cause: unknown = Reflect.get(Object(error) as object, "cause");
  const status = Number(Reflect.get(Object(cause) as object, "status")) || 0;
  return [error, cause].some((each) => each instanceof TypeError) || status >= 500;
}

/**
 * Returns the library's message and codes. From the provider's answer, it includes only the error code,
 * because other text may repeat secrets.
 */
function reasonOf(error: unknown): string {
  const issuer = ownIssuer(error);
  if (issuer !== null) return `it calls itself "${issuer}", and signIn.issuer must be exactly that`;
  const { error: refusal, cause } = Object(error) as Record<string, unknown>;
  const status: unknown = Reflect.get(Object(cause) as object, "status");
  const answer = typeof status === "number" ? `it answers with status ${status}` : null;
  const words = answer ?? (error instanceof Error ? error.message : "unknown");
  // The library names the wrong claim one or two causes deep.
  const { claim, cause: inner } = Object(cause) as Record<string, unknown>;
  const codes = [...codesOf(error), refusal, claim ?? Reflect.get(Object(inner) as object, "claim")].filter(
    (each) => typeof each === "string" && /^\w{1,60}$/.test(each),
  );
  return codes.length === 0 ? words : `${words} (${codes.join(", ")})`;
}
