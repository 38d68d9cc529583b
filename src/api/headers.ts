/**
 * Requests and what stands in headers: of the service's contract, and what a page and the team's server say to each other
 * beside it. The page says whether an edit waits, how old an answer of a colleague's call may be, and which token a new one
 * follows; the server, how old each record is, how the company's quota stands, and that a 429 or a 401 is its own. Nothing
 * of that reaches the service.
 * Redirects are not followed, because a followed one could carry the secret or the token to another host; the reader then
 * sees the redirect itself and names the address as wrong.
 */

/** What every data call needs beside its query. */
export interface CallOptions {
  /** Null where the team's server knows it. */
  readonly consumerId: string | null;
  readonly accessToken: string;
  readonly signal?: AbortSignal;
  /** Null where no team's server stands between. */
  readonly company?: CallTerms | null;
}

export interface ReadOptions {
  /** The largest body read, in bytes after decompression; a larger one is refused while it is read. */
  readonly maxBytes: number;
}

interface Parts {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal | undefined;
}

/** A request to an absolute address or, in a browser, one relative to the page. */
export function buildRequest(url: string, parts: Parts): Request {
  return new Request(url, {
    method: parts.method,
    headers: parts.headers,
    body: parts.body ?? null,
    signal: parts.signal ?? null,
    redirect: "manual",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  });
}

/** The headers that every data call carries. */
export function callHeaders(options: CallOptions): Record<string, string> {
  return {
    accept: "application/json",
    authorization: `Bearer ${headerText(options.accessToken)}`,
    ...(options.consumerId !== null && { "wm_consumer.id": headerText(options.consumerId) }),
    ...(options.company && companyHeaders(options.company)),
  };
}

/**
 * A mistyped consumer ID may hold characters that a header cannot carry, and building the request would
 * throw. Replaced by `?` it is still wrong, and the service's own refusal tells the user.
 */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

/** On which terms a page asks the team's server: what neither changes the question nor reaches the service. */
export interface CallTerms {
  readonly isEdit: boolean;
  /** 0 asks the service in any case. */
  readonly maxAgeMs: number;
}

export function companyHeaders({ isEdit, maxAgeMs }: CallTerms): Record<string, string> {
  return {
    "inv-max-age": String(Math.max(0, Math.floor(maxAgeMs / 1_000))),
    ...(isEdit && { "inv-edit": "1" }),
  };
}

/** Of a token request: by the token before it the server knows that the same person asks. */
export function renewalHeaders(tokenBefore: string | null): Record<string, string> {
  return tokenBefore === null ? {} : { "inv-renews": tokenBefore };
}

export interface CompanyUsage {
  /** Calls of the whole company that count in its present 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

/** Null where the answer does not come through a team's server. */
export function readCompanyUsage(headers: Headers): CompanyUsage | null {
  const parts = /^(\d+)\/(\d+)$/.exec(headers.get("inv-quota") ?? "");
  return parts === null ? null : { used: Number(parts[1]), limit: Number(parts[2]) };
}

/**
 * Why a 429 is the team's server's: the quota is spent, or it waits for its memory and does not know. The service has not
 * seen the call, and nobody needs to go slower. Null where it is the service's.
 */
export function readRejection(headers: Headers): "quota" | "memory" | null {
  const mark = headers.get("inv-refusal");
  return mark === "quota" || mark === "memory" ? mark : null;
}

/** For how long the team's server sent a call back, more exactly than in whole seconds; null where it does not say. */
export function readRejectedForMs(headers: Headers): number | null {
  const text = headers.get("inv-wait-ms") ?? "";
  return /^\d{1,7}$/.test(text) ? Number(text) : null;
}

/**
 * Whether a 401 is the team's server's, which gives pages tokens of its own and does not know this one, as after its
 * restart. The service has not seen the call, and nothing is wrong with the credentials.
 */
export function isUnknownToken(headers: Headers): boolean {
  return headers.get("inv-refusal") === "token";
}

/** Whether a 401 is the team's server's, because the session that a person signed in to has ended. */
export function isSignedOut(headers: Headers): boolean {
  return headers.get("inv-refusal") === "session";
}

/** Whether the service refuses the credentials that the team's server holds: nobody at a page can mend that. */
export function refusesHeldCredentials(headers: Headers): boolean {
  return headers.get("inv-refusal") === "credentials";
}

/** By which the team's server logged the call; null where it says none. */
export function readRequestId(headers: Headers): string | null {
  const id = headers.get("inv-request-id") ?? "";
  return /^[0-9a-f]{12}$/.test(id) ? id : null;
}

/** Whether the call cost the company nothing: every item came from other calls than it, or the server answered it. */
export function isCacheHit(headers: Headers): boolean {
  return isUnknownToken(headers) || /^[1-9]\d*(,[1-9]\d*)*$/.test(headers.get("inv-ages") ?? "");
}

/** How long ago each item was fetched, in the order of the request, 0 where this call fetched it; empty where it fetched all. */
export function readAgesMs(headers: Headers, items: number): readonly number[] {
  const text = headers.get("inv-ages") ?? "";
  const ages = /^\d+(,\d+)*$/.test(text) ? text.split(",").map(Number) : [];
  return ages.length === items ? ages : [];
}
