/**
 * Requests and their headers: those of the service's contract, and those between a page and the team's server, which never reach
 * the service. A page says whether an edit waits, how old a colleague's answer may be, and which token it had before. The server
 * says how old each record is, how much quota the company has used, and whether a 429 or a 401 is its own.
 * Redirects aren't followed, because they could carry the secret or the token to another host. A redirect is reported as a wrong
 * address.
 */

/** What every data call needs besides its query. */
export interface CallOptions {
  /** Null if the team's server knows it. */
  readonly consumerId: string | null;
  readonly accessToken: string;
  readonly signal?: AbortSignal;
  /** Null if the page sends to the service itself. */
  readonly teamServerTerms?: TeamServerTerms | null;
}

export interface ReadOptions {
  /** The largest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
  /** What is removed from the body: the client secret, and the token of the request. */
  readonly secrets: readonly string[];
}

interface Parts {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal | undefined;
}

/** Creates a request to an absolute address or, in a browser, to one relative to the page. */
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

/** Returns the headers of a data call. */
export function callHeaders(options: CallOptions): Record<string, string> {
  return {
    accept: "application/json",
    authorization: `Bearer ${headerText(options.accessToken)}`,
    ...(options.consumerId !== null && { "wm_consumer.id": headerText(options.consumerId) }),
    ...(options.teamServerTerms && teamServerHeaders(options.teamServerTerms)),
  };
}

/**
 * Replaces characters that a header can't contain with `?`, because creating the request would throw. Such a consumer ID is
 * mistyped; the service refuses it and says so.
 */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

/** What a page asks of the team's server. It doesn't change the query and never reaches the service. */
export interface TeamServerTerms {
  readonly isEdit: boolean;
  /** 0 always requests from the service. */
  readonly maxAgeMs: number;
}

function teamServerHeaders({ isEdit, maxAgeMs }: TeamServerTerms): Record<string, string> {
  return {
    "inv-max-age": String(Math.max(0, Math.floor(maxAgeMs / 1_000))),
    ...(isEdit && { "inv-edit": "1" }),
  };
}

/** A header of token requests: the server recognizes the person by the previous token. */
export function renewalHeaders(tokenBefore: string | null): Record<string, string> {
  return tokenBefore === null ? {} : { "inv-renews": tokenBefore };
}

export interface CompanyUsage {
  /** Calls of the whole company in the current 60 seconds. */
  readonly used: number;
  readonly limit: number;
}

/** Returns the company's quota figures; null if the response doesn't come from a team's server. */
export function readCompanyUsage(headers: Headers): CompanyUsage | null {
  const parts = /^(\d+)\/(\d+)$/.exec(headers.get("inv-quota") ?? "");
  return parts === null ? null : { used: Number(parts[1]), limit: Number(parts[2]) };
}

/**
 * Returns why the team's server sent a 429: the quota is used up, or the server can't reach its shared store. The service hasn't
 * seen the call, so nobody needs to slow down. Returns null if the 429 is the service's.
 */
export function readRejection(headers: Headers): "quota" | "redis" | null {
  const reason = headers.get("inv-refusal");
  return reason === "quota" || reason === "redis" ? reason : null;
}

/** Returns after how many milliseconds to send a rejected call again; null if the team's server doesn't say. */
export function readRejectionDelayMs(headers: Headers): number | null {
  const text = headers.get("inv-wait-ms") ?? "";
  return /^\d{1,7}$/.test(text) ? Number(text) : null;
}

/**
 * Whether a 401 is the team's server's, which issues its own tokens and doesn't know this one, for example after a restart. The
 * service hasn't seen the call, and the credentials are right.
 */
export function isUnknownToken(headers: Headers): boolean {
  return headers.get("inv-refusal") === "token";
}

/** Whether a 401 is the team's server's because the person's sign-in session has ended. */
export function isSignedOut(headers: Headers): boolean {
  return headers.get("inv-refusal") === "session";
}

/** Whether the service refuses the team server's credentials, which nobody at a page can fix. */
export function refusesServerCredentials(headers: Headers): boolean {
  return headers.get("inv-refusal") === "credentials";
}

/** Returns the id under which the team's server logged the call; null if there is none. */
export function readRequestId(headers: Headers): string | null {
  const id = headers.get("inv-request-id") ?? "";
  return /^[0-9a-f]{12}$/.test(id) ? id : null;
}

/** Whether the call cost the company nothing, because other calls brought every item. */
export function isCacheHit(headers: Headers): boolean {
  return headers.get("inv-cached") === "1";
}

/** Returns how long ago each item was fetched, in the order of the request; empty if this answer is new. */
export function readAgesMs(headers: Headers, items: number): readonly number[] {
  const text = headers.get("inv-ages") ?? "";
  const ages = /^\d+(,\d+)*$/.test(text) ? text.split(",").map(Number) : [];
  return ages.length === items ? ages : [];
}
