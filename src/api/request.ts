/**
 * What all requests of INV have in common: the headers of a data call, no cache, no redirect.
 * Redirects are not followed, because a followed one could carry the secret or the token to another host;
 * the reader then sees the redirect itself and names the address as wrong.
 */
import type { CallOptions } from "./call-options";
import { companyHeaders } from "./company";

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
